import labels from "./labels.json" with { type: "json" };
import type { Window } from "./lookahead";

/** One bracket of source numbers, as models write them. */
export interface Marker {
  end: number;
  /** The numbers as they stand, a single one as a range of itself. 0 is a number that no source can have. */
  ranges: [from: number, to: number][];
  /** Whether more than digits says that it cites: "[Source 1]", "[^1]", "【1】". */
  isLabelled: boolean;
  /** Between "[" and "]", which Markdown knows. */
  isSquare: boolean;
  /** Already in the one form that goes out. */
  isPlain: boolean;
}

const CLOSERS = new Map([..."[［【〔〖⟦"].map((opener, at) => [opener, "]］】〕〗⟧".charAt(at)]));

/** Words that stand before a number in a bracket that cites. */
const LABELS = new Set(labels);
const LONGEST_LABEL = 12;
const CONJUNCTIONS = new Set(["and", "or", "und", "et", "y", "e", "и", "和", "及", "と"]);
const PAGES = new Set(["p", "pp", "page", "pages"]);
/** The zero of each decimal script that models write numbers in; nine more follow it. */
const ZEROS = [0x30, 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];
/** One letter more than the longest, so that the beginning of a word is none. */
const LONGEST_CONJUNCTION = 4;
export const COMMAS = ",;、，；";
const MOST_DIGITS = 3;
const DASH = /[-‐‑‒–—−]/;

/** Whether a bracket that begins with this character can be a marker. */
export function isOpener(character: string): boolean {
  return CLOSERS.has(character);
}

/** Whether two numbers with this between them are a range. */
export function isDash(character: string): boolean {
  return character !== "" && DASH.test(character);
}

/** The marker whose opening bracket stands here, if it is one. */
export function readMarker(window: Window, at: number): Marker | null {
  const opener = window.at(at);
  const closer = CLOSERS.get(opener);
  const list = closer === undefined ? null : readList(window, window.skipBlanks(at + 1));
  const end = list && closer ? skipTail(window, list, closer) : null;
  if (!list || end === null || window.at(end) !== closer) {
    return null;
  }
  const isSquare = opener === "[";
  return {
    end: end + 1,
    ranges: list.hasPlace ? [[0, 0]] : list.ranges,
    isLabelled: list.isLabelled || !isSquare,
    isSquare,
    isPlain: isSquare && isOneNumber(window, at + 1, list),
  };
}

/** Whether the list is a number and nothing else, without blanks or zeros before it. */
function isOneNumber(window: Window, start: number, { ranges }: List): boolean {
  const [from, to] = ranges[0] ?? [];
  const signs = [...String(from), "]"];
  return (
    ranges.length === 1 && from === to && signs.every((sign, at) => window.at(start + at) === sign)
  );
}

interface List {
  end: number;
  ranges: Marker["ranges"];
  isLabelled: boolean;
  /** "4:0", the message and the result of a search that is not ours. */
  hasPlace: boolean;
}

function readList(window: Window, start: number): List | null {
  const list: List = { end: start, ranges: [], isLabelled: false, hasPlace: false };
  for (let at: number | null = start; at !== null; ) {
    const from = skipLabel(window, at);
    const range = readRange(window, from);
    if (!range) {
      return list.ranges.length > 0 && isPage(window, at) ? list : null;
    }
    list.isLabelled ||= from > at;
    list.ranges.push(range.value);
    list.end = window.at(range.end) === "^" ? range.end + 1 : range.end;
    at = skipJoint(window, list.end);
  }
  return list;
}

/** Past "Source ", "Refs. ", "cite: ", "^" or "#"; a word that is no label is not passed. */
function skipLabel(window: Window, start: number): number {
  if (window.at(start) === "^" || window.at(start) === "#") {
    return start + 1;
  }
  const word = window.letters(start, LONGEST_LABEL);
  if (!LABELS.has(word.toLowerCase())) {
    return start;
  }
  let at = start + word.length;
  at = window.skipBlanks(window.at(at) === "." ? at + 1 : at);
  return isOneOf(window.at(at), ":：#=") ? window.skipBlanks(at + 1) : at;
}

