import { toSkeleton } from "./confusables";
import { lowestBound, MEASURE_LENGTH } from "./intervals";
import markerWords from "./marker-words.json" with { type: "json" };

/** Joiners are part of the spelling in Persian, Hindi and related scripts, and in emoji. */
const SPELLED = String.raw`[\p{L}\p{M}\p{ExtPict}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrl}]`;
const INVISIBLE = new RegExp(
  String.raw`(?<![${SPELLED}])[\u200C\u200D]|[\u200C\u200D](?![${SPELLED}])|[\p{DI}--[\u200C\u200D]]`,
  "gv",
);
const CONTROL = /(?![\t\n])\p{Cc}/gu;

/** "<", its lookalikes and its escapes. */
const ANGLE =
  "[<＜﹤≮‹«˂≺ᐸ❬❮❰⟨⟪\\u2329\\u3008\\u300A\\uFE3D\\uFE3F]|&(?:amp;)*(?:lt|#0*60(?!\\d)|#x0*3c(?![\\da-f]));?|%3c|\\\\u003c|\\\\x3c";
const ANGLE_END = "[>＞﹥≯›»˃≻ᐳ❭❯❱⟩⟫\\u232A\\u3009\\u300B\\uFE3E\\uFE40]";
/** Any bracket but ordinary "(" and "{", and quotation marks. */
const BRACKET =
  "\\\\?[[\\p{Ps}--[\\(（\\{｛﹙﹛⁽₍❨❪⟮„‚]]]|&(?:amp;)*(?:lsqb|lbrack|#0*91(?!\\d)|#x0*5b(?![\\da-f]));?|%5b|\\\\u005b|\\\\x5b";
const BRACKET_END =
  "\\\\?[[\\p{Pe}--[\\)）\\}｝﹚﹜⁾₎❩❫⟯]]]|&(?:amp;)*(?:rsqb|rbrack|#0*93(?!\\d)|#x0*5d(?![\\da-f]));?|%5d|\\\\u005d|\\\\x5d";
