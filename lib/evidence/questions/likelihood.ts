import { readPacks } from "@/lib/packs";
import { termsOf } from "@/lib/text/analyzer";
import type { LatinLanguage } from "@/lib/text/languages";

/** Between the title of a document and the headings in it, outermost first. */
export const LABEL_SEPARATOR = " › ";

/** A linear model: an intercept and a weight for each feature. */
export interface Fit<Name extends string = string> {
  intercept: number;
  weights: Readonly<Record<Name, number>>;
}

/** A question as the regressions read it. */
export interface ReadQuestion {
  text: string;
  terms: readonly string[];
  pairs: ReadonlySet<string>;
  /** Whether it asks for a number, such as a dose, a time or a share. */
  asksNumber: boolean;
  asksReason: boolean;
  isDenied: boolean;
  /** Its numbers, which an answer about another age, dose or year lacks. */
  numbers: readonly string[];
  /** Whether "yes" or "no" would answer it. */
  isClosed: boolean;
  /** Whether it asks what something is. */
  isDefinition: boolean;
  /** Whether somebody tells what happened, instead of naming a subject. */
  isStory: boolean;
}

/** What stands above a sentence. */
export interface ReadLabel {
  title: ReadonlySet<string>;
  /** What it is called in the title, such as "Influenza" and "flu". */
  names: readonly (readonly string[])[];
  /** Without the terms of the title. */
  headings: ReadonlySet<string>;
  /** Of the innermost heading, such as "Causes" and "risk factors"; none above a document's opening. */
  parts: readonly (readonly string[])[];
  numbers: readonly string[];
}

export interface ReadSentence {
  text: string;
  label: ReadLabel;
  sequence: readonly string[];
  own: ReadonlySet<string>;
}

/** How much a term says. */
export type Weigh = (term: string) => number;