function readRange(window: Window, start: number): { end: number; value: [number, number] } | null {
  const from = readNumber(window, start);
  if (!from) {
    return null;
  }
  const dash = window.skipBlanks(from.end);
  if (!isDash(window.at(dash))) {
    return { end: from.end, value: [from.value, from.value] };
  }
  const to = readNumber(window, window.skipBlanks(dash + 1));
  return to && { end: to.end, value: [from.value, to.value] };
}

function readNumber(window: Window, start: number): { end: number; value: number } | null {
  let at = start;
  let value = 0;
  for (let digit = digitOf(window.at(at)); digit !== null; digit = digitOf(window.at(at))) {
    value = value * 10 + digit;
    at += 1;
    if (at - start > MOST_DIGITS) {
      return null;
    }
  }
  return at > start ? { end: at, value } : null;
}

function digitOf(character: string): number | null {
  if (character === "") {
    return null;
  }
  const code = character.charCodeAt(0);
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? null : code - zero;
}

/** Past what joins two numbers of a list, ", " or " and " or ", and "; null when nothing does. */
function skipJoint(window: Window, start: number): number | null {
  const comma = window.skipBlanks(start);
  const hasComma = isOneOf(window.at(comma), COMMAS);
  const at = hasComma ? window.skipBlanks(comma + 1) : comma;
  const word = readConjunction(window, at);
  return word > 0 ? window.skipBlanks(at + word) : hasComma ? at : null;
}

/** The length of the "and" that stands here, 0 if none does. */
export function readConjunction(window: Window, at: number): number {
  const word = window.at(at) === "&" ? "&" : window.letters(at, LONGEST_CONJUNCTION);
  return word === "&" || CONJUNCTIONS.has(word.toLowerCase()) ? word.length : 0;
}

/** "p. 5", "pp. 5", "page 5" or "§ 5". */
function isPage(window: Window, start: number): boolean {
  const word = window.at(start) === "§" ? "§" : window.letters(start, LONGEST_LABEL);
  if (word !== "§" && !PAGES.has(word.toLowerCase())) {
    return false;
  }
  const at = start + word.length;
  return digitOf(window.at(window.skipBlanks(window.at(at) === "." ? at + 1 : at))) !== null;
}

/** Past what a bracket holds after its numbers: "†source", ":0†source", ", p. 5", ": Title of a source". */
function skipTail(window: Window, list: List, closer: string): number | null {
  let at = window.skipBlanks(list.end);
  if (window.at(at) === closer) {
    return at;
  }
  const place = window.at(at) === ":" ? readNumber(window, at + 1) : null;
  if (place && window.at(place.end) === "†") {
    list.hasPlace = true;
    at = place.end;
  }
  const page = isOneOf(window.at(at), ",;") ? window.skipBlanks(at + 1) : at;
  const isTail =
    window.at(at) === "†" ||
    (list.isLabelled && window.at(at) === ":" && !place) ||
    isPage(window, page);
  return isTail ? skipWords(window, page) : null;
}

/** Past anything but brackets and the end of the line. */
function skipWords(window: Window, start: number): number {
  let at = start;
  while (/[^[\]［］【】〔〕〖〗⟦⟧()\r\n]/.test(window.at(at))) {
    at += 1;
  }
  return at;
}

/** Whether there is a character and it is one of these. */
export function isOneOf(character: string, set: string): boolean {
  return character !== "" && set.includes(character);
}

/** What joins two markers. */
export interface Separator {
  end: number;
  /** A joint with a word stays between two that are kept; commas and blanks go. */
  hasWord: boolean;
  isRange: boolean;
}

const MOST_BLANKS = 4;

/** The joint that begins here, if one does: blanks, a comma, "and", or the dash of a range. */
export function readSeparator(window: Window, start: number): Separator | null {
  if (isDash(window.at(start))) {
    return { end: start + 1, hasWord: false, isRange: true };
  }
  const first = skipFewBlanks(window, start);
  const second = isOneOf(window.at(first), COMMAS) ? skipFewBlanks(window, first + 1) : first;
  const word = readConjunction(window, second);
  const end = word > 0 ? skipFewBlanks(window, second + word) : second;
  return end > start ? { end, hasWord: word > 0, isRange: false } : null;
}

function skipFewBlanks(window: Window, start: number): number {
  let at = start;
  while (at - start < MOST_BLANKS && isOneOf(window.at(at), " \t\u00a0")) {
    at += 1;
  }
  return at;
}
