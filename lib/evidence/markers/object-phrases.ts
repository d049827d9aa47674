import type { Lookahead } from "./lookahead";
import phrases from "./object-phrases.json" with { type: "json" };

/** The nouns that can take the place of a marker, in the language of the phrase before it. */
interface Noun {
  /** For a number that no source has. */
  unlisted: string;
  /** Says nothing of a source that doesn't support the sentence. */
  any: string;
}

interface Phrases extends Noun {
  /** "not" and "but", as in "not [9] but [1]". */
  contrast: [not: RegExp, but: string] | null;
  /** Phrases that a marker completes, anywhere or only where a clause begins: "according to [1]", "see [1]". */
  ending: RegExp;
}

const CLAUSE = String.raw`(?:^|[.;:,(\n]\s*)`;
const LANGUAGES = Object.values(phrases).map(
  ({ ending, opening, contrast, unlisted, any }): Phrases => ({
    ...{ unlisted, any },
    ending: new RegExp(`(?:${ending}|${CLAUSE}${opening})$`, "iu"),
    contrast: contrast && [
      new RegExp(String.raw`(?<!\p{L})${contrast[0]}$`, "iu"),
      contrast[1] ?? "",
    ],
  }),
);
const MAX_WORD = Math.max(...LANGUAGES.map(({ contrast }) => contrast?.[1].length ?? 0));
/** How much of the text after a marker is looked at. */
export const MAX_CONTRAST = MAX_WORD + 1;

/** The nouns for a marker at the end of a text that a phrase such as "according to" ends; null after other words. */
export function missingObject(before: string): Noun | null {
  return LANGUAGES.find(({ ending }) => ending.test(before)) ?? null;
}

/** The same for a marker with words on both its sides: "not [9] but [1]". */
export function missingContrast(before: string, ahead: Lookahead, at: number): Noun | null {
  const isOpen = ({ contrast }: Phrases) => contrast?.[0].test(before);
  if (!LANGUAGES.some(isOpen)) {
    return null;
  }
  const next = ahead.skipBlanks(at);
  const word = next > at ? ahead.letters(next, MAX_CONTRAST) : "";
  return LANGUAGES.find((each) => isOpen(each) && each.contrast?.[1] === word) ?? null;
}
