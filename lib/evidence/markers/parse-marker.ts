import labels from "./labels.json" with { type: "json" };
import type { Lookahead } from "./lookahead";

/** One bracket of source numbers, as models write them. */
export interface Marker {
  end: number;
  /** A single number is a range from itself to itself; 0 stands for a number that no source can have. */
  ranges: [from: number, to: number][];
  /** Whether more than bare digits marks it as a citation: "[Source 1]", "[^1]", "【1】". */
  isLabeled: boolean;
  /** Whether it uses "[" and "]", which mean something in Markdown. */
  isSquare: boolean;
  /** Whether it is already written as `[n]`. */
  isPlain: boolean;
  /** Whether only blanks separate its numbers: "[1 2]". */
  isSpaced: boolean;
}

export const CLOSERS: ReadonlyMap<string, string> = new Map(
  [..."[［【〔〖⟦"].map((opener, at) => [opener, "]］】〕〗⟧".charAt(at)]),
);

/** Words that introduce a number in a citation bracket. */
const LABELS = new Set(labels);
/** Words that do so only right before it: "[web:1]". */
const NAMES = new Set(["web", "chunk", "snippet"]);
const MAX_LABEL_LENGTH = 12;
const CONJUNCTIONS = new Set(["and", "or", "und", "et", "y", "e", "и", "和", "及", "と"]);
const PAGES = new Set(["p", "pp", "page", "pages"]);
/** The zero of each supported decimal script; its other nine digits follow. */
const ZEROS = [0x30, 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];
/** One letter more than the longest conjunction, so that a prefix of a longer word doesn't match. */
const MAX_CONJUNCTION_LENGTH = 4;
const COMMAS = ",;、，；";
/** Longer numbers are no source's. */
const MAX_DIGITS = 3;
const EARLIEST_YEAR = 1500;
const LATEST_YEAR = 2199;
/** Bold and italics around the numbers: "[**1**]". */
const MAX_EMPHASIS = 3;
const DASH = /[-‐‑‒–—−]/;

export function isOpener(character: string): boolean {
  return CLOSERS.has(character);
}

export function parseMarker(ahead: Lookahead, at: number): Marker | null {
  // "\\[1\\]" reads as "[1]" wherever Markdown is rendered.
  const isEscaped = ahead.charAt(at) === "\\" && ahead.charAt(at + 1) === "[";
  const start = isEscaped ? at + 1 : at;
  const opener = ahead.charAt(start);
  const closer = CLOSERS.get(opener);
  const emphasis = closer === undefined ? "" : readEmphasis(ahead, start + 1);
  const from = start + 1 + emphasis.length;
  const list = closer === undefined ? null : readList(ahead, ahead.skipBlanks(from));
  const ending = emphasis + (isEscaped ? "\\" : "") + closer;
  const end = list && skipTail(ahead, list, ending.charAt(0));
  if (!list || end === null || !ahead.startsWith(end, ending) || !isCitable(list)) {
    return null;
  }
  const isSquare = opener === "[" && !isEscaped;
  return {
    end: end + ending.length,
    ranges: list.hasFilePosition ? [[0, 0]] : list.ranges,
    isLabeled: list.isLabeled || opener !== "[",
    isSquare,
    isPlain: isSquare && isOneNumber(ahead, at + 1, list),
    isSpaced: list.isSpaced,
  };
}

/** "(1)", "(1, 2)" or "(Source 1)", whatever it means there. */
export function parseParentheses(ahead: Lookahead, at: number): Marker | null {
  const list = ahead.charAt(at) === "(" ? readList(ahead, ahead.skipBlanks(at + 1)) : null;
  const end = list && skipTail(ahead, list, ")");
  if (!list || end === null || ahead.charAt(end) !== ")" || !isCitable(list)) {
    return null;
  }
  const { isLabeled, isSpaced } = list;
  const ranges: Marker["ranges"] = list.hasFilePosition ? [[0, 0]] : list.ranges;
  return { end: end + 1, ranges, isLabeled, isSpaced, isSquare: false, isPlain: false };
}

