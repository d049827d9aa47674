import { termsOf } from "@/lib/text/analyzer";
import { classTermOf } from "@/lib/text/drug-classes";
import type { LatinLanguage } from "@/lib/text/languages";
import genericWords from "./generic-words.json" with { type: "json" };
import { gloss } from "./gloss";
import measures from "./measures.json" with { type: "json" };
import populations from "./populations.json" with { type: "json" };
import qualities from "./qualities.json" with { type: "json" };
import { type Relation, relationsIn } from "./relations";
import { respell } from "./respell";
import { variantsOf, withStopWords } from "./terms";

/** Words that phrase a question and that an answer need not repeat. */
export const GENERIC = new Set(termsOf(genericWords.join(" ")));

/** Dots inside a word, as in decimals and abbreviations, don't end a sentence. */
const SENTENCE = /[^.?!\n]+(?:[.?!](?=\S)[^.?!\n]+)*[.?!]*/g;
const DEFINITION =
  /^\W*(?:(?:and|so|please|can you|could you)\s+)*(?:what(?:'s|’s|s| is| are| was| (?:does|do) .* (?:mean|stand for|do(?=\W*$)))|who (?:is|are)|define|explain|describe|tell me (?:more )?about|definition|meaning)\b/i;
/** Distinguishes a question from a bare label like "asthma symptoms". */
const QUESTION_VERB =
  /\b(?:is|are|i['’]m|am|if|do|does|did|can|could|should|will|may|has|have|how)\b|\?/i;
/** Questions for a quantity, and the pattern of a sentence that gives one. The first match applies. */
const MEASURES = measures.map(({ question, answer }) => ({
  question: new RegExp(question, "i"),
  answer: new RegExp(answer, "i"),
}));
const COMPARISON = /\b(?:differ\w*|compar\w*|versus|vs|distinguish\w*)\b/i;
/** Contractions that would be read as content words: "can't", "whats". */
const CONTRACTION =
  /\b\w{1,9}n['’]t\b|['’](?:ll|re|ve|d|m)\b|\b(?:what|how|where|who|when)s\b|\b(?:do|ca|wo|is|does)nt\b/gi;
const BACK_REFERENCE =
  /\b(?:it|its|they|them|their|these|those|he|she|him|her|his)\b|\b(?:this|that)\W*$/i;
/** What a question excludes: "that does not contain penicillin", "without surgery", "left untreated". */
const EXCLUSION =
  /(?:\b(?:do(?:es)?|is|are|was|were|has|have)(?: not|n['’]t) (?:have|a|an)|(?:\bnot|n['’]t) (?:contain\w*|includ\w*|cause\w*|need\w*|require\w*|involve\w*)|\b(?:contain\w*|includ\w*) no|\bno(?= \S+ contain)|\b(?:without|free of|instead of)|\bleft un(?=treated)|\bif (?:not|un)(?= ?treated)|\bnot(?= treated))\s*([^.,;?!]{1,60})/gi;

/** What the asker already knows: "What causes it besides smoking?" */
const BESIDES =
  /\b(?:other than|besides|apart from|aside from|except(?: for)?)\s+([^.,;?!]{1,60}?)(?=\s+(?:for|to|in|on|with|when|if|during|that|which|who|what|how|can|could|should|do|does|is|are)\b|[.,;?!]|$)/gi;
/** Answered by what each of the two is, unless it asks which one to choose. */
const DIFFERENCE =
  /^(?![\s\S]*\b(?:which|better|safer?|stronger|effective|works?|more|less)\b)[\s\S]*\b(?:differences? between|differ(?:s|ent)? from|vs|versus)\b/i;

const NO_QUALITY = { isConstraint: false, isRelation: false, isPredicate: false };
/** People and qualities that an answer must name if the question does. */
const POPULATIONS = [
  ...populations.map((people) => ({ ...people, ...NO_QUALITY, isPeople: true })),
  ...qualities.map((quality) => ({ ...NO_QUALITY, ...quality, isPeople: false })),
].map(({ name, words, question, answer, isPeople, isConstraint, isRelation, isPredicate }) => ({
  name,
  isPeople,
  /** Whether it says nothing without another word of the question: "before" doesn't, "come back" does. */
  isConstraint,
  /** Whether it asks for a relation of its own: "How do you get gout?" is answered by what names a way to get it. */
  isRelation,
  /** Whether something must be said to be so: "a dangerous arrhythmia" doesn't say that arrhythmias are dangerous. */
  isPredicate,
  inQuestion: new RegExp(question, "i"),
  inAnswer: new RegExp(answer, "i"),
  stems: new Set(termsOf(words)),
}));

/** A parsed question: its subject, what it asks about it, and the weights of its terms. */
export interface Question {
  /** In another language than English, its gloss. */
  text: string;
  terms: Map<string, number>;
  /** Terms outside the actual question. They influence ranking, but an answer may lack them. */
  asides: Map<string, number>;
  pairs: string[];
  /** The pairs whose second term is part of the first: "type 2". */
  labeled: string[];
  /** Terms written as names: "Lyme", "SARS-CoV-2". */
  names: Set<string>;
  /** What a passage must be about: each term with all that match it. */
  subject: ReadonlyMap<string, ReadonlySet<string>>;
  /** The same of what was said beside a question that leaves its subject out: one of these is the subject. */
  context: ReadonlyMap<string, ReadonlySet<string>>;
  relations: readonly Relation[];
  /** Terms that the question excludes. */
  excluded: ReadonlySet<string>;
  /** Terms of what it knows already, and an answer should leave out. */
  besides: ReadonlySet<string>;
  populations: typeof POPULATIONS;
  /** "Which … do not …?": asks for what is denied. */
  isNegated: boolean;
  /** Names in capitals that look like other words without them. */
  acronyms: { term: string; written: RegExp }[];
  isDefinition: boolean;
  /** Nothing but words: "metformin b12". */
  isLabel: boolean;
  /** Matches an answer to a question for a quantity. */
  measure: RegExp | null;
  isComparison: boolean;
}

/** Not "who should not …" and "what should I not do", which ask for advice. */
const NEGATED =
  /\b(?:which|what)\b(?![^?.]{0,40}\b(?:should|must|can|may)\b)[^?.]{0,60}?(?:\b(?:not|never)\b|n['’]t\b)/i;
const ACRONYM = /\b\p{Lu}{2,5}\b/gu;

const LABELED = /^(?:type|stage|grade|level|class|phase|group)$/;
const LABEL = /^(?:\d[a-z]?|[b-hj-z]|labela|ii|iii|iv)$/;

/** Bounds the work when a message includes a whole document. */
const QUESTION_CHARACTERS = 4000;
const QUESTION_TERMS = 80;
const SUBJECT_TERMS = 24;
const GENERIC_COUNTS = 0.35;
const ASIDE_COUNTS = 0.3;
/** Maximum total weight of asides, as a share of the question. */
const ASIDE_SHARE = 0.75;
const ELLIPTIC_COUNTS = 0.5;
/** With more subject terms than this, "it" probably refers to something within the question. */
const POINTING_SUBJECT = 2;
const LABEL_TERMS = 3;

/**
 * Reads a question with what was said beside it: "I take warfarin. What should I avoid?" One in another language is
 * compared with passages that were read as this language, too.
 */
export function readQuestion(text: string, language: LatinLanguage = "en"): Question {
  const asked = respell(text.slice(-QUESTION_CHARACTERS), language);
  const { core, aside } = splitAside(gloss(asked, language));
  const question = readText(core);
  if (!aside) {
    return question;
  }
  const beside = readText(aside);
  const isElliptic =
    question.subject.size === 0 ||
    (question.subject.size <= POINTING_SUBJECT && BACK_REFERENCE.test(core));
  return {
    ...question,
    asides: asidesOf(beside.terms.keys(), question, isElliptic ? ELLIPTIC_COUNTS : ASIDE_COUNTS),
    context: isElliptic ? beside.subject : question.context,
    relations: question.relations.length > 0 ? question.relations : beside.relations,
    populations: [...new Set([...question.populations, ...beside.populations])],
  };
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

/** "type 2", "type 2B", "stage 3", "hepatitis B", "vitamin D": the second word is part of the first. Null for other pairs. */
function labelOf(pair: string): string | null {
  const [first = "", label = ""] = pair.split(" ");
  const isLabeled = LABELED.test(first) || (!GENERIC.has(first) && /^[a-z]{4,}$/.test(first));
  return isLabeled && LABEL.test(label) ? label : null;
}

/** Whether a text has such a pair side by side: in "since I was 3", the number is no part of "since". */
function isAdjacent(pair: string, text: string): boolean {
  const label = labelOf(pair);
  const words = label === null ? [] : text.matchAll(/([\p{L}\d]+)[\s-]+(?=([\p{L}\d]+))/gu);
  return Iterator.from(words).some(
    ([, first = "", second = ""]) =>
      termsOf(second)[0] === label && termsOf(first)[0] === pair.split(" ")[0],
  );
}

/** Words beside the subject that an answer needn't repeat: "asthma attack", "blood test". */
const UNSAID =
  /(?<=\b(?:asthma|migraine|gout|angina|arthritis|lupus|psoriasis|colitis|vertigo|seizure) )(?:attacks?|flares?|flare-ups?|episodes?)\b|\bpassed(?= (?:on|down|from|by)\b)|\bend(?:s|ed|ing)? up\b|\b(?:blood|lab|laboratory)(?= tests?\b)|\bhigh(?:er|est)?(?= risk\b)|(?<=^\W*(?:do|does|can|will)\b[^?]*)(?<!\b(?:i|you|we|to|people|someone|patients) )stop(?= (?:an? |the |my )?[a-z]+\W*$)|(?<=^\W*(?:which|what) (?:\w+ )?)(?:bacteri(?:um|a)|germs?|bugs?|microbes?|virus|organisms?|substances?|chemicals?|pills?)(?= )|\bvirus(?= spreads?\b)/gi;
const OPTIONAL = termsOf(
  "raise rule check shake skip next retest block interfere rescue puff anti two three four five six hit tend account ease crew fit",
);
/** Whose age it is, which the populations read. */
const AGE = /\b\d{1,3}[- ](?:years?|months?|weeks?|days?)[- ]olds?\b/gi;
/** Everyday phrases whose words say something else. */
const PHRASES: readonly [RegExp, string][] = [
  [/\bkicks? in\b/gi, "start to work"],
  [/\baim for\b/gi, "target"],
  [/\bpush(?:es)? (?:up (\w+)|(\w+) up)\b/gi, "raise $1$2"],
  [/\bbrings? (?:down (\w+)|(\w+) down)\b/gi, "lower $1$2"],
  [/\bcold turkey\b/gi, "suddenly"],
  [/\b(covid(?:-19)?|flu|influenza) virus\b/gi, "$1"],
  [/\bhow (long|often|soon|fast|much) dose\b/gi, "how $1 does"],
];
const FAT = /\bmakes? (?:you|me|people|us|one) (?:fat(?:ter)?|gain weight)\b/gi;

function readText(written: string): Question {
  const text = PHRASES.reduce(
    (all, [phrase, meaning]) => all.replace(phrase, meaning),
    written.replace(FAT, "cause weight gain"),
  );
  const telling = withStopWords(text.replace(AGE, " ").replace(BESIDES, " "));
  const terms = readTerms(telling);
  const asked = relationsIn(text);
  const concerned = POPULATIONS.filter(({ inQuestion }) => inQuestion.test(text));
  const excluded = new Set(
    [...text.matchAll(EXCLUSION)].flatMap(([, rest = ""]) => termsOf(rest).slice(0, 3)),
  );
  const besides = [...text.matchAll(BESIDES)].flatMap(([, rest = ""]) => termsOf(rest));
  const isElsewhere = (term: string): boolean =>
    excluded.has(term) || [...asked, ...concerned].some(({ stems }) => stems.has(term));
  const pairs = pairsOf(termsOf(telling));
  const labeled = pairs.filter((pair) => isAdjacent(pair, telling));
  const labels = new Set(labeled.flatMap((pair) => labelOf(pair) ?? []));
  const isLabel = terms.size <= LABEL_TERMS && !QUESTION_VERB.test(text);
  const asks = [...terms].flatMap(([term, counts]) =>
    counts === 1 && !isElsewhere(term) && (!/^\d/.test(term) || labels.has(term)) ? [term] : [],
  );
  const unsaid = new Set([
    ...OPTIONAL,
    ...[...text.matchAll(UNSAID)].flatMap(([word]) => termsOf(word)),
  ]);
  const said = asks.filter((term) => !unsaid.has(term));
  const subject = said.length > 0 ? said : asks;
  return {
    text,
    terms,
    asides: new Map(),
    pairs,
    labeled,
    names: namesOf(text),
    subject: new Map(
      subject.slice(-SUBJECT_TERMS).map((term) => [term, formsOf(term, { terms, asked })]),
    ),
    context: new Map(),
    relations: asked,
    excluded,
    besides: new Set(besides.filter((term) => !GENERIC.has(term))),
    populations: concerned,
    isNegated: NEGATED.test(text) && excluded.size === 0,
    acronyms: acronymsOf(text),
    isDefinition: DEFINITION.test(text) || isLabel || DIFFERENCE.test(text),
    isLabel: isLabel && !DEFINITION.test(text),
    measure: MEASURES.find(({ question }) => question.test(text))?.answer ?? null,
    isComparison: COMPARISON.test(text),
  };
}

/** A drug's class stands for the drug, except in questions about doses or about the class itself. */
function formsOf(
  term: string,
  { terms, asked }: { terms: ReadonlyMap<string, number>; asked: readonly Relation[] },
): ReadonlySet<string> {
  const forms = new Set(variantsOf(term).keys());
  const drugClass = classTermOf(term);
  const isOther = drugClass !== null && terms.has(drugClass);
  if (drugClass !== null && (isOther || asked.some(({ name }) => name === "dose"))) {
    forms.delete(drugClass);
  }
  return forms;
}

/** Those that a stemmer takes for a plural, or that are words: ALS, AIDS. */
function acronymsOf(text: string): { term: string; written: RegExp }[] {
  const isShouted = !/\p{Ll}/u.test(text);
  const found = isShouted ? [] : [...new Set(text.match(ACRONYM) ?? [])];
  return found.flatMap((name) => {
    const [term = ""] = termsOf(name);
    return term !== "" && term !== name.toLowerCase()
      ? [{ term, written: new RegExp(`\\b${name}\\b`) }]
      : [];
  });
}

function readTerms(text: string): Map<string, number> {
  // "How fast" is answered by a duration, which needn't contain the word "fast".
  const measured = new Set(
    [...text.matchAll(/\bhow (\w{1,12})\b/gi)].flatMap(([, word = ""]) => termsOf(word)),
  );
  const terms = termsOf(text.replace(CONTRACTION, " ")).slice(-QUESTION_TERMS);
  return new Map(
    terms.map((term) => [term, GENERIC.has(term) || measured.has(term) ? GENERIC_COUNTS : 1]),
  );
}

function namesOf(text: string): Set<string> {
  const words = (text.match(SENTENCE) ?? []).flatMap((sentence) =>
    sentence.trim().split(/\s+/).slice(1),
  );
  const names = words.filter((word) => /^["'(]?[\p{Lu}\p{N}]/u.test(word));
  return new Set(names.flatMap((name) => termsOf(name)));
}
