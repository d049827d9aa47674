import type { Quote } from "@/lib/evidence/verdict/quotes";

/** Shorter quotes, not counting blanks, match in too many places. */
const MIN_LENGTH = 12;
const MAX_QUOTE_LENGTH = 1200;
const MAX_PLACES = 16;

/**
 * Locates a model's quote in a passage, whatever its blanks, emphasis, case, quotation marks, dashes and brackets.
 * The result is the passage's own text. Of a quote with an ellipsis, the longest part counts.
 */
export function locateModelQuote(words: string, passage: string): Quote | null {
  const { text, places } = fold(passage);
  const parts = words
    .slice(0, MAX_QUOTE_LENGTH)
    .split(/…|\.{3}/)
    .map((part) => fold(part).text.replace(/^["'(]+|["']+$/g, ""))
    .toSorted((one, other) => other.length - one.length);
  for (const part of parts) {
    const at = part.length < MIN_LENGTH ? -1 : findWords(part, text, { passage, places });
    const start = places[at];
    const last = places[at + part.length - 1];
    if (start !== undefined && last !== undefined) {
      const end = last + String.fromCodePoint(passage.codePointAt(last) ?? 0).length;
      return { text: passage.slice(start, end), start, end };
    }
  }
  return null;
}

const LEFT_OUT = /[\s*_`\p{Default_Ignorable_Code_Point}]/u;
const ALIKE: [RegExp, string][] = [
  [/[“”„«»″]/, '"'],
  [/[‘’‚′]/, "'"],
  [/[‐‑‒–—−]/, "-"],
  [/[[{［【〔〖⟦（]/, "("],
  [/[\]}］】〕〗⟧）]/, ")"],
];

function fold(given: string): { text: string; places: number[] } {
  let text = "";
  const places: number[] = [];
  let at = 0;
  for (const character of given) {
    if (!LEFT_OUT.test(character)) {
      const alike = ALIKE.find(([signs]) => signs.test(character))?.[1];
      const lower = alike ?? character.toLowerCase();
      text += lower;
      places.push(...Array<number>(lower.length).fill(at));
    }
    at += character.length;
  }
  return { text, places };
}

/** The first match that doesn't start or end inside a word; -1 if there is none. */
function findWords(
  part: string,
  text: string,
  { passage, places }: { passage: string; places: readonly number[] },
): number {
  let at = text.indexOf(part);
  for (let tries = 0; at >= 0 && tries < MAX_PLACES; tries += 1) {
    const start = places[at] ?? 0;
    const last = places[at + part.length - 1] ?? 0;
    const around = [passage.slice(start - 1, start + 1), passage.slice(last, last + 2)];
    if (!around.some((pair) => /^[\p{L}\p{N}]{2}$/u.test(pair) && !/^[\p{Lo}]/u.test(pair))) {
      return at;
    }
    at = text.indexOf(part, at + 1);
  }
  return -1;
}
