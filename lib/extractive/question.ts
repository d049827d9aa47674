import { type ChatMessage, textOf } from "@/lib/models/schema";
import { ASPECTS, type Aspect } from "./aspects";
import { type Corpus, formsOf } from "./corpus";
import {
  COMPARISON,
  CONTRACTION,
  DEFINITION,
  GENERIC,
  GOES_ON,
  MEASURES,
  POINTS_BACK,
  SENTENCE,
  VERB,
} from "./phrasing";
import { foldedTermsOf } from "./terms";

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
