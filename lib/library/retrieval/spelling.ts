import { readPacks } from "@/lib/packs";
import { termId, termOfWord, wordsOf } from "@/lib/text/analyzer";
import { isCommonWord } from "@/lib/text/common-words";
import { foldedWords } from "@/lib/text/fold";
import { isStopWord, LATIN_LANGUAGES, languageOfWords } from "@/lib/text/languages";
import { editsBetween, isSpellable, maxEdits } from "@/lib/text/spelling";
import prefixes from "./distinct-words.json" with { type: "json" };
import questionWords from "./question-words.json" with { type: "json" };

/** A word of a query, as it was written and as it was understood. */
export interface Correction {
  from: string;
  to: string;
  /** Whether both were searched: a drug and its class. */
  isBesides?: true;
}

/** A word of a query that no collection has. */
export interface UnknownWord {
  /** As the caller wrote it. */
  written: string;
  /** Lower case, without accents. */
  word: string;
  term: number;
}

export interface Suggestion {
  word: string;
  term: number;
  edits: number;
}

const { endings: ENDINGS } = readPacks("names");
/** Bounds the work of a lookup. A longer text is found by its other words. */
const MAX_CORRECTED = 16;
const MAX_READ = 256;
/** About how many suggestions are counted in all. Up to 32 terms are counted with their tiers. */
const MAX_COUNTED = 32;
/** A short word with another first letter is another word. */
const SHORT_WORD = 5;
/** How much more frequent a suggestion must be for each further edit: a hundred times. */
const EDIT_PENALTY = Math.log(100);

