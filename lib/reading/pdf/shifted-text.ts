import type { Word } from "./geometry";

/** How often each letter from a to z occurs in English, per thousand; other languages of the script are close enough. */
const FREQUENCIES = [
  82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20,
  1,
];
const FIRST = 33;
const LAST = 126;
const LOWER_A = 97;
const UPPER_A = 65;
/** Fewer characters prove nothing. */
const LEAST_CHARACTERS = 150;
/** The agreement with the frequencies, from 0 to 1, of a language, and the most of what can't be one. */
const LANGUAGE = 0.9;
const NO_LANGUAGE = 0.6;
/** The share of the characters that are letters. The others may be a moved space. */
const LETTERS = 0.6;

/**
 * Whether a page's characters are those of a text moved along the alphabet, as in "Wklv whaw": its font numbers them
 * otherwise than it says, and only its glyphs show what they mean.
 */
export function isShifted(words: readonly Word[]): boolean {
  const counts = new Array<number>(LAST + 1).fill(0);
  for (const { text } of words) {
    for (let at = 0; at < text.length; at += 1) {
      const code = Math.min(text.charCodeAt(at), LAST + 1);
      counts[code] = (counts[code] ?? 0) + 1;
    }
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  const lower = lettersFrom(counts, LOWER_A);
  const upper = lettersFrom(counts, UPPER_A);
  const letters = lower.map((count, at) => count + (upper[at] ?? 0));
  if (total < LEAST_CHARACTERS || agreement(letters) > NO_LANGUAGE) {
    return false;
  }
  return counts.some((_, start) => {
    const moved = lettersFrom(counts, start);
    const sum = moved.reduce((all, count) => all + count, 0);
    return start >= FIRST && sum > total * LETTERS && agreement(moved) > LANGUAGE;
  });
}

function lettersFrom(counts: readonly number[], start: number): number[] {
  return FREQUENCIES.map((_, at) => (start + at <= LAST ? (counts[start + at] ?? 0) : 0));
}

/** The cosine of the letters' counts and their frequencies. */
function agreement(letters: readonly number[]): number {
  const product = FREQUENCIES.reduce((sum, each, at) => sum + each * (letters[at] ?? 0), 0);
  return product / (Math.hypot(...letters) * Math.hypot(...FREQUENCIES) || 1);
}
