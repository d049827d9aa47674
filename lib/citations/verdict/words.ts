import { termsOf } from "@/lib/text/analyzer";
import directionTable from "./directions.json" with { type: "json" };
import wordForms from "./word-forms.json" with { type: "json" };
import wordWeights from "./word-weights.json" with { type: "json" };

/** Words with an opposite, each with the axis it is on: "increase" and "fall" are + and − of one. */
export interface Direction {
  axis: string;
  sign: 1 | -1;
}

/** What is known of a word wherever it stands. */
export interface Word {
  /** The stem, or null for a word that tells nothing by itself. */
  stem: string | null;
  /** The stem without its derivation: "inhibitor" and "inhibit" share it. */
  root: string;
  weight: number;
  /** Whether the word is its own denial: "ineffective" is "effective" denied. */
  isNegated: boolean;
  direction: Direction | null;
}

/** A content word of a sentence. */
export interface ContentTerm {
  word: Word;
  stem: string;
  /** What it can be matched by, the kind of match first: "=stem", "~root", "#concept", "@short form", "^axis1". */
  keys: readonly string[];
  /** Where it goes of two opposite ways; null within a phrase, as "high" in "high blood pressure". */
  direction: Direction | null;
  /** Its token in the sentence. */
  token: number;
  /** Whether an odd number of denials bear on it. */
  isNegated: boolean;
}

/** Words that deny another one, which no prefix rule tells apart from "international" and "unit". */
const NEGATED_WORDS = new Map(Object.entries(wordForms.denials));
const NON = /^non([a-z]{4,})$/;
const NOT_NEGATED = new Set("nonetheless nonsense".split(" "));

/** Forms that no stemmer brings together. */
const IRREGULAR_FORMS = new Map(Object.entries(wordForms.irregular));
const directions = new Map(
  directionTable.flatMap(({ axis, positive, negative }) => [
    ...positive.flatMap((word) => directionEntries(word, { axis, sign: 1 })),
    ...negative.flatMap((word) => directionEntries(word, { axis, sign: -1 })),
  ]),
);
const words = new Map<string, Word>();
const CACHE_SIZE = 50_000;

/** Looks a word up as it is written: capitals tell names from common words. */
export function wordOf(text: string): Word {
  const known = words.get(text);
  if (known) {
    return known;
  }
  if (text.length > MAX_WORD_LENGTH) {
    return unread(text);
  }
  if (words.size >= CACHE_SIZE) {
    words.clear();
  }
  const word = read(text);
  words.set(text, word);
  return word;
}

/** No word is longer: a longer run of letters is taken as it is. */
const MAX_WORD_LENGTH = 45;

function unread(text: string): Word {
  const stem = text.toLowerCase();
  return { stem, root: stem, weight: 1, isNegated: false, direction: null };
}

/** The stem of a single word, spelling folded; null for a stop word. */
export function stemOf(text: string): string | null {
  const lower = text.toLowerCase();
  const [term] = termsOf(americanOf(IRREGULAR_FORMS.get(lower) ?? lower));
  return term ?? null;
}

function read(text: string): Word {
  const lower = text.toLowerCase().replace(/'s?$/, "");
  if (lower.endsWith("n't")) {
    return { stem: null, root: "", weight: 0, isNegated: false, direction: null };
  }
  const base = NEGATED_WORDS.get(lower) ?? nonOf(lower);
  const said = base ?? lower;
  const stem = stemOf(said);
  // "Highly" raises nothing, for all that its stem is that of "high".
  const ofStem = stem && !said.endsWith("ly") ? directions.get(`=${stem}`) : null;
  const direction = directions.get(said) ?? ofStem ?? null;
  // "More" and "after" are stop words to a search, but not to a comparison.
  const kept = stem ?? (direction ? said : null);
  return {
    stem: kept,
    root: rootOf(kept ?? ""),
    weight: stem || !direction ? weightOf(text) : STOPPED_WEIGHT,
    isNegated: base !== null && base !== undefined,
    direction,
  };
}

const STOPPED_WEIGHT = 0.2;

function nonOf(lower: string): string | null {
  return NOT_NEGATED.has(lower) ? null : (NON.exec(lower)?.[1] ?? null);
}

function directionEntries(word: string, direction: Direction): [string, Direction][] {
  const stem = stemOf(word);
  return [[word, direction], ...(stem ? [[`=${stem}`, direction] as [string, Direction]] : [])];
}

/** British spellings as American ones. What it makes of other words is never seen. */
function americanOf(word: string): string {
  return word
    .replace(/[ao]e/g, "e")
    .replace(/(?<=[a-z]{2})our(?=$|[a-z]*(?:s|ed|ing|al|ful|able|less)$)/, "or")
    .replace(/([a-z]{4})is(?=e$|e[drs]$|ing$|ations?$)/, "$1iz")
    .replace(/ys(?=e$|e[drs]$|ing$)/, "yz")
    .replace(/([bt])re(?=s?$)/, "$1er")
    .replace(/ll(?=ed$|ing$|er$)/, "l")
    .replace(/sulph/, "sulf")
    .replace(/amme(?=s?$)/, "am")
    .replace(/^ageing$/, "aging");
}

const ENDINGS =
  /(?:ation|ator|itor|tor|ori|or|er|ive|ativ|iv|ical|ial|al|ic|ia|ism|ist|ous|iti|ity|anc|enc|ant|ent|ment|iz|at|y|i|e|a)$/;
const MIN_ROOT = 5;

function rootOf(stem: string): string {
  const root = stem.replace(ENDINGS, "");
  return root.length >= MIN_ROOT ? root : stem;
}

/**
 * How much a word tells, by how common it is in English medical prose: scaffolding that every study has,
 * common words, and the rest. A single passage is too short to count frequencies in.
 */
const STEPS = { scaffold: 0.3, common: 0.65, plain: 1, rare: 1.25 };
const SCAFFOLD_WORDS = new Set(wordWeights.scaffold);
const COMMON_WORDS = new Set(wordWeights.common);
const LONG_WORD = 10;

/** What a content word counts, from 0.3 to 1.25. Adverbs tell little; names, codes and long words most. */
function weightOf(word: string): number {
  const lower = word.toLowerCase();
  if (SCAFFOLD_WORDS.has(lower) || /^[a-z]{4,}ly$/.test(lower)) {
    return STEPS.scaffold;
  }
  if (COMMON_WORDS.has(lower)) {
    return STEPS.common;
  }
  const isName = /\p{L}.*\d|\p{L}.*\p{Lu}/u.test(word);
  return isName || word.length >= LONG_WORD ? STEPS.rare : STEPS.plain;
}
