import { type ChatMessage, textOf } from "@/lib/models/schema";
import { ASPECTS, type Aspect } from "./aspects";
import { type Corpus, formsOf } from "./corpus";
import { foldedTermsOf } from "./terms";

/** What is asked: its terms with what each counts for, and the kind of answer that is wanted. */
export interface Question {
  terms: Map<string, number>;
  /** Neighbouring terms: "type 1", "1 diabet". */
  pairs: string[];
  /** Terms written as names: "Lyme", "SARS-CoV-2". */
  names: Set<string>;
  /** What the question before was about, when this one does not say. */
  anchors: Set<string>;
  aspects: Aspect[];
  wantsDefinition: boolean;
  /** What the answer looks like when the question asks for a measure. */
  measure: RegExp | null;
  /** It asks for several things side by side. */
  compares: boolean;
}

/** Bounds the work on a message that pastes a document before it asks. */
const QUESTION_CHARACTERS = 4000;
const GENERIC_COUNTS = 0.35;
const ASIDE_COUNTS = 0.6;
const BEFORE_COUNTS = 0.5;
/** With more of a subject than this, "it" most likely points to something within the question. */
const POINTING_SUBJECT = 2;
const LABEL_TERMS = 3;

/** Words that phrase a question and that the answer need not repeat. */
const GENERIC = new Set(
  foldedTermsOf(
    "know mean meaning thing happen need want people person patient someone anyone somebody best way good bad start " +
      "work soon doctor go come find call say ask explain describe define definition list name information article " +
      "source text document question answer accord difference different type kind main common important long help " +
      "affect effect getting giving making taking doing going last lasts day week month year hour minute second time " +
      " safe okay ok able possible recommend recommended normally today currently please thank thanks " +
      "hello exactly really actually briefly short summary consider include contain feel look take due submit provide " +
      "offer receive apply allow service watch careful worry usual basic simple proper correct right standard current " +
      "latest new serious advice advise guideline occur typical typically general generally certain various",
  ),
);