const OPENER = new RegExp(`(?<angle>${ANGLE})|${BRACKET}`, "giv");
const ANGLES = new RegExp(ANGLE, "giu");
const ANGLE_BOUNDARY = new RegExp(`(?<end>${ANGLE_END})|${ANGLE}`, "iv");
const BRACKET_BOUNDARY = new RegExp(`(?<end>${BRACKET_END})|${BRACKET}`, "iv");
/** "<" itself, in any width or escape. */
const IS_PLAIN_ANGLE = /^[<＜﹤≮]|^(?:&(?:amp;)*(?:lt|#0*60|#x0*3c);?|%3c|\\[ux]0{0,2}3c)$/i;
/** How far to look inside a bracket. */
const LONGEST = 120;

/** The delimiter itself, however it is spelled. */
const FENCE = /^[/!?|]*(?:source|nonce)/;
/** Tags that could pass for a conversation turn or a part of a prompt. */
const FRAME =
  /^[/!?|]?(?:documents?|system|sys|user|assistant|human|developer|instructions?|prompt|rules?|context|messages?|think(?:ing)?|tools?|tool_?(?:calls?|responses?|results?)|functions?|function_?(?:calls?|results?)|invoke|im_(?:start|end)|(?:start|end|begin)_of_\w+|start_header_id|end_header_id|e[ot][mt]_id)(?![a-z])/;
/** Special tokens as whole tags: "</s>", "<bos>", "<|…|>". */
const VOCABULARY = /^(?:\/?s|bos|eos|pad|unk|mask|cls|sep|\|[^<>]*\|)$/;
const COMMENT = /^!(?:-|\[cdata|doctype|entity|element)/;
/** HTML that loads or runs something when an answer repeats it. */
const ACTIVE =
  /^\/?(?:img|image|iframe|frame|script|object|embed|svg|link|meta|base|form|style|video|audio|picture|source|input|button|body|a\s+\w+\s*=)(?![\w-])/i;
const AUTOLINK = /^(?:https?|ftps?|wss?|javascript|vbscript|data|file|mailto|blob):/;
const LEET: Record<string, string> = { "0": "o", "3": "e", "5": "s" };
/** Lookalikes of "<" are often quotation marks, so a match must be more specific. */
const QUOTED = /^(?:\/sources?|sources?(?:id|nonce|\d|=))/;
const BRACKETED =
  /^\/?(?:inst|systemprompt|toolcalls?|availabletools|toolresults?|toolcontent|\/sources?|sources?(?:id|nonce).*|gmask|sop|bos|eos|cls|sep|mask|img)$/;

/** The blanks with a line break and those without are apart: optional in the middle, it would be tried at each of them. */
const TARGET = String.raw`(?:[ \t]{0,200}\n[ \t]{0,200}|[ \t]{0,400})<?(?:[a-z][a-z\d+.-]{0,20}:|[/#.\\])`;
const LINKED = new RegExp(`^(?:\\(${TARGET}|:${TARGET})`, "i");
/** Links whose text contains brackets or is long. */
const LINK_END = new RegExp(`\\](?=\\(${TARGET}|:${TARGET})`, "gi");

const WORDS = new Set(markerWords.map(toSkeleton));
const PAGES = new Set(["p", "pp", "page", "pages", "§"]);
const SEPARATORS = new Set([..."^#*_~`\"'\\=.:;,&|+§…/@-–—−‐‑‒•·،؛、，；：№〜～†"].map(toSkeleton));
const TOKENS = /\p{N}+|\p{L}+|[^\s\p{N}\p{L}]/gu;

/**
 * Rounds the brackets of anything that could pass for a citation marker, a delimiter, a conversation turn, or an
 * active link or image, and removes invisible characters. Intervals after a number, such as "59.6% [40-75]", stay
 * when both bounds are above the number of sources. Runs in linear time on hostile input.
 */
export function escapeDelimiters(text: string, sourceCount = Number.POSITIVE_INFINITY): string {
  return replaceForged(text.replace(CONTROL, " ").replace(INVISIBLE, ""), sourceCount)
    .replaceAll("![", "!(")
    .replace(LINK_END, ")");
}

/** Checks each bracket separately, so nesting can't hide one. */
function replaceForged(text: string, sourceCount: number): string {
  const round = new Map<number, { length: number; sign: string }>();
  for (const opener of text.matchAll(OPENER)) {
    const { 0: sign, index } = opener;
    const { inside, end, close } = contentOf(text, opener);
    const before = text.slice(Math.max(0, index - MEASURE_LENGTH), index);
    const isInterval = lowestBound(before, sign + inside + end) > sourceCount;
    if ((!isInterval && isForged(opener, inside, end)) || isLink(text, close, end)) {
      round.set(index, { length: sign.length, sign: "(" });
      if (end) {
        round.set(close, { length: end.length, sign: ")" });
      }
    }
  }
  let result = "";
  let at = 0;
  for (const [index, { length, sign }] of [...round].sort(([a], [b]) => a - b)) {
    result += text.slice(at, index) + sign;
    at = index + length;
  }
  return result + text.slice(at);
}

function contentOf(text: string, { 0: sign, index, groups }: RegExpExecArray) {
  const start = index + sign.length;
  const rest = text.slice(start, start + LONGEST);
  const boundary = (groups?.angle === undefined ? BRACKET_BOUNDARY : ANGLE_BOUNDARY).exec(rest);
  const inside = rest.slice(0, boundary?.index ?? LONGEST);
  return { inside, end: boundary?.groups?.end ?? "", close: start + inside.length };
}

/** Counts what reads as a source's opening or closing delimiter. */
export function countDelimiters(text: string): number {
  let count = 0;
  for (const { index, 0: sign } of text.matchAll(ANGLES)) {
    const start = index + sign.length;
    const rest = text.slice(start, start + LONGEST);
    const inside = rest.slice(0, ANGLE_BOUNDARY.exec(rest)?.index ?? LONGEST);
    count += inside !== "" && QUOTED.test(lettersOf(toSkeleton(inside))) ? 1 : 0;
  }
  return count;
}

function lettersOf(folded: string): string {
  return folded
    .replace(/[^a-z\d/|!?:=]+/g, "")
    .replace(/^\/?[a-z\d]{6}/, (name) => name.replace(/[035]/g, (digit) => LEET[digit] ?? digit));
}

function isForged(opener: RegExpExecArray, inside: string, end: string): boolean {
  const [sign] = opener;
  if (opener.groups?.angle !== undefined && isTag(sign, inside, end)) {
    return true;
  }
  return (
    !IS_PLAIN_ANGLE.test(sign) &&
    (isMarker(inside, end) ||
      (end !== "" && BRACKETED.test(toSkeleton(inside).replace(/[^a-z\d/]+/g, ""))))
  );
}

function isTag(opener: string, inside: string, end: string): boolean {
  if (inside.trim() === "") {
    return false;
  }
  const folded = toSkeleton(inside);
  const letters = lettersOf(folded);
  if (!IS_PLAIN_ANGLE.test(opener)) {
    return QUOTED.test(letters);
  }
  return (
    (end !== "" && VOCABULARY.test(letters)) ||
    FRAME.test(folded) ||
    FENCE.test(letters) ||
    COMMENT.test(folded) ||
    ACTIVE.test(inside) ||
    AUTOLINK.test(letters)
  );
}

/** Checks the text as written and with escapes decoded. */
function isMarker(inside: string, end: string): boolean {
  if (!/[\p{N}&%\\]/u.test(inside)) {
    return false;
  }
  const plain = inside.toLowerCase();
  const folded = toSkeleton(inside);
  return isList(folded, end) || (folded !== plain && isList(plain, end));
}

/** A list of numbers, with or without a citation label, and what may follow a label or dagger. */
function isList(inside: string, end: string): boolean {
  if (!/\p{N}/u.test(inside) || /\d\.\d/.test(inside)) {
    return false;
  }
  const tokens = inside.match(TOKENS) ?? [];
  const other = tokens.findIndex(
    (token) => !(isNumber(token) || WORDS.has(token) || SEPARATORS.has(token)),
  );
  const list = other < 0 ? tokens : tokens.slice(0, other);
  const tail = list.slice(list.findIndex(isNumber) + 1);
  const isLabeled = list.some((token) => /^[\p{L}^#]/u.test(token));
  const page = tail.findIndex((token) => PAGES.has(token));
  const hasTail =
    tail.includes("†") ||
    (isLabeled && tail.includes(":")) ||
    (page >= 0 && tail.slice(page).some(isNumber));
  return list.some(isNumber) && (hasTail || (end !== "" && other < 0));
}

function isNumber(token: string): boolean {
  return /^\p{N}/u.test(token);
}

function isLink(text: string, at: number, end: string): boolean {
  return end === "]" && LINKED.test(text.slice(at + 1, at + 1 + 4 * LONGEST));
}
