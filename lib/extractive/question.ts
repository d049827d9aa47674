import { type ChatMessage, textOf } from "@/lib/models/schema";
import { ASPECTS, type Aspect } from "./aspects";
import { type Corpus, formsOf } from "./corpus";
import genericWords from "./generic-words.json" with { type: "json" };
import { foldedTermsOf } from "./terms";

/** Words that phrase a question and that the answer need not repeat. */
const GENERIC = new Set(foldedTermsOf(genericWords.join(" ")));

/** A decimal point or an abbreviation within a word does not end a sentence. */
const SENTENCE = /[^.?!\n]+(?:[.?!](?=\S)[^.?!\n]+)*[.?!]*/g;
/** Asks what something is. */
const DEFINITION =
  /^\W*(?:(?:and|so|please|can you|could you)\s+)*(?:what(?:'s|’s| is| are| was| does .* (?:mean|stand for))|who (?:is|are)|define|explain|describe|tell me about|definition|meaning)\b/i;
/** What a question has and a bare label, like "asthma symptoms", has not. */
const VERB = /\b(?:is|are|do|does|did|can|could|should|will|may|has|have)\b|\?/i;
/** Questions for a measure, and what a sentence has that gives one; the first that fits counts. */
const MEASURES = [
  {
    asked: /\bhow (?:often|many times|frequently)\b/i,
    told: /\b(?:every|each|once|twice|\w+ times|daily|weekly|monthly|yearly|annual(?:ly)?|an? (?:day|week|month|year)|per (?:day|week|month|year))\b/i,
  },
  {
    asked:
      /\b(?:how (?:long|soon|fast|quickly|old)|what age|when (?:was|did|were|will|do|does|is|are))\b/i,
    told: /\d.*\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|age)\b|\bage[ds]? \d|\b(?:1[89]|20)\d\d\b/i,
  },
  {
    asked:
      /\b(?:how (?:much|many|high|low|common|far|likely|big|large)|what (?:\w+ ){0,3}(?:level|dose|percentage|percent|number|range|value|target|limit|rate|amount|temperature|threshold|score)|is (?:considered )?(?:too )?(?:high|low|normal)|normal|maximum|minimum|at what)\b/i,
    told: /\d/,
  },
];
/** Asks for several things side by side. */
const COMPARISON = /\b(?:differ\w*|compar\w*|versus|vs|distinguish\w*|which\b.*\bor)\b/i;
/** What the term reader would take for a content word: "can't", "whats". */
const CONTRACTION =
  /\b\w{1,9}n['’]t\b|['’](?:ll|re|ve|d|m)\b|\b(?:what|how|where|who|when)s\b|\b(?:do|ca|wo|is|does)nt\b/gi;
/** Speaks of what was named before. */
const POINTS_BACK =
  /\b(?:it|its|they|them|their|these|those|he|she|him|her|his)\b|\b(?:this|that)\W*$/i;
/** Takes up the question before. */
const GOES_ON =
  /^\W*(?:(?:and|but|or|also|what about|how about)\b|(?:why|how so|really|since when)\W*$)/i;

/** What is asked: its terms with what each counts for, and the kind of answer that is wanted. */
export interface Question {
  terms: Map<string, number>;
  /** Terms of what is said beside the question: they sway the choice, and the answer may do without. */
  asides: Map<string, number>;
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
const QUESTION_TERMS = 80;
const GENERIC_COUNTS = 0.35;
const ASIDE_COUNTS = 0.3;
/** The most that all asides count, as a share of the question. */
const ASIDE_SHARE = 0.75;
const BEFORE_COUNTS = 0.5;
/** With more of a subject than this, "it" most likely points to something within the question. */
const POINTING_SUBJECT = 2;
const LABEL_TERMS = 3;

/**
 * Reads the last user message: its questions, and what else it says as an aside. When the questions do
 * not say by themselves what they are about ("And in children?"), the aside tells, or without one the
 * user message before.
 */
export function readQuestion(messages: readonly ChatMessage[], corpus: Corpus): Question {
  const said = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  const { core, aside } = splitAside((said.at(-1) ?? "").slice(-QUESTION_CHARACTERS));
  const question = readText(core);
  const context = readText(aside || (said.at(-2) ?? "").slice(-QUESTION_CHARACTERS));
  if (context.terms.size > 0 && isElliptic(core, question, corpus)) {
    return join(question, context, { corpus, pointsBack: POINTS_BACK.test(core) });
  }
  return aside
    ? { ...question, asides: asidesOf(context.terms.keys(), question, ASIDE_COUNTS) }
    : question;
}

function splitAside(text: string): { core: string; aside: string } {
  const sentences = text.match(SENTENCE) ?? [];
  const asking = sentences.filter(isAsking);
  const rest = sentences.filter((sentence) => !isAsking(sentence));
  return asking.length > 0
    ? { core: asking.join(" "), aside: rest.join(" ") }
    : { core: text, aside: "" };
}

function isAsking(sentence: string): boolean {
  return sentence.trimEnd().endsWith("?");
}

/** However much is said beside a question, the question outweighs it. */
function asidesOf(
  said: Iterable<string>,
  { terms }: Question,
  counts: number,
): Map<string, number> {
  const asides = [...said].filter((term) => !GENERIC.has(term) && !terms.has(term));
  const share = (ASIDE_SHARE * Math.max(1, terms.size)) / Math.max(1, asides.length);
  return new Map(asides.map((term) => [term, Math.min(counts, share)]));
}

export function pairsOf(terms: readonly string[]): string[] {
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}

function readText(text: string): Question {
  const terms = readTerms(text);
  return {
    terms,
    asides: new Map(),
    pairs: pairsOf(foldedTermsOf(text)),
    names: namesOf(text),
    anchors: new Set(),
    aspects: ASPECTS.filter(({ asked }) => asked.test(text)),
    wantsDefinition: DEFINITION.test(text) || (terms.size <= LABEL_TERMS && !VERB.test(text)),
    measure: MEASURES.find(({ asked }) => asked.test(text))?.told ?? null,
    compares: COMPARISON.test(text),
  };
}

function readTerms(text: string): Map<string, number> {
  // "How fast" is answered by a time that need not be called fast.
  const measures = new Set(
    [...text.matchAll(/\bhow (\w{1,12})\b/gi)].flatMap(([, word = ""]) => foldedTermsOf(word)),
  );
  const terms = foldedTermsOf(text.replace(CONTRACTION, " ")).slice(-QUESTION_TERMS);
  return new Map(
    terms.map((term) => [term, GENERIC.has(term) || measures.has(term) ? GENERIC_COUNTS : 1]),
  );
}

function namesOf(text: string): Set<string> {
  const words = (text.match(SENTENCE) ?? []).flatMap((sentence) =>
    sentence.trim().split(/\s+/).slice(1),
  );
  return new Set(words.filter((word) => /^["'(]?[\p{Lu}\p{N}]/u.test(word)).flatMap(foldedTermsOf));
}

interface Conversation {
  corpus: Corpus;
  pointsBack: boolean;
}

function isElliptic(text: string, question: Question, corpus: Corpus): boolean {
  const known = [...question.terms.keys()].filter((term) => isKnown(term, corpus));
  const subject = known.filter(
    (term) => !GENERIC.has(term) && !question.aspects.some(({ stems }) => stems.has(term)),
  );
  const pointsBack = subject.length <= POINTING_SUBJECT && POINTS_BACK.test(text);
  const saysLittle = known.length < 2 && !subject.some((term) => corpus.topics.has(term));
  return saysLittle || subject.length === 0 || pointsBack || GOES_ON.test(text);
}

function isKnown(term: string, corpus: Corpus): boolean {
  return [...formsOf(corpus, term).keys()].some((form) => corpus.spread.has(form));
}

function join(
  question: Question,
  before: Question,
  { corpus, pointsBack }: Conversation,
): Question {
  const isTopic = (term: string): boolean => corpus.topics.has(term) && !GENERIC.has(term);
  // "And aspirin?" asks the same of something else; "And in children?" asks more of the same.
  const turns = !pointsBack && [...question.terms.keys()].some(isTopic);
  const kept = [...before.terms.keys()].filter((term) => !(turns && isTopic(term)));
  return {
    ...question,
    terms: question.terms.size > 0 ? question.terms : before.terms,
    asides: asidesOf(kept, question, BEFORE_COUNTS),
    anchors: new Set(kept.filter(isTopic)),
    aspects: question.aspects.length > 0 ? question.aspects : before.aspects,
  };
}