const DEFINITION =
  /^\W*(?:(?:and|so|please|can you|could you)\s+)*(?:what(?:'s|’s| is| are| was| does .* (?:mean|stand for))|who (?:is|are)|define|explain|describe|tell me about|definition|meaning)\b/i;
const VERB = /\b(?:is|are|do|does|did|can|could|should|will|may|has|have)\b|\?/i;
const MEASURES = [
  {
    asked: /\bhow (?:often|many times|frequently)\b/i,
    told: /\b(?:every|each|once|twice|\w+ times|daily|weekly|monthly|yearly|annual(?:ly)?|an? (?:day|week|month|year)|per (?:day|week|month|year))\b/i,
  },
  {
    asked: /\b(?:how (?:long|soon|fast|quickly|old)|what age|when (?:was|did|were|will|do|does|is|are))\b/i,
    told: /\d.*\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|age)\b|\bage[ds]? \d|\b(?:1[89]|20)\d\d\b/i,
  },
  {
    asked:
      /\b(?:how (?:much|many|high|low|common|far|likely|big|large)|what (?:\w+ ){0,3}(?:level|dose|percentage|percent|number|range|value|target|limit|rate|amount|temperature|threshold|score)|is (?:considered )?(?:too )?(?:high|low|normal)|normal|maximum|minimum|at what)\b/i,
    told: /\d/,
  },
];
const COMPARISON = /\b(?:differ\w*|compar\w*|versus|vs|distinguish\w*)\b/i;
const CONTRACTION = /\b\w{1,9}n['’]t\b|['’](?:ll|re|ve|d|m)\b|\b(?:what|how|where|who|when)s\b|\b(?:do|ca|wo|is|does)nt\b|\bi[mv]e?\b/gi;
const POINTS_BACK = /\b(?:it|its|they|them|their|these|those|he|she|him|her|his)\b|\b(?:this|that)\W*$/i;
const GOES_ON = /^\W*(?:(?:and|but|or|also|what about|how about)\b|(?:why|how so|really|since when)\W*$)/i;

/**
 * Reads the last user message. When it does not say by itself what it is about ("And in children?"), the
 * user message before it counts too, for less.
 */
export function readQuestion(messages: readonly ChatMessage[], corpus: Corpus): Question {
  const asked = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  const text = (asked.at(-1) ?? "").slice(-QUESTION_CHARACTERS);
  const before = (asked.at(-2) ?? "").slice(-QUESTION_CHARACTERS);
  const question = readText(text);
  return before && isElliptic(text, question, corpus) ? join(question, readText(before), corpus) : question;
}

export function pairsOf(terms: readonly string[]): string[] {
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}

function readText(text: string): Question {
  const sentences = text.match(/[^.?!\n]+(?:[.?!](?=\S)[^.?!\n]+)*[.?!]*/g) ?? [];
  const core = sentences.findLast(isAsking) ?? text;
  const terms = readTerms(sentences);
  return {
    terms,
    pairs: pairsOf(foldedTermsOf(core)),
    names: new Set(sentences.flatMap(namesOf)),
    anchors: new Set(),
    aspects: ASPECTS.filter(({ asked }) => asked.test(core)),
    wantsDefinition: DEFINITION.test(core) || (terms.size <= LABEL_TERMS && !VERB.test(core)),
    measure: MEASURES.find(({ asked }) => asked.test(core))?.told ?? null,
    compares: COMPARISON.test(core),
  };
}

function isAsking(sentence: string): boolean {
  return sentence.trimEnd().endsWith("?");
}

function readTerms(sentences: readonly string[]): Map<string, number> {
  const terms = new Map<string, number>();
  const hasQuestion = sentences.some(isAsking);
  for (const sentence of sentences) {
    const counts = hasQuestion && !isAsking(sentence) ? ASIDE_COUNTS : 1;
    // "How fast" is answered by a time that need not be called fast.
    const measures = new Set(foldedTermsOf(/\bhow (\w+)/i.exec(sentence)?.[1] ?? ""));
    for (const term of foldedTermsOf(sentence.replace(CONTRACTION, " "))) {
      const share = GENERIC.has(term) || measures.has(term) ? GENERIC_COUNTS : 1;
      terms.set(term, Math.max(counts * share, terms.get(term) ?? 0));
    }
  }
  return terms;
}

function namesOf(sentence: string): string[] {
  const [, ...words] = sentence.trim().split(/\s+/);
  return words.filter((word) => /^["'(]?[\p{Lu}\p{N}]/u.test(word)).flatMap(foldedTermsOf);
}

function isElliptic(text: string, question: Question, corpus: Corpus): boolean {
  const known = [...question.terms.keys()].filter((term) => isKnown(term, corpus));
  const subject = known.filter(
    (term) => !GENERIC.has(term) && !question.aspects.some(({ stems }) => stems.has(term)),
  );
  const pointsBack = subject.length <= POINTING_SUBJECT && POINTS_BACK.test(text);
  return known.length < 2 || subject.length === 0 || pointsBack || GOES_ON.test(text);
}

function isKnown(term: string, corpus: Corpus): boolean {
  return [...formsOf(corpus, term).keys()].some((form) => corpus.spread.has(form));
}

function join(question: Question, before: Question, corpus: Corpus): Question {
  const isTopic = (term: string): boolean => corpus.topics.has(term) && !GENERIC.has(term);
  // "And with aspirin?" asks the same of something else; "And in children?" asks more of the same.
  const turns = [...question.terms.keys()].some(isTopic);
  const kept = [...before.terms].filter(([term]) => !turns || !isTopic(term));
  const terms = new Map(kept.map(([term, counts]) => [term, counts * BEFORE_COUNTS]));
  for (const [term, counts] of question.terms) {
    terms.set(term, Math.max(counts, terms.get(term) ?? 0));
  }
  return {
    ...question,
    terms,
    anchors: new Set(turns ? [] : [...before.terms.keys()].filter(isTopic)),
    aspects: question.aspects.length > 0 ? question.aspects : before.aspects,
  };
}
