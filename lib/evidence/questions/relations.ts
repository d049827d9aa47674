import { termsOf } from "@/lib/text/analyzer";
import relations from "./relations.json" with { type: "json" };

/** What a question can ask about its subject. An answer may lack a loose one: its words also occur in other questions. */
const RELATIONS = relations.map(
  ({
    name,
    isLoose,
    isMeasured,
    isDirected,
    isOwn,
    strict,
    replaces,
    words,
    question,
    heading,
    answer,
    aside,
    unless,
    marks,
    says,
    excludes,
  }) => ({
    name,
    isLoose,
    /** Whether a heading about another subject says the reverse: under "Causes" of gout, kidney disease causes gout. */
    isDirected: isDirected ?? false,
    /** Whether only documents about the subject answer: "untreated hypertension can lead to stroke" tells of hypertension. */
    isOwn: isOwn ?? false,
    /**
     * Which sentences a title doesn't answer for: under "What are the stages of …?", those without words of the relation;
     * under "What are the symptoms of …?", those that have them only in asides.
     */
    strict: strict ?? null,
    /** Relations that its questions seem to ask for: "Who should not take …?" isn't asked about those who should. */
    replaces: replaces ?? [],
    /** Whether a question for a quantity is answered by sentences with one only. */
    isMeasured: isMeasured ?? false,
    inQuestion: new RegExp(question, "i"),
    inHeading: new RegExp(heading, "i"),
    /** All of them match a sentence that answers. Without any, one of the stems does. */
    inAnswer: answer?.map((pattern) => new RegExp(pattern, "i")) ?? [],
    stems: new Set(termsOf(words)),
    /** Phrases in which its words speak of something else: "checking for signs of disease" lists no symptoms. */
    aside: aside ? new RegExp(aside.join("|"), "gi") : null,
    /** Sentences that don't answer, even under a heading that speaks of it. */
    unless: unless ? new RegExp(unless, "i") : null,
    /** Words that show a sentence is about it, whatever its heading says. */
    marks: marks ? new RegExp(marks, "i") : null,
    /** Forms of sentences that tell something of it, without a heading that does: "symptoms include", not "with symptoms". */
    says: says ? new RegExp(says, "i") : null,
    /** The relations whose marks show that a sentence under its heading is about something else. */
    excludes: excludes ?? [],
  }),
);
export type Relation = (typeof RELATIONS)[number];

/** "While many have no symptoms, jaundice may occur": names something all the same. */
const NAMES_SOME = /^\W*(?:while|(?:al)?though)\b|,[^.;]*\b(?:and|or)\b|\b(?:includ\w+|such as)\b/i;

/** The names of all relations that a heading speaks of. */
export function relationsInHeading(heading: string): string[] {
  return RELATIONS.filter(({ inHeading }) => inHeading.test(heading)).map(({ name }) => name);
}

/** "The doctor may order a test", in a text titled "What are the symptoms of …?": whether a sentence is about something else. */
export function strays(
  { stems, inAnswer, aside, marks, excludes, strict }: Relation,
  asked: readonly Relation[],
  text: string,
): boolean {
  const plain = aside ? text.replace(aside, " ") : text;
  const isOwn =
    termsOf(plain).some((term) => stems.has(term)) ||
    [...inAnswer, ...(marks ? [marks] : [])].some((pattern) => pattern.test(plain));
  if (isOwn) {
    return false;
  }
  const others = RELATIONS.filter((other) => excludes.includes(other.name));
  const isAside = strict === "asides" && plain !== text && !NAMES_SOME.test(text);
  return (
    strict === "words" ||
    isAside ||
    others.some((other) => !asked.includes(other) && other.marks?.test(text))
  );
}

/** The relations that a question asks for. */
export function relationsIn(text: string): Relation[] {
  const all = RELATIONS.filter(({ inQuestion }) => inQuestion.test(text));
  const replaced = new Set(all.flatMap(({ replaces }) => replaces));
  return all.filter(({ name }) => !replaced.has(name));
}