/** Bounds on the work for each sentence. */
const QUESTION_CHARACTERS = 1000;
const QUESTION_TERMS = 60;
const LABEL_CHARACTERS = 600;
const PACK = readPacks("questions");
const ASKS_NUMBER = new RegExp(
  String.raw`\bhow (?:many|much|long|often|old|soon|common|likely|far|high|low|big|tall|late|early)\b|\bwhat (?:age|percent\w*|proportion|share|temperature|${PACK.measured.join("|")})\b|\bmaximum|\bminimum|\bhighest|\blowest|\bchances?\b`,
  "i",
);
const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|half|third|quarter|once|twice|daily|weekly|yearly|most|few|rare\w*|common)\b/i;
const DIGITS = /\d+(?:[.,]\d+)*/g;
const DENIAL =
  /\b(?:not|never|no|none|(?<!with or )without|cannot|rarely|only|neither|nor)\b|n['’]t\b|\bnon-/i;
const CLOSED =
  /^\W*(?:is|are|am|was|were|can|could|do|does|did|will|would|should|may|has|have|must)\b|, (?:is|are|can|could|do|does|did|will|should|has|have) (?:it|that|this|i|they|there|my|we)\b/i;
const DEFINITION =
  /^\W*(?:what(?:['’]?s|s| is| are| was| were)|who (?:is|was)|define|explain)\s+(?:an? |the )?[^?.!]{1,60}\W*$/i;
const DEFINES =
  /^(?:\S+\s+){1,12}?(?:is|are|means?|refers? to|describes?)\s+(?:an?|the|when|any|one)\b/i;
const ASKS_REASON = /\bwhy\b|\bhow come\b|\bwhat (?:is|was|are) the reasons?\b/i;
const REASON =
  /\b(?:because|since|due to|caus\w*|reasons?|so that|to (?:avoid|prevent|help|reduce|make|keep|protect)|leads?|results?|therefore|thus|as|by|if|when|from)\b/i;
const TELLS = /\b(?:i|my|me|we|our|he|she|his|her)\b/i;
const STORY_TERMS = 6;
/** Stands for something that an earlier sentence names. */
const POINTING =
  /^(?:this|these|those|such|it|they|he|she|its|their|but|however|also|another|others?|and|or|for example)\b/i;
const ALIAS = /[()]/;
const CONJUNCTION = /,|\/|&| (?:and|or|und|oder|et|ou|y|o|e|en) /i;
/** What stands over the same kind of text. */
const SAME_HEADINGS = PACK.headings.map((names) => new Set(termsOf(names)));
const MIN_STEM = 5;
const ENDING = /^(?:ment|i|ic|al|ion|ation|er|or|ing|y|ous|ity|ive|ance|ence|able)$/;
const NOTHING: ReadonlySet<string> = new Set();
/** Begins like a sentence and ends like one. */
const WHOLE = /^["“'(*_]*[\p{Lu}\d][\s\S]*[.!)"”*_]$/u;

export function readQuestion(written: string, language: LatinLanguage = "en"): ReadQuestion {
  const text = written.slice(-QUESTION_CHARACTERS);
  const sequence = termsOf(text, language).slice(0, QUESTION_TERMS);
  const terms = [...new Set(sequence)];
  return {
    text,
    terms,
    pairs: new Set(pairsOf(sequence)),
    asksNumber: ASKS_NUMBER.test(text),
    asksReason: ASKS_REASON.test(text),
    isDenied: DENIAL.test(text),
    numbers: text.match(DIGITS) ?? [],
    isClosed: CLOSED.test(text),
    isDefinition: DEFINITION.test(text),
    isStory: TELLS.test(text) && terms.length >= STORY_TERMS,
  };
}

/** `label`: the document's title and the headings in it, as `LABEL_SEPARATOR` joins them. */
export function readLabel(label: string, language: LatinLanguage = "en"): ReadLabel {
  const [title = "", ...headings] = label.slice(0, LABEL_CHARACTERS).split(LABEL_SEPARATOR);
  const named = new Set(termsOf(title, language));
  const besides = termsOf(headings.join(" "), language).filter((term) => !named.has(term));
  return {
    title: named,
    names: partsOf(title, ALIAS, language),
    headings: new Set(besides),
    parts: partsOf(headings.at(-1) ?? "", CONJUNCTION, language),
    numbers: label.match(DIGITS) ?? [],
  };
}

function partsOf(text: string, between: RegExp, language: LatinLanguage): string[][] {
  return text
    .split(between)
    .map((part) => termsOf(part, language))
    .filter((part) => part.length > 0);
}

export function readSentence(
  text: string,
  label: ReadLabel,
  language: LatinLanguage = "en",
): ReadSentence {
  const sequence = termsOf(text, language);
  return { text, label, sequence, own: new Set(sequence) };
}

/** How well a sentence fits a question, each from 0 to 1 except logarithms. Shares are of the weight of the terms. */
export function featuresOf(question: ReadQuestion, sentence: ReadSentence, weigh: Weigh) {
  const { terms } = question;
  const { sequence, own, label } = sentence;
  const { title, headings } = label;
  const all = sum(terms, weigh) || 1;
  const share = (isIn: (term: string) => boolean) => sum(terms.filter(isIn), weigh) / all;
  const missing = terms.filter((term) => !own.has(term) && !title.has(term) && !headings.has(term));
  const missingMost = Math.max(0, ...missing.map(weigh)) / all;
  const pairs = pairsOf(sequence).filter((pair) => question.pairs.has(pair));
  return {
    own: share((term) => own.has(term)),
    any: 1 - share((term) => missing.includes(term)),
    title: share((term) => title.has(term)),
    headings: share((term) => headings.has(term)),
    rest_own: share((term) => own.has(term) && !title.has(term)),
    title_asked: shareAsked(title, terms, weigh),
    headings_asked: shareAsked(headings, terms, weigh),
    on_question: shareAsked(own, terms, weigh),
    missing_most: missingMost,
    missing_terms: missing.length / Math.max(1, terms.length),
    whole: Number(missing.length === 0),
    pairs: pairs.length / Math.max(1, question.pairs.size),
    closed_missing: Number(question.isClosed) * missingMost,
    story: Number(question.isStory),
    direct_missing: Number(!question.isStory) * missingMost,
    question_terms: Math.log(1 + terms.length),
    sentence_terms: Math.log(1 + sequence.length),
    ...headingFeatures(question, sentence, weigh),
    ...formFeatures(question, sentence),
  };
}

function headingFeatures(
  { terms, isDefinition }: ReadQuestion,
  { text, label: { title, headings } }: ReadSentence,
  weigh: Weigh,
) {
  const besides = terms.filter((term) => !title.has(term));
  const headed = besides.filter((term) =>
    headings.values().some((heading) => isFormOf(heading, term)),
  );
  const opening = isDefinition ? openingOf(text) : NOTHING;
  return {
    headed: sum(headed, weigh) / (sum(besides, weigh) || 1),
    not_headed: Number(headings.size > 0 && besides.length > 0 && headed.length === 0),
    defines: isNamed(terms, opening) ? 1 / opening.size : 0,
    definition: Number(opening.size > 0),
    no_definition: Number(isDefinition && opening.size === 0),
    definition_aside: Number(isDefinition && headings.size > 0),
  };
}

function formFeatures(question: ReadQuestion, { text, label }: ReadSentence) {
  const has = { number: NUMBER.test(text), denial: DENIAL.test(text) };
  const said = new Set([...label.numbers, ...(text.match(DIGITS) ?? [])]);
  return {
    number: Number(question.asksNumber && has.number),
    number_missing: Number(question.asksNumber && !has.number),
    numbers_missing: question.numbers.filter((each) => !said.has(each)).length,
    reason_missing: Number(question.asksReason && !REASON.test(text)),
    both_deny: Number(question.isDenied && has.denial),
    only_question_denies: Number(question.isDenied && !has.denial),
    only_sentence_denies: Number(!question.isDenied && has.denial),
    points_back: Number(POINTING.test(text)),
    fragment: Number(!WHOLE.test(text)),
  };
}

/** How much of what some words say is asked about. */
function shareAsked(words: ReadonlySet<string>, terms: readonly string[], weigh: Weigh): number {
  const asked = terms.filter((term) => words.has(term));
  return sum(asked, weigh) / (sum([...words], weigh) || 1);
}

/** Whether a sentence begins by saying what the question asks about: "Gout is a …". */
export function defines({ isDefinition, terms }: ReadQuestion, { text }: ReadSentence): boolean {
  return isDefinition && isNamed(terms, openingOf(text));
}

/** The terms of what a sentence defines; none for another sentence. */
function openingOf(text: string): ReadonlySet<string> {
  return new Set(termsOf(DEFINES.exec(text)?.[0] ?? ""));
}

function isNamed(terms: readonly string[], opening: ReadonlySet<string>): boolean {
  return terms.length > 0 && terms.every((term) => opening.has(term));
}

/** Whether a question asks for all that stands under a label: "How is gout treated?" under "Gout › Treatment". */
export function asksForSection(
  question: ReadQuestion,
  { title, names, parts }: ReadLabel,
): boolean {
  const { terms } = question;
  const isAsked = (name: string) => terms.some((term) => isFormOf(term, name));
  const besides = terms.filter((term) => !title.has(term));
  const isPart = (part: readonly string[]) =>
    part.every((name) => title.has(name) || isAsked(name)) &&
    besides.every((term) => part.some((name) => isFormOf(term, name)));
  const isOpen = !(
    question.isClosed ||
    question.asksNumber ||
    question.isDenied ||
    question.asksReason
  );
  return (
    isOpen &&
    names.some((name) => name.every(isAsked)) &&
    (besides.length === 0 ? question.isDefinition && parts.length === 0 : parts.some(isPart))
  );
}

/** What a logistic regression estimates, from 0 to 1. */
export function probabilityOf<Name extends string>(
  features: Record<Name, number>,
  fit: Fit<Name>,
): number {
  return 1 / (1 + Math.exp(-sumOf(features, fit)));
}

export function sumOf<Name extends string>(
  features: Record<Name, number>,
  { intercept, weights }: Fit<Name>,
): number {
  const names = Object.keys(features) as Name[];
  return names.reduce((total, name) => total + weights[name] * features[name], intercept);
}

/** Whether one term is the other with an ending, such as "treat" and "treatment", or headings use them for the same. */
function isFormOf(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (
    short === long ||
    SAME_HEADINGS.some((names) => names.has(one) && names.has(other)) ||
    (short.length >= MIN_STEM && long.startsWith(short) && ENDING.test(long.slice(short.length)))
  );
}

function sum(terms: readonly string[], weigh: Weigh): number {
  return terms.reduce((total, term) => total + weigh(term), 0);
}

function pairsOf(sequence: readonly string[]): string[] {
  return sequence.slice(1).map((term, at) => `${sequence[at]} ${term}`);
}
