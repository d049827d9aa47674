import { type ChatMessage, textOf } from "@/lib/models/schema";
import aspects from "./aspects.json" with { type: "json" };
import { type Corpus, foldedTermsOf, formsOf } from "./corpus";
import genericWords from "./generic-words.json" with { type: "json" };
import measures from "./measures.json" with { type: "json" };

/** Words that phrase a question and that an answer need not repeat. */
const GENERIC = new Set(foldedTermsOf(genericWords.join(" ")));

/** Dots inside a word, as in decimals and abbreviations, don't end a sentence. */
const SENTENCE = /[^.?!\n]+(?:[.?!](?=\S)[^.?!\n]+)*[.?!]*/g;
const DEFINITION =
  /^\W*(?:(?:and|so|please|can you|could you)\s+)*(?:what(?:'s|’s| is| are| was| does .* (?:mean|stand for))|who (?:is|are)|define|explain|describe|tell me about|definition|meaning)\b/i;
/** Distinguishes a question from a bare label like "asthma symptoms". */
const QUESTION_VERB = /\b(?:is|are|do|does|did|can|could|should|will|may|has|have)\b|\?/i;
/** Questions for a quantity, and the pattern of a sentence that gives one. The first match applies. */
const MEASURES = measures.map(({ question, answer }) => ({
  question: new RegExp(question, "i"),
  answer: new RegExp(answer, "i"),
}));
const COMPARISON = /\b(?:differ\w*|compar\w*|versus|vs|distinguish\w*|which\b.*\bor)\b/i;
/** Contractions that would be read as content words: "can't", "whats". */
const CONTRACTION =
  /\b\w{1,9}n['’]t\b|['’](?:ll|re|ve|d|m)\b|\b(?:what|how|where|who|when)s\b|\b(?:do|ca|wo|is|does)nt\b/gi;
const BACK_REFERENCE =
  /\b(?:it|its|they|them|their|these|those|he|she|him|her|his)\b|\b(?:this|that)\W*$/i;
const FOLLOW_UP =
  /^\W*(?:(?:and|but|or|also|what about|how about)\b|(?:why|how so|really|since when)\W*$)/i;

/** What a question can ask about its subject. An answer may lack a loose one: its words also occur in other questions. */
const ASPECTS = aspects.map(({ name, isLoose, words, question, heading }) => ({
  name,
  isLoose,
  inQuestion: new RegExp(question, "i"),
  inHeading: new RegExp(heading, "i"),
  stems: new Set(foldedTermsOf(words)),
}));

/** A parsed question: its weighted terms and the kind of answer it needs. */
export interface Question {
  terms: Map<string, number>;
  /** Terms outside the actual question. They influence ranking, but an answer may lack them. */
  asides: Map<string, number>;
  pairs: string[];
  /** Terms written as names: "Lyme", "SARS-CoV-2". */
  names: Set<string>;
  /** The previous question's subject, if this one has none. */
  anchors: Set<string>;
  aspects: typeof ASPECTS;
  isDefinition: boolean;
  /** Matches an answer to a question for a quantity. */
  measure: RegExp | null;
  isComparison: boolean;
}

/** Bounds the work when a message includes a whole document. */
const QUESTION_CHARACTERS = 4000;
const QUESTION_TERMS = 80;
const GENERIC_COUNTS = 0.35;
const ASIDE_COUNTS = 0.3;
/** Maximum total weight of asides, as a share of the question. */
const ASIDE_SHARE = 0.75;
const BEFORE_COUNTS = 0.5;
/** With more subject terms than this, "it" probably refers to something within the question. */
const POINTING_SUBJECT = 2;
const LABEL_TERMS = 3;

/**
 * Parses the last user message into its questions and asides. If the questions have no subject of their own
 * ("And in children?"), it comes from the asides or, without any, from the previous user message.
 */
export function readQuestion(messages: readonly ChatMessage[], corpus: Corpus): Question {
  const said = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
  const { core, aside } = splitAside((said.at(-1) ?? "").slice(-QUESTION_CHARACTERS));
  const question = readText(core);
  const context = readText(aside || (said.at(-2) ?? "").slice(-QUESTION_CHARACTERS));
  if (context.terms.size > 0 && isElliptic(core, question, corpus)) {
    return join(question, context, { corpus, hasBackReference: BACK_REFERENCE.test(core) });
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

/** Asides never outweigh the question. */
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
    aspects: ASPECTS.filter(({ inQuestion }) => inQuestion.test(text)),
    isDefinition: DEFINITION.test(text) || (terms.size <= LABEL_TERMS && !QUESTION_VERB.test(text)),
    measure: MEASURES.find(({ question }) => question.test(text))?.answer ?? null,
    isComparison: COMPARISON.test(text),
  };
}

function readTerms(text: string): Map<string, number> {
  // "How fast" is answered by a duration, which needn't contain the word "fast".
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

function isElliptic(text: string, question: Question, corpus: Corpus): boolean {
  const known = [...question.terms.keys()].filter((term) =>
    [...formsOf(corpus, term).keys()].some((form) => corpus.documentFrequency.has(form)),
  );
  const subject = known.filter(
    (term) => !GENERIC.has(term) && !question.aspects.some(({ stems }) => stems.has(term)),
  );
  const hasBackReference = subject.length <= POINTING_SUBJECT && BACK_REFERENCE.test(text);
  const saysLittle = known.length < 2 && !subject.some((term) => corpus.topics.has(term));
  return saysLittle || subject.length === 0 || hasBackReference || FOLLOW_UP.test(text);
}

function join(
  question: Question,
  before: Question,
  { corpus, hasBackReference }: { corpus: Corpus; hasBackReference: boolean },
): Question {
  const isTopic = (term: string): boolean => corpus.topics.has(term) && !GENERIC.has(term);
  // "And aspirin?" asks the same about something else; "And in children?" asks more about the same.
  const turns = !hasBackReference && [...question.terms.keys()].some(isTopic);
  const kept = [...before.terms.keys()].filter((term) => !(turns && isTopic(term)));
  return {
    ...question,
    terms: question.terms.size > 0 ? question.terms : before.terms,
    asides: asidesOf(kept, question, BEFORE_COUNTS),
    anchors: new Set(kept.filter(isTopic)),
    aspects: question.aspects.length > 0 ? question.aspects : before.aspects,
  };
}