/** The asterisks or underscores at an offset. */
function readEmphasis(ahead: Lookahead, start: number): string {
  const mark = ahead.charAt(start);
  let run = "";
  while (
    isOneOf(mark, "*_") &&
    run.length < MAX_EMPHASIS &&
    ahead.charAt(start + run.length) === mark
  ) {
    run += mark;
  }
  return run;
}

/** Years stay, and so do lists and intervals of long numbers; a single long number is a source that isn't there. */
function isCitable({ ranges }: List): boolean {
  const long = ranges.filter((range) => Math.max(...range) >= 10 ** MAX_DIGITS);
  return (
    long.length === 0 ||
    ((ranges.length === 1 || long.length < ranges.length) &&
      long.every(([from, to]) => from === to && !isYear(from)))
  );
}

function isYear(number: number): boolean {
  return number >= EARLIEST_YEAR && number <= LATEST_YEAR;
}

/** Whether the list is a single number without blanks or leading zeros. */
function isOneNumber(ahead: Lookahead, start: number, { ranges }: List): boolean {
  const [from, to] = ranges[0] ?? [];
  const signs = [...String(from), "]"];
  return (
    ranges.length === 1 &&
    from === to &&
    signs.every((sign, at) => ahead.charAt(start + at) === sign)
  );
}

interface List extends Pick<Marker, "end" | "ranges" | "isLabeled" | "isSpaced"> {
  /** Set for "4:0", OpenAI's reference to a message and a search result. */
  hasFilePosition: boolean;
}

function readList(ahead: Lookahead, start: number): List | null {
  const list: List = {
    ...{ end: start, ranges: [] },
    ...{ isLabeled: false, isSpaced: false, hasFilePosition: false },
  };
  for (let at: number | null = start; at !== null; ) {
    const { end: from, isCertain } = readLabel(ahead, at);
    const range = readRange(ahead, from);
    if (!range) {
      return list.ranges.length > 0 && isPage(ahead, at) ? list : null;
    }
    list.isLabeled ||= isCertain;
    list.ranges.push(range.value);
    list.end = isOneOf(ahead.charAt(range.end), "^‡") ? range.end + 1 : range.end;
    at = skipListSeparator(ahead, list.end) ?? skipSpace(ahead, list);
  }
  return list;
}

/** Reads "Source ", "Refs. ", "cite: ", "^" or "#", and less certain ones, which names in code have as well: "doc_", "S". */
function readLabel(ahead: Lookahead, start: number): { end: number; isCertain: boolean } {
  if (isOneOf(ahead.charAt(start), "^#@†‡")) {
    return { end: start + 1, isCertain: true };
  }
  const word = ahead.letters(start, MAX_LABEL_LENGTH);
  const at = start + word.length;
  const isLabel = LABELS.has(word.toLowerCase());
  const joints = isLabel ? "_-" : NAMES.has(word.toLowerCase()) ? "_-:" : "";
  const number = isOneOf(ahead.charAt(at), joints) ? at + 1 : at;
  if ((number > at || word === "S") && digitOf(ahead.charAt(number)) !== null) {
    return { end: number, isCertain: false };
  }
  const isCertain = isLabel || (word === "ID" && ahead.charAt(at) === ":");
  return { end: isCertain ? skipLabelEnd(ahead, at) : start, isCertain };
}

function skipLabelEnd(ahead: Lookahead, start: number): number {
  const at = ahead.skipBlanks(ahead.charAt(start) === "." ? start + 1 : start);
  return isOneOf(ahead.charAt(at), ":：#=") ? ahead.skipBlanks(at + 1) : at;
}

function readRange(
  ahead: Lookahead,
  start: number,
): { end: number; value: [number, number] } | null {
  const from = readNumber(ahead, start);
  if (!from) {
    return null;
  }
  const dash = ahead.skipBlanks(from.end);
  if (!DASH.test(ahead.charAt(dash))) {
    return { end: from.end, value: [from.value, from.value] };
  }
  const to = readNumber(ahead, ahead.skipBlanks(dash + 1));
  return to && { end: to.end, value: [from.value, to.value] };
}

