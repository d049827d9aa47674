import { readPacks } from "@/lib/packs";
import synonyms from "./synonyms.json" with { type: "json" };
import type { Token } from "./tokens";
import { stemOf, type Word, wordOf } from "./words";

/** A phrase as stems, with the concept it stands for. */
interface Phrase {
  stems: readonly string[];
  concept: string;
  /** For an abbreviation: the direction in its long form, such as "low" in "low birth weight". */
  direction?: Word["direction"];
}

export type Phrases = ReadonlyMap<string, readonly Phrase[]>;

const groups = [...readPacks("synonyms").groups, ...synonyms];
const known = groups.flatMap((group, index) =>
  group.map((phrase) => ({ stems: stemsOf(phrase.split(" ")), concept: `#${index}` })),
);
const words = byFirstStem(known.filter(({ stems }) => stems.length === 1));
const phrases = byFirstStem(known.filter(({ stems }) => stems.length > 1));

function stemsOf(words: readonly string[]): string[] {
  return words.flatMap((word) => stemOf(word) ?? []);
}

function byFirstStem(phrases: readonly Phrase[]): Phrases {
  return Map.groupBy(
    phrases.filter(({ stems }) => stems.length > 0),
    ({ stems }) => stems[0] ?? "",
  );
}

export function conceptsOf(stem: string): string[] {
  return words.get(stem)?.map(({ concept }) => concept) ?? [];
}

/** For each position in a sequence of stems, the concepts of the phrases it belongs to. */
export function phrasesIn(
  stems: readonly string[],
  among: Phrases = phrases,
): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const [at, stem] of stems.entries()) {
    for (const phrase of among.get(stem) ?? []) {
      if (phrase.stems.every((one, offset) => stems[at + offset] === one)) {
        phrase.stems.forEach((_, offset) => {
          found.set(at + offset, [...(found.get(at + offset) ?? []), phrase.concept]);
        });
      }
    }
  }
  return found;
}

const LONGEST = 8;
/** More than a real passage defines; bounds the time on hostile input. */
const MOST = 50;

/** Finds abbreviations that a text defines: "chronic kidney disease (CKD)". Both forms get the same concept. */
export function findAbbreviations(tokens: readonly Token[]): Phrases {
  const found: Phrase[] = [];
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
      const stem = stemOf(short.text) ?? nameOfStopWord(short);
      const [direction = null] = long.flatMap((word) => wordOf(word).direction ?? []);
      found.push({ stems: [stem], concept, direction }, { stems: stemsOf(long), concept });
    }
  }
  return byFirstStem(found);
}

/** Reads "NO" and "ALL" as names where a text defines them; null if it defines none of the tokens. */
export function withNames(tokens: readonly Token[], abbreviations: Phrases): Token[] | null {
  const isName = (token: Token) =>
    /^\p{Lu}{2,}$/u.test(token.text) && abbreviations.has(nameOfStopWord(token));
  return tokens.some(isName)
    ? tokens.map((token) => {
        const name = nameOfStopWord(token);
        return isName(token) ? { ...token, text: name.toUpperCase(), lower: name } : token;
      })
    : null;
}

/** The digit makes it a distinct word, as in "il6". */
function nameOfStopWord({ lower }: Token): string {
  return `${lower}0`;
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
