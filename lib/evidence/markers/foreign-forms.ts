import type { Marker } from "./parse-marker";

/** How other systems write markers. The text between `open` and `close` must match `body`, which has the numbers. */
interface Form {
  open: string;
  close: string;
  /** Null when its numbers aren't those of our sources: the mark is removed. */
  body: RegExp | null;
  /** Also means something else, such as a power; a marker only behind a word, at the end of a clause. */
  isWeak?: boolean;
}

const NUMBERS = /^\s?(?:\d{1,3}(?:\s?[,;]\s?)?)+\s?$/;
const ID = /^[^<>]*\bid\s?=\s?["']?(?:source[-_ ]?)?(\d{1,3})\b[^<>]*$/;

const FORMS: readonly Form[] = [
  // ChatGPT's private characters around "cite", "filecite" …, whose places number its own results.
  { open: "\ue200", close: "\ue201", body: null },
  { open: "##", close: "$$", body: NUMBERS },
  ...["cite", "ref", "citation", "source", "doc"].map((name) => ({
    ...{ open: `<${name}>`, close: `</${name}>`, body: NUMBERS },
  })),
  // Mistral's, and others like it.
  ...["REF", "ref", "cite", "citation", "source"].map((name) => ({
    ...{ open: `[${name}]`, close: `[/${name}]`, body: NUMBERS },
  })),
  // Our own delimiters, with and without what follows the number.
  { open: "<source ", close: ">", body: ID },
  { open: "<ref ", close: ">", body: ID },
  // Cohere's, around the cited words.
  { open: "</co: ", close: ">", body: NUMBERS },
  { open: "<sup>", close: "</sup>", body: NUMBERS, isWeak: true },
  { open: "{", close: "}", body: NUMBERS, isWeak: true },
];
/** Marks that say nothing by themselves. */
const REMOVED =
  /^(?:<\/source(?: nonce="[^"<>]{0,64}")?>|<co: \d{1,3}(?:, ?\d{1,3})*>|(?:\[(?:REF|ref|cite|citation)\])?\[\/(?:REF|ref|cite|citation)\]|\[cite_(?:start|end)\])/;
/** Marks that may name anything. */
const UNKNOWN =
  /^(?:<\|(?!im_|end)[\w: -]{1,40}\|>|<(?:cite|citation) [^<>\n]{1,60}>|\[(?:[a-z]\w{0,23}[:_]|(?:cite)?turn\d{1,2}[a-z]{1,9})\d{1,3}\](?![([:=]))/i;
/** The beginnings of those. */
const BEGUN =
  /^\[\/?\w{0,28}(?::\d{0,3})?\]?$|^<(?:\/(?:s(?:o(?:u(?:r(?:c(?:e[^<>\n]*)?)?)?)?)?)?|c(?:o(?::[ \d,]*)?)?|c(?:i(?:t(?:e|ation)?)?)?(?: [^<>\n]*)?|\|[\w: -]*\|?)?$/;

/** Longer than any of them. */
export const MAX_FOREIGN_LENGTH = 112;
/** What one of them can begin with. */
export const FOREIGN_SIGNS = "<{#\ue200⁰¹²³⁴⁵⁶⁷⁸⁹①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳";

/** Longer rows of raised numbers are no marks. */
const MAX_RAISED = 16;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳";
const RUN = /^[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,˒، ]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)*|^[①-⑳]+/;

export interface ForeignMark extends Marker {
  isWeak: boolean;
}

/** The mark at the beginning of a text; "unknown" for one that isn't understood, undefined when more is needed. */
export function parseForeign(
  text: string,
  isComplete: boolean,
): ForeignMark | "unknown" | null | undefined {
  const isOpen = !isComplete && text.length < MAX_FOREIGN_LENGTH;
  const raised = RUN.exec(text.slice(0, MAX_RAISED))?.[0];
  if (raised !== undefined) {
    if (raised.length === MAX_RAISED) {
      return null;
    }
    // A separator may be followed by more.
    const isGrowing = isOpen && /^[,˒، ]?$/.test(text.slice(raised.length));
    return isGrowing ? undefined : markOf(numbersIn(raised), raised.length, true);
  }
  for (const form of FORMS) {
    const mark = readForm(form, text, isOpen);
    if (mark !== null) {
      return mark;
    }
  }
  return readSilent(text, isOpen);
}

function readSilent(text: string, isOpen: boolean): ForeignMark | "unknown" | null | undefined {
  if (isOpen && BEGUN.test(text)) {
    return undefined;
  }
  const removed = REMOVED.exec(text)?.[0].length;
  if (removed !== undefined) {
    return markOf([], removed, false);
  }
  return UNKNOWN.test(text) ? "unknown" : null;
}

function readForm(
  { open, close, body, isWeak = false }: Form,
  text: string,
  isOpen: boolean,
): ForeignMark | null | undefined {
  if (!text.startsWith(open)) {
    return isOpen && open.startsWith(text) ? undefined : null;
  }
  const end = text.indexOf(close, open.length);
  if (end < 0) {
    return isOpen && !text.includes("\n") ? undefined : null;
  }
  const numbers = numbersOf(text.slice(open.length, end), body);
  return numbers && markOf(numbers, end + close.length, isWeak);
}

function numbersOf(inside: string, body: RegExp | null): number[] | null {
  if (body === null) {
    return /\n/.test(inside) ? null : [0];
  }
  const found = body.exec(inside);
  return (
    (found && (found[1] === undefined ? inside.match(/\d+/g) : [found[1]])?.map(Number)) ?? null
  );
}

function numbersIn(raised: string): number[] {
  return raised.split(/[,˒، ]/).flatMap((part) => {
    const digits = [...part];
    return CIRCLED.includes(digits[0] ?? "")
      ? digits.map((digit) => CIRCLED.indexOf(digit) + 1)
      : [Number(digits.map((digit) => RAISED.indexOf(digit)).join(""))];
  });
}

function markOf(numbers: readonly number[], end: number, isWeak: boolean): ForeignMark {
  const ranges = numbers.map((number): [number, number] => [number, number]);
  return {
    end,
    ranges,
    isWeak,
    isLabeled: !isWeak,
    isSquare: false,
    isPlain: false,
    isSpaced: false,
  };
}

/** Whether a weak mark can follow a text: right behind a word, 2 and 3 are powers unless other marks are raised. */
export function canFollow(
  sign: string,
  { ranges }: Marker,
  { before, isRaised }: { before: string; isRaised: boolean },
): boolean {
  if (/[\s.!?)"”]$/u.test(before)) {
    return true;
  }
  const isPower = ranges.length === 1 && (ranges[0]?.[0] === 2 || ranges[0]?.[0] === 3);
  return sign !== "{" && /\p{L}{4}$/u.test(before) && (isRaised || !isPower);
}