function readNumber(ahead: Lookahead, start: number): { end: number; value: number } | null {
  let end = start;
  let value = 0;
  for (let digit = digitOf(ahead.charAt(end)); digit !== null; digit = digitOf(ahead.charAt(end))) {
    value = Math.min(value * 10 + digit, Number.MAX_SAFE_INTEGER);
    end += 1;
  }
  return end > start ? { end, value } : null;
}

function digitOf(character: string): number | null {
  const code = character.charCodeAt(0);
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? null : code - zero;
}

/** Skips the separator between two numbers: ", ", " or " or ", and ". Returns null if there is none. */
function skipListSeparator(ahead: Lookahead, start: number): number | null {
  const comma = ahead.skipBlanks(start);
  const hasComma = isOneOf(ahead.charAt(comma), COMMAS);
  const at = hasComma ? ahead.skipBlanks(comma + 1) : comma;
  const word = readConjunction(ahead, at);
  return word > 0 ? ahead.skipBlanks(at + word) : hasComma ? at : null;
}

/** Skips blanks alone between two numbers. */
function skipSpace(ahead: Lookahead, list: List): number | null {
  const at = ahead.skipBlanks(list.end);
  if (at === list.end || digitOf(ahead.charAt(at)) === null) {
    return null;
  }
  list.isSpaced = true;
  return at;
}

function readConjunction(ahead: Lookahead, at: number): number {
  const word = ahead.charAt(at) === "&" ? "&" : ahead.letters(at, MAX_CONJUNCTION_LENGTH);
  return word === "&" || CONJUNCTIONS.has(word.toLowerCase()) ? word.length : 0;
}

/** Matches "p. 5", "pp. 5", "page 5" or "§ 5". */
function isPage(ahead: Lookahead, start: number): boolean {
  const word = ahead.charAt(start) === "§" ? "§" : ahead.letters(start, MAX_LABEL_LENGTH);
  if (word !== "§" && !PAGES.has(word.toLowerCase())) {
    return false;
  }
  const at = start + word.length;
  return digitOf(ahead.charAt(ahead.skipBlanks(ahead.charAt(at) === "." ? at + 1 : at))) !== null;
}

/** Skips the part after the numbers: "†source", ":0†source", ", p. 5", ": Title of a source". */
function skipTail(ahead: Lookahead, list: List, closer: string): number | null {
  let at = ahead.skipBlanks(list.end);
  if (ahead.charAt(at) === closer) {
    return at;
  }
  const place = ahead.charAt(at) === ":" ? readNumber(ahead, at + 1) : null;
  if (place && ahead.charAt(place.end) === "†") {
    list.hasFilePosition = true;
    at = place.end;
  }
  const page = isOneOf(ahead.charAt(at), ",;") ? ahead.skipBlanks(at + 1) : at;
  const isTail =
    ahead.charAt(at) === "†" ||
    (list.isLabeled && ahead.charAt(at) === ":" && !place) ||
    isPage(ahead, page);
  return isTail ? skipWords(ahead, page) : null;
}

function skipWords(ahead: Lookahead, start: number): number {
  let at = start;
  while (/[^[\]［］【】〔〕〖〗⟦⟧()\r\n]/.test(ahead.charAt(at))) {
    at += 1;
  }
  return at;
}

function isOneOf(character: string, set: string): boolean {
  return character !== "" && set.includes(character);
}

export interface Separator {
  end: number;
  /** Separators with a word are kept between two kept markers; commas and blanks are dropped. */
  hasWord: boolean;
  isRange: boolean;
}

const MAX_BLANKS = 4;

export function parseSeparator(ahead: Lookahead, start: number): Separator | null {
  if (DASH.test(ahead.charAt(start))) {
    return { end: start + 1, hasWord: false, isRange: true };
  }
  const skipBlanks = (at: number) => ahead.skipBlanks(at, MAX_BLANKS);
  const first = skipBlanks(start);
  const second = isOneOf(ahead.charAt(first), COMMAS) ? skipBlanks(first + 1) : first;
  const word = readConjunction(ahead, second);
  const end = word > 0 ? skipBlanks(second + word) : second;
  return end > start ? { end, hasWord: word > 0, isRange: false } : null;
}
