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
    replaces,
    words,
    question,
    heading,
    answer,
    aside,
    unless,
  }) => ({
    name,
    isLoose,
    /** Whether a heading about another subject says the reverse: under "Causes" of gout, kidney disease causes gout. */
    isDirected: isDirected ?? false,
    /** Whether only documents about the subject answer: "untreated hypertension can lead to stroke" tells of hypertension. */
    isOwn: isOwn ?? false,
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
  }),
);
export type Relation = (typeof RELATIONS)[number];

/** The names of all relations that a heading speaks of. */
export function relationsInHeading(heading: string): string[] {
  return RELATIONS.filter(({ inHeading }) => inHeading.test(heading)).map(({ name }) => name);
}

/** The relations that a question asks for. */
export function relationsIn(text: string): Relation[] {
  const all = RELATIONS.filter(({ inQuestion }) => inQuestion.test(text));
  const replaced = new Set(all.flatMap(({ replaces }) => replaces));
  return all.filter(({ name }) => !replaced.has(name));
}
