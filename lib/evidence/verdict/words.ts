import { readPacks } from "@/lib/packs";
import { termOfWord } from "@/lib/text/analyzer";
import { memoized } from "@/lib/text/memoized";
import directionTable from "./directions.json" with { type: "json" };
import wordForms from "./word-forms.json" with { type: "json" };
import wordWeights from "./word-weights.json" with { type: "json" };

/** A direction on an axis of opposites: "increase" and "fall" are + and − of one axis. */
interface Direction {
  axis: string;
  sign: 1 | -1;
}

export interface Word {
  /** Null for a word without meaning of its own. */
  stem: string | null;
  /** The stem without derivational endings: "inhibitor" and "inhibit" share it. */
  root: string;
  weight: number;
  /** Whether the word negates itself: "ineffective" is "effective" negated. */
  isNegated: boolean;
  direction: Direction | null;
}

/** A content word of a sentence. */
export interface ContentTerm {
  word: Word;
  stem: string;
  /** Match keys with their kind first: "=stem", "~root", "#concept", "@abbreviation", "^axis1". */
  keys: readonly string[];
  /** Null within a phrase, like "high" in "high blood pressure". */
  direction: Direction | null;
  /** Token index in the sentence. */
  token: number;
  /** Whether an odd number of negations apply. */
  isNegated: boolean;
}

/** Its direction with its negations: 1, -1, or 0 without one. */
export function directionSign({ direction, isNegated }: ContentTerm): number {
  return (direction?.sign ?? 0) * (isNegated ? -1 : 1);
}

const PACK = readPacks("words");
/** Negated words; a prefix rule would also match "international" and "unit". */
const NEGATED_FORMS = new Map(Object.entries({ ...wordForms.denials, ...PACK.denials }));
const NON = /^non(?!etheless$|sense$)([a-z]{4,})$/;

/** Irregular forms that the stemmer doesn't reduce. */
const IRREGULAR_FORMS = new Map(Object.entries({ ...wordForms.irregular, ...PACK.irregular }));
const directions = new Map(
  [...directionTable, ...PACK.opposites].flatMap(({ axis, positive, negative }) => [
    ...positive.flatMap((word) => directionEntries(word, { axis, sign: 1 })),
    ...negative.flatMap((word) => directionEntries(word, { axis, sign: -1 })),
  ]),
);

/** Longer runs of letters aren't stemmed. */
const MAX_WORD_LENGTH = 45;
const CACHE_SIZE = 50_000;
const readCached = memoized(CACHE_SIZE, read);

/** Case matters: capitals distinguish names from common words. */
export function wordOf(text: string): Word {
  if (text.length <= MAX_WORD_LENGTH) {
    return readCached(text);
  }
  const stem = text.toLowerCase();
  return { stem, root: stem, weight: 1, isNegated: false, direction: null };
}

/** The stem of a word in American spelling; null for a stop word. */
export function stemOf(text: string): string | null {
  const lower = text.toLowerCase();
  return termOfWord(IRREGULAR_FORMS.get(lower) ?? lower);
}

function read(text: string): Word {
  const lower = text.toLowerCase().replace(/'s?$/, "");
  if (lower.endsWith("n't")) {
    return { stem: null, root: "", weight: 0, isNegated: false, direction: null };
  }
  const base = NEGATED_FORMS.get(lower) ?? NON.exec(lower)?.[1];
  const said = base ?? lower;
  const stem = stemOf(said);
  // "Highly" has the stem of "high" but no direction.
  const ofStem = stem && !said.endsWith("ly") ? directions.get(`=${stem}`) : null;
  const direction = directions.get(said) ?? ofStem ?? null;
  // "More" and "after" are stop words in search but matter in comparisons.
  const kept = stem ?? (direction ? said : null);
  return {
    stem: kept,
    root: rootOf(kept ?? ""),
    weight: stem || !direction ? weightOf(text) : STOPPED_WEIGHT,
    isNegated: base !== undefined,
    direction,
  };
}

const STOPPED_WEIGHT = 0.2;

function directionEntries(word: string, direction: Direction): [string, Direction][] {
  const stem = stemOf(word);
  return [word, ...(stem ? [`=${stem}`] : [])].map((key) => [key, direction]);
}

const ENDINGS =
  /(?:ation|ator|itor|tor|ori|or|er|ive|ativ|iv|ical|ial|al|ic|ia|ism|ist|ous|iti|ity|anc|enc|ant|ent|ment|iz|at|y|i|e|a)$/;
const MIN_ROOT = 5;

function rootOf(stem: string): string {
  const root = stem.replace(ENDINGS, "");
  return root.length >= MIN_ROOT ? root : stem;
}

/** Weights by how common a word is in English prose and that of packs; one passage is too short to count in. */
const STEPS = { scaffold: 0.3, common: 0.65, plain: 1, rare: 1.25 };
const SCAFFOLD = new Set([...wordWeights.scaffold, ...PACK.background]);
const FREQUENT_TERMS = new Set([...wordWeights.common, ...PACK.frequent]);
const LONG_WORD = 10;

/** From 0.3 to 1.25. Adverbs count little; names, codes and long words most. */
function weightOf(word: string): number {
  const lower = word.toLowerCase();
  if (SCAFFOLD.has(lower) || /^[a-z]{4,}ly$/.test(lower)) {
    return STEPS.scaffold;
  }
  if (FREQUENT_TERMS.has(lower)) {
    return STEPS.common;
  }
  const isName = /\p{L}.*\d|\p{L}.*\p{Lu}/u.test(word);
  return isName || word.length >= LONG_WORD ? STEPS.rare : STEPS.plain;
}
