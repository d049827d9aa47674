import { toSkeleton } from "@/lib/text/confusables";
import { LATIN_SCRIPTS, OTHER_SCRIPTS } from "./injection-languages";
import { ENGLISH, type InjectionPattern } from "./injection-phrases";

/** What a passage must have before it is worth folding: letters that pass for others, or hidden between them. */
const DISGUISED =
  /[a-z][\u0370-\u058f\u1d00-\u1d7f\u0250-\u02af][a-z]|[\uff21-\uff5a]{3}|[\u{1d400}-\u{1d7ff}]{3}|[\u1d00-\u1d7f\ua730-\ua731\u0280\u0262\u026a]{3}|[a-z]\p{Mn}|[a-z][\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]+[a-z]|[\u{e0020}-\u{e007e}]{4}/iu;
const ESCAPES = /(?:&#x?[\da-f]{2,6};){4}|(?:%[\da-f]{2}){4}|(?:\\u[\da-f]{4}){4}/i;
/** Tags of ASCII, which spell a message that nobody sees. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu;
const TAG_BASE = 0xe0000;

/** Encoded text has no blanks, and says nothing in fewer characters. */
const SHORTEST_RUN = 24;
const LONGEST_RUN = 4000;
const BASE64 = /[\w+/-]{24,}={0,2}/;
const HEX = /(?:[\da-f]{2}){12,}/i;
/** Encoded orders are few and short: what follows more runs, such as a table of keys, is data. */
const MOST_RUNS = 200;
const READABLE = /^[\t\n\r -~\p{L}\p{M}\p{P}]{12,}$/u;

/** Of a phrase, this much around its sign is looked at. */
const AROUND = 240;
const LATIN = [...ENGLISH, ...LATIN_SCRIPTS];
const OTHER_SCRIPT = /[\u0400-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
const SIGNS = { english: signOf(ENGLISH), latin: signOf(LATIN), others: signOf(OTHER_SCRIPTS) };

/**
 * How many phrases of a text give orders to a model, in any of the languages known here, be they spelled in
 * look-alikes or encoded. A hint for a reader, never a filter: whoever words it otherwise is not found.
 */
export function countInjections(text: string): number {
  const small = text.toLowerCase();
  const others = OTHER_SCRIPT.test(small) ? countIn(small, SIGNS.others, OTHER_SCRIPTS) : 0;
  const plain = countIn(small, SIGNS.latin, LATIN) + others;
  const runs = longRuns(text);
  const isDisguised =
    (/[^\0-\x7f]/.test(text) && DISGUISED.test(text)) || runs.some((run) => ESCAPES.test(run));
  const disguised = isDisguised ? countEnglish(toSkeleton(readTags(text))) : 0;
  const encoded = runs.flatMap(decodings).reduce((sum, run) => sum + countEnglish(run), 0);
  return Math.max(plain, disguised) + encoded;
}

function countEnglish(text: string): number {
  return countIn(text.toLowerCase(), SIGNS.english, ENGLISH);
}

/**
 * One pattern for the signs of all orders, by their first characters and only where words begin: the other
 * ways to write it take three times as long, on every text there is.
 */
function signOf(orders: readonly InjectionPattern[]): RegExp {
  const signs = [...new Set(orders.flatMap((order) => order.signs))];
  const groups = Map.groupBy(signs, (sign) => /^(?:\\.|.)/u.exec(sign)?.[0] ?? "");
  const patterns = [...groups].map(
    ([first, all]) => `${first}(?:${all.map((sign) => sign.slice(first.length)).join("|")})`,
  );
  const words = patterns.filter((pattern) => /^[a-z]/.test(pattern));
  const others = patterns.filter((pattern) => !/^[a-z]/.test(pattern));
  return new RegExp([`\\b(?:${words.join("|")})`, ...others].join("|"), "g");
}

/** Looks for phrases only around their signs, which few texts have: signs alone cost a fraction of all. */
function countIn(small: string, sign: RegExp, orders: readonly InjectionPattern[]): number {
  return placesOf(small, sign)
    .flatMap(([start, end]) => orders.map(({ phrase }) => small.slice(start, end).match(phrase)))
    .reduce((sum, found) => sum + (found?.length ?? 0), 0);
}

/** Stretches around all signs, none of which overlap. */
function placesOf(small: string, sign: RegExp): [number, number][] {
  const places: [number, number][] = [];
  for (const { 0: found, index } of small.matchAll(sign)) {
    const last = places.at(-1);
    const end = index + found.length + AROUND;
    if (last && index - AROUND <= last[1]) {
      last[1] = end;
    } else {
      places.push([Math.max(0, index - AROUND), end]);
    }
  }
  return places;
}

function readTags(text: string): string {
  return text.replace(TAGS, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - TAG_BASE));
}

/** The first long stretches without blanks. Only one character in SHORTEST_RUN is looked at in ordinary text. */
function longRuns(text: string): string[] {
  const runs: string[] = [];
  for (let at = SHORTEST_RUN - 1; at < text.length && runs.length < MOST_RUNS; at += SHORTEST_RUN) {
    let start = at + 1;
    while (start > 0 && at - start < SHORTEST_RUN && !isBlank(text, start - 1)) {
      start -= 1;
    }
    let end = at + 1;
    while (start <= at && end < text.length && end - start < LONGEST_RUN && !isBlank(text, end)) {
      end += 1;
    }
    if (end - start >= SHORTEST_RUN) {
      runs.push(text.slice(start, end));
      at = end;
    }
  }
  return runs;
}

function isBlank(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 0x20;
}

function decodings(run: string): string[] {
  const hex = HEX.exec(run)?.[0] ?? "";
  const base64 = BASE64.exec(run)?.[0] ?? "";
  return [Buffer.from(hex, "hex"), Buffer.from(base64, "base64")]
    .map((bytes) => bytes.toString("utf8"))
    .filter((text) => READABLE.test(text));
}
