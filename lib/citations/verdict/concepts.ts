import { SYNONYMS } from "./synonyms";
import { stemOf } from "./words";

/** A phrase as its stems, and the name of what it means. */
export interface Phrase {
  stems: readonly string[];
  concept: string;
}

/** Phrases by their first stem. */
export type Phrases = ReadonlyMap<string, readonly Phrase[]>;

const words = new Map<string, string[]>();
const phrases = new Map<string, Phrase[]>();
for (const [index, line] of SYNONYMS.entries()) {
  for (const said of line.split(" | ")) {
    const stems = said.split(" ").flatMap((word) => stemOf(word) ?? []);
    addPhrase({ stems, concept: `#${index}` });
  }
}

/** The concepts that a stem means by itself. */
export function conceptsOf(stem: string): readonly string[] {
  return words.get(stem) ?? NONE;
}

const NONE: readonly string[] = [];

/** For each stem of a sequence, the concepts of the phrases that it is part of. */
export function phrasesIn(
  stems: readonly string[],
  known: Phrases = phrases,
): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const [at, stem] of stems.entries()) {
    for (const phrase of known.get(stem) ?? []) {
      if (phrase.stems.every((one, offset) => stems[at + offset] === one)) {
        phrase.stems.forEach((_, offset) => {
          found.set(at + offset, [...(found.get(at + offset) ?? []), phrase.concept]);
        });
      }
    }
  }
  return found;
}

function addPhrase(phrase: Phrase): void {
  const [first] = phrase.stems;
  if (first === undefined) {
    return;
  }
  if (phrase.stems.length === 1) {
    words.set(first, [...(words.get(first) ?? []), phrase.concept]);
  } else {
    phrases.set(first, [...(phrases.get(first) ?? []), phrase]);
  }
}
