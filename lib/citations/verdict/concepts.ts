import synonyms from "./synonyms.json" with { type: "json" };
import type { Token } from "./tokens";
import { stemOf } from "./words";

/** A phrase as stems, with the concept it stands for. */
export interface Phrase {
  stems: readonly string[];
  concept: string;
}

export type Phrases = ReadonlyMap<string, readonly Phrase[]>;

const words = new Map<string, string[]>();
const phrases = new Map<string, Phrase[]>();
for (const [index, group] of synonyms.entries()) {
  for (const phrase of group) {
    const stems = phrase.split(" ").flatMap((word) => stemOf(word) ?? []);
    addPhrase({ stems, concept: `#${index}` });
  }
}

export function conceptsOf(stem: string): readonly string[] {
  return words.get(stem) ?? NONE;
}

const NONE: readonly string[] = [];

/** For each position in a sequence of stems, the concepts of the phrases it belongs to. */
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

const LONGEST = 8;
/** More than a real passage defines; bounds the time on hostile input. */
const MOST = 50;

/**
 * Finds abbreviations that a text defines, such as "chronic kidney disease (CKD)". Both forms get the same
 * concept.
 */
export function findAbbreviations(tokens: readonly Token[]): Map<string, Phrase[]> {
  const found = new Map<string, Phrase[]>();
  const seen = new Set<string>();
  for (let at = 2; at + 1 < tokens.length && seen.size < MOST; at += 1) {
    const short = tokens[at];
    const closes = /^[),;]$/.test(tokens[at + 1]?.text ?? "");
    if (short?.kind !== "word" || tokens[at - 1]?.text !== "(" || !closes || seen.has(short.text)) {
      continue;
    }
    seen.add(short.text);
    const long = longFormOf(tokens, at - 2, short.text);
    if (long) {
      const concept = `@${short.lower}`;
      add(found, { stems: [short.text].flatMap((word) => stemOf(word) ?? []), concept });
      add(found, { stems: long.flatMap((word) => stemOf(word) ?? []), concept });
    }
  }
  return found;
}

function add(found: Map<string, Phrase[]>, phrase: Phrase): void {
  const [first] = phrase.stems;
  if (first !== undefined) {
    found.set(first, [...(found.get(first) ?? []), phrase]);
  }
}

/** The words before a bracket whose initials spell the abbreviation; function words may be skipped. */
function longFormOf(tokens: readonly Token[], last: number, short: string): string[] | null {
  const letters = short.replace(/s$/, "").toLowerCase();
  if (letters.length > LONGEST || !/^\p{Lu}.*\p{Lu}/u.test(short)) {
    return null;
  }
  const words: string[] = [];
  let left = letters.length;
  for (let at = last; at >= 0 && last - at < 2 * LONGEST && left > 0; at -= 1) {
    const token = tokens[at];
    const isNext = token?.lower.startsWith(letters[left - 1] ?? "") === true;
    if (!token || !(isNext || mayBeSkipped(token))) {
      return null;
    }
    left -= isNext ? 1 : 0;
    words.unshift(token.text);
  }
  return left === 0 ? words : null;
}

function mayBeSkipped({ kind, text }: Token): boolean {
  return kind === "word" ? stemOf(text) === null : text === "-";
}
