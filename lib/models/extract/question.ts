import { type ChatMessage, textOf } from "@/lib/models/schema";
import { foldedTermsOf } from "./terms";
import { ASPECTS, type Aspect } from "./aspects";

/** What is asked: its terms with what each counts for, and the kind of answer that is wanted. */
export interface Question {
  terms: Map<string, number>;
  /** Neighbouring terms of the question: "type 1" and "1 diabet". */
  pairs: string[];
  aspects: Aspect[];
  /** Terms written as names: "Lyme", "SARS-CoV-2". */
  names: Set<string>;
  wantsDefinition: boolean;
  /** It asks for several things side by side. */
  compares: boolean;
  wantsNumber: boolean;
}

/** Words that carry a question without being its subject. */
const GENERIC = new Set(
  foldedTermsOf(
    "know mean meaning thing happen need want people person patient someone anyone somebody best way good bad start work " +
      "soon doctor go come find call say ask explain describe define definition list name information article " +
      "source text document question answer accord difference different type kind main common important long " +
      "help work affect effect safe okay ok able possible recommend recommended normally today currently please thank thanks hello " +
      "exactly really actually briefly short summary tell me about consider include contain feel look get take " +
      "due submit provide offer receive apply allow " +
      "service watch careful worry usual usually basic simple proper correct right standard current latest new serious advice advise guideline " +
      "occur typical typically general generally certain various",
  ),
);
const GENERIC_WEIGHT = 0.35;
const ASIDE_WEIGHT = 0.6;
const BEFORE_WEIGHT = 0.5;

const DEFINITION =
  /^\W*(?:(?:and|so|please|can you|could you)\s+)*(?:what(?:'s|’s| is| are| was| does .* (?:mean|stand for))|who (?:is|are)|define|explain|describe|tell me about|definition|meaning)\b/i;
const NUMBER =
  /\b(?:how (?:much|many|long|often|old|high|low|common|far|soon|fast|quickly|likely|big|large)|what (?:\w+ ){0,3}(?:level|dose|age|percentage|percent|number|range|value|target|limit|rate|amount|temperature|threshold|score|time|year|date)|when (?:was|did|were)|is (?:considered )?(?:too )?(?:high|low|normal)|normal|maximum|minimum|what year|at what)\b/i;
const COMPARISON = /\b(?:differ\w*|compar\w*|versus|vs|distinguish\w*)\b/i;
const POINTS_BACK =
  /\b(?:its?|they|them|their|these|those|this|that|he|she|him|her|his|one|ones|same)\b(?! (?:safe|ok|okay|possible|normal|true|dangerous|bad|good|necessary|better))/i;
const GOES_ON = /^\W*(?:and|but|or|also|what about|how about|why|how so|really|since when)\b/i;

/**
 * Reads the last user message. When it says too little of a subject by itself ("And in children?"),
 * the terms of the user message before it count too, for less. `isKnown` tells whether a term occurs in
 * any source.
 */
export function readQuestion(messages: readonly ChatMessage[], isKnown: (term: string) => boolean): Question {
  const asked = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  const text = asked.at(-1) ?? "";
  const before = asked.at(-2) ?? "";
  const question = readText(text);
  return before && isElliptic(text, question, isKnown) ? join(question, readText(before)) : question;
}

function readText(text: string): Question {
  const terms = new Map<string, number>();
  const sentences = text.match(/[^.?!\n]+(?:[.?!](?=\S)[^.?!\n]+)*[.?!]*/g) ?? [];
  const hasQuestion = sentences.some(isAsking);
  for (const sentence of sentences) {
    const weight = hasQuestion && !isAsking(sentence) ? ASIDE_WEIGHT : 1;
    const measures = new Set(foldedTermsOf(/\bhow (\w+)/i.exec(sentence)?.[1] ?? ""));
    for (const term of foldedTermsOf(sentence.replace(/\w+n['’]t\b|['’](?:ll|re|ve|d|m)\b/g, " "))) {
      const counts = GENERIC.has(term) || measures.has(term) ? GENERIC_WEIGHT * weight : weight;
      terms.set(term, Math.max(counts, terms.get(term) ?? 0));
    }
  }
  const core = sentences.findLast(isAsking) ?? text;
  return {
    terms,
    pairs: pairsOf(foldedTermsOf(core)),
    aspects: ASPECTS.filter(({ asked }) => asked.test(core)),
    names: new Set(foldedTermsOf((text.match(/(?<=\S[^.?!]*\s)[\p{Lu}\p{N}][^\s]*/gu) ?? []).join(" "))),
    wantsDefinition: DEFINITION.test(core) || (terms.size <= 3 && !/\b(?:is|are|do|does|did|can|could|should|will|may|has|have)\b|\?/i.test(core)),
    compares: COMPARISON.test(core),
    wantsNumber: NUMBER.test(core),
  };
}

export function pairsOf(terms: readonly string[]): string[] {
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}

function isAsking(sentence: string): boolean {
  return sentence.trimEnd().endsWith("?");
}

function isElliptic(text: string, question: Question, isKnown: (term: string) => boolean): boolean {
  const known = [...question.terms.keys()].filter(isKnown);
  const words = new Set(question.aspects.flatMap((aspect) => foldedTermsOf(aspect.words)));
  const subject = known.filter((term) => !words.has(term) && !GENERIC.has(term));
  return known.length < 2 || subject.length === 0 || GOES_ON.test(text) || POINTS_BACK.test(text);
}

function join(question: Question, before: Question): Question {
  const terms = new Map([...before.terms].map(([term, weight]) => [term, weight * BEFORE_WEIGHT]));
  for (const [term, weight] of question.terms) {
    terms.set(term, Math.max(weight, terms.get(term) ?? 0));
  }
  return { ...question, terms, aspects: question.aspects.length > 0 ? question.aspects : before.aspects };
}
