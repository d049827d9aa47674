import { toSkeleton } from "@/lib/text/confusables";
import PATTERNS from "./injection-patterns.json" with { type: "json" };

/** A phrase that gives instructions to a model. */
interface InjectionPattern {
  /** Regular expressions that match every such phrase and little else. Each starts with a literal character. */
  signs: string[];
  phrase: RegExp;
}

/** Cheap test for disguised letters, which are worth folding: look-alikes, or characters hidden between letters. */
const DISGUISED =
  /[a-z][\u0370-\u058f\u1d00-\u1d7f\u0250-\u02af][a-z]|[\uff21-\uff5a]{3}|[\u{1d400}-\u{1d7ff}]{3}|[\u1d00-\u1d7f\ua730-\ua731\u0280\u0262\u026a]{3}|[a-z]\p{Mn}|[a-z][\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]+[a-z]|[\u{e0020}-\u{e007e}]{4}/iu;
const ESCAPES = /(?:&#x?[\da-f]{2,6};){4}|(?:%[\da-f]{2}){4}|(?:\\u[\da-f]{4}){4}/i;
/** Invisible copies of ASCII characters. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu;
const TAG_BASE = 0xe0000;

/** Encoded text has no spaces, and a shorter run can't hold a phrase. */
const SHORTEST_RUN = 24;
const LONGEST_RUN = 4000;
const BASE64 = /[\w+/-]{24,}={0,2}/;
const HEX = /(?:[\da-f]{2}){12,}/i;
/** Encoded injections are few and short. A text with more runs is data, such as a table of keys. */
const MOST_RUNS = 200;
const READABLE = /^[\t\n\r -~\p{L}\p{M}\p{P}]{12,}$/u;

/** Phrases are matched within this distance of a sign. */
const AROUND = 240;
const ENGLISH = compile(PATTERNS.english);
const LATIN = [...ENGLISH, ...compile(PATTERNS.latin)];
const OTHER_SCRIPTS = compile(PATTERNS.other);
const OTHER_SCRIPT = /[\u0400-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
const SIGNS = { english: signOf(ENGLISH), latin: signOf(LATIN), others: signOf(OTHER_SCRIPTS) };

/**
 * Counts phrases that give instructions to a model, in any known language, also disguised with look-alike letters or
 * encoded. A hint for readers, never a filter: other wordings are missed.
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

function compile(group: readonly { signs: string[]; phrases: string[] }[]): InjectionPattern[] {
  const parts: Record<string, string> = PATTERNS.parts;
  return group.map(({ signs, phrases }) => {
    const source = phrases.join("|").replace(/\$\{(\w+)\}/g, (_, name) => parts[name] ?? "");
    return { signs, phrase: new RegExp(source, "gmu") };
  });
}

/** One expression for all signs, grouped by first character and anchored to word starts: three times as fast. */
function signOf(patterns: readonly InjectionPattern[]): RegExp {
  const signs = [...new Set(patterns.flatMap((pattern) => pattern.signs))];
  const groups = Map.groupBy(signs, (sign) => /^(?:\\.|.)/u.exec(sign)?.[0] ?? "");
  const alternatives = [...groups].map(
    ([first, all]) => `${first}(?:${all.map((sign) => sign.slice(first.length)).join("|")})`,
  );
  const words = alternatives.filter((pattern) => /^[a-z]/.test(pattern));
  const others = alternatives.filter((pattern) => !/^[a-z]/.test(pattern));
  return new RegExp([`\\b(?:${words.join("|")})`, ...others].join("|"), "g");
}

/** Matches phrases only near their signs, which are rare and cheap to find. */
function countIn(small: string, sign: RegExp, patterns: readonly InjectionPattern[]): number {
  return placesOf(small, sign)
    .flatMap(([start, end]) => patterns.map(({ phrase }) => small.slice(start, end).match(phrase)))
    .reduce((sum, found) => sum + (found?.length ?? 0), 0);
}

/** Ranges around all signs, merged where they overlap. */
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

/** The first long runs without spaces. Ordinary text is sampled at one character in SHORTEST_RUN. */
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