export const QUOTED = /"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/gu;
const LETTERS = /[\p{L}\p{M}\p{Cf}]+(?:['’][\p{L}\p{M}\p{Cf}]+)*/gu;
/** As LETTERS, with the digits of names such as "A1C". */
const WORD = /[\p{L}\p{M}\p{N}\p{Cf}]+(?:['’][\p{L}\p{M}\p{N}\p{Cf}]+)*/gu;
/** Codes, addresses and paths. */
const IDENTIFIER = /[\p{N}_@\\]|\p{L}[.:]\p{L}|:\/\//u;
const MIXED_CASE = /^.+\p{Lu}/u;

/**
 * The query's words of unknown terms that may be misspelled: not in quotes, no identifiers such as GATA3, not common
 * words or names.
 */
export function misspelledWords(query: string, unknown: ReadonlySet<number>): UnknownWord[] {
  return unknownWordsIn(query, unknown)
    .filter(({ word }) => !isOrdinary(word))
    .take(MAX_CORRECTED)
    .toArray();
}

/**
 * Misspelled "should" and "without" in an English query, with what they should be. No vocabulary has them, because
 * stop words aren't indexed, but they change what a question asks.
 */
export function misspelledQuestionWords(
  query: string,
  unknown: ReadonlySet<number>,
): { from: UnknownWord; to: string }[] {
  const isEnglish = (languageOfWords(foldedWords(query).slice(0, MAX_READ)) ?? "en") === "en";
  const found = isEnglish ? unknownWordsIn(query, unknown) : Iterator.from<UnknownWord>([]);
  return found
    .flatMap((from) => {
      const to = questionWordFor(from.word);
      return to === null ? [] : [{ from, to }];
    })
    .take(MAX_CORRECTED)
    .toArray();
}

/** The longest one that is one edit away: letters are more often left out than added. */
function questionWordFor(word: string): string | null {
  const isWord =
    isCommonWord(word) || LATIN_LANGUAGES.some((language) => isStopWord(word, language));
  const similar = isWord
    ? []
    : questionWords.filter(
        (other) =>
          Math.abs(other.length - word.length) < 2 &&
          other[0] === word[0] &&
          editsBetween(word, other) === 1,
      );
  return similar.sort((one, other) => other.length - one.length)[0] ?? null;
}

/** Each word of an unknown term once, in the order of the query. */
function* unknownWordsIn(query: string, unknown: ReadonlySet<number>): Generator<UnknownWord> {
  const found = new Set<string>();
  const isShouted = !/\p{Ll}/u.test(query);
  const runs = query.replace(QUOTED, " ").match(/\S+/gu) ?? [];
  const written = runs
    .slice(0, MAX_READ)
    .filter((run) => !IDENTIFIER.test(run))
    .flatMap((run) => run.match(LETTERS) ?? [])
    .filter((letters) => !MIXED_CASE.test(letters) || (isShouted && letters.length > SHORT_WORD));
  for (const letters of written) {
    const [{ word, term } = { word: "", term: "" }, ...more] = wordsOf(letters);
    const isAlone = more.length === 0 && isSpellable(word) && unknown.has(termId(term));
    if (isAlone && !found.has(word)) {
      found.add(word);
      yield { written: letters, word, term: termId(term) };
    }
  }
}

/** A common word or a name, or a stop word with two letters swapped, which no passage is found by. */
function isOrdinary(word: string): boolean {
  const swapped = Array.from(
    word.slice(1),
    (letter, at) => word.slice(0, at) + letter + word[at] + word.slice(at + 2),
  );
  return isCommonWord(word) || swapped.some((each) => termOfWord(each) === null);
}

/** The most similar words of the vocabulary, few enough to count, for each unknown word that has some. */
export function suggest(
  unknown: readonly UnknownWord[],
  vocabulary: readonly { word: string; term: number }[],
  most: number,
): Map<UnknownWord, Suggestion[]> {
  const counted = Math.floor(MAX_COUNTED / Math.max(1, unknown.length));
  const suggestions = unknown.map((each) => {
    const similar = vocabulary
      .map(({ word, term }) => ({ word, term, edits: plausibleEdits(each.word, word, most) }))
      .filter(({ edits }) => edits <= most)
      .sort(
        (a, b) =>
          a.edits - b.edits || commonStart(b.word, each.word) - commonStart(a.word, each.word),
      );
    return [each, similar.slice(0, counted)] as const;
  });
  return new Map(suggestions.filter(([, similar]) => similar.length > 0));
}

/** The best suggestion by edits and by how many chunks have its term. */
export function choose(
  suggestions: readonly Suggestion[],
  countOf: (term: number) => number,
): Suggestion | null {
  const scored = suggestions
    .map((each) => ({ ...each, score: Math.log(countOf(each.term)) - EDIT_PENALTY * each.edits }))
    .filter(({ score }) => Number.isFinite(score));
  return scored.sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))[0] ?? null;
}

/** A query with its misspelled words, and names that have better known ones, replaced. */
export function withCorrections(query: string, all: readonly Correction[]): string {
  const corrections = all.filter(({ isBesides }) => !isBesides);
  const isPhrase = ({ from }: Correction): boolean => /[\s-]/.test(from);
  const phrased = corrections
    .filter(isPhrase)
    .reduce((text, { from, to }) => text.replaceAll(from, () => to), query);
  const words = new Map(corrections.map(({ from, to }) => [from, to]));
  return words.size === 0
    ? query
    : phrased.replace(WORD, (written) => words.get(written) ?? written);
}

/** Infinite for words that look alike but mean different things. */
function plausibleEdits(from: string, to: string, most: number): number {
  const limit = Math.min(most, maxEdits(from));
  if (
    Math.abs(from.length - to.length) > limit ||
    (from.length <= SHORT_WORD && from[0] !== to[0])
  ) {
    return Number.POSITIVE_INFINITY;
  }
  const edits = editsBetween(from, to);
  return edits > limit || areDistinct(from, to, edits) ? Number.POSITIVE_INFINITY : edits;
}

function areDistinct(from: string, to: string, edits: number): boolean {
  const isPair = ([one = "", other = ""]: string[]) =>
    (from.startsWith(one) && to.startsWith(other)) ||
    (from.startsWith(other) && to.startsWith(one));
  const haveEnding = (ending: string) => from.endsWith(ending) && to.endsWith(ending);
  // Two edits in front of such an ending lead to another name.
  const areNames = edits > 1 && ENDINGS.some(haveEnding);
  return areNames || (edits > 1 && from[0] !== to[0]) || prefixes.some(isPair);
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length += 1;
  }
  return length;
}
