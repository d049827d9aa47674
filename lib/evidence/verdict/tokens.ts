import { unitOf } from "./units";
import type { Word } from "./words";

export interface Token {
  kind: "word" | "number" | "mark";
  text: string;
  lower: string;
  start: number;
  end: number;
  isSpaced: boolean;
  /** Set for a content word of another language than English. */
  word?: Word;
}

/** Scripts without spaces are tokenized by character. */
const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}";
/** The alternatives don't overlap and digit groups are bounded, so matching is linear. */
const TOKEN = new RegExp(
  [
    "(\\d{1,3}(?:,\\d{3}){1,5}(?:\\.\\d+)?(?!\\d)|\\d+(?:\\.\\d+)?|(?<![\\d.])\\.\\d+)",
    `([${UNSPACED}]|(?:(?![${UNSPACED}])\\p{L})(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])*(?:'\\p{L}{1,3}(?!\\p{L}))?)`,
    "(\\S)",
  ].join("|"),
  "gu",
);

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [said, number, word] = match;
    const start = match.index;
    tokens.push({
      kind: number ? "number" : word ? "word" : "mark",
      text: said,
      lower: word ? said.toLowerCase() : said,
      start,
      end: start + said.length,
      isSpaced: start > end || start === 0,
    });
    end = start + said.length;
  }
  return joinNames(tokens);
}

/** Words that a number counts or grades rather than names: "day-7", "type-2", "kg-1". */
const COUNTED = /^(?:type|grade|stage|phase|ages?|aged|level|group|class|than|to|of|and|or|by|in)$/;
const ORDINAL = /^(?:st|nd|rd|th)$/;

/** Joins names such as "IL-6", "5-HT" and "3rd" into one word: "il6". */
function joinNames(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const length = nameLength(tokens, at);
    const [first, last] = [tokens[at] as Token, tokens[at + length - 1] as Token];
    if (length > 1) {
      const parts = tokens.slice(at, at + length).map((part) => part.text);
      const text = abbreviate(parts.filter((part) => part !== "-").join(""));
      joined.push({ ...first, kind: "word", text, lower: text.toLowerCase(), end: last.end });
    } else {
      joined.push(first);
    }
    at += length;
  }
  return joined;
}

/** Names of families whose members are numbered: "interleukin-2" is "IL-2". */
const FAMILIES: Record<string, string> = {
  interleukin: "IL",
  microrna: "miR",
  mirna: "miR",
};
const NUMBERED = /^(\p{L}+)(\d.*)$/u;

function abbreviate(name: string): string {
  const [, family = "", number = ""] = NUMBERED.exec(name) ?? [];
  const short = FAMILIES[family.toLowerCase()];
  return short ? `${short}${number}` : name;
}

/** Number of tokens that form one name; 1 if the token stands alone. */
function nameLength(tokens: readonly Token[], at: number): number {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (!first || first.kind === "mark" || !second || second.isSpaced) {
    return 1;
  }
  const [third, fourth] = [tokens[at + 2], tokens[at + 3]];
  const hyphened = second.text === "-" && third?.isSpaced === false ? third : null;
  if (first.kind === "number") {
    const word = hyphened ?? second;
    const isName = word.kind === "word" && isNameAfterNumber(word.text, hyphened !== null);
    return isName ? tokens.indexOf(word, at) - at + 1 : 1;
  }
  const isNumbered = hyphened?.kind === "number" && fourth?.text !== "%";
  return isNumbered && !COUNTED.test(first.lower) && unitOf(first.text) === null ? 3 : 1;
}

/** "5HT" and "5-HT" are names; "12-week", "10mg", "3-dimensional" and "1e3" are numbers. */
function isNameAfterNumber(word: string, isHyphened: boolean): boolean {
  if (unitOf(word) || /^(?:e\d+|x|fold|to|or|and)$/i.test(word)) {
    return false;
  }
  return ORDINAL.test(word) || !isHyphened || !/^\p{Ll}{3}/u.test(word);
}
