import { toSkeleton } from "@/lib/text/confusables";
import { countDelimiters } from "@/lib/text/escape-delimiters";
import PATTERNS from "./injection-patterns.json" with { type: "json" };
import type { ReadDocument } from "./read-task";
import WARNING_MESSAGES from "./warning-messages.json" with { type: "json" };

/** Images and frames, links that execute or carry text, and URLs with a placeholder for data. */
const LEAKS = new RegExp(
  [
    String.raw`!\[[^\]\n]{0,300}\](?:\(\s{0,3}<?(?:https?:|//|data:)|\[)`,
    String.raw`<(?:img|iframe|frame|object|embed|video|audio|link|form|script|image)\b[^<>]{0,300}?\b(?:src|srcset|href|data|action|poster)\s{0,3}=`,
    String.raw`(?:\]\(|\]:)\s{0,3}<?(?:javascript|vbscript|data):`,
    String.raw`https?://[^\s"'<>()]{1,300}[?&#][\w.-]{1,40}=(?:[{[<$]|%7b|%5b|\.{3}|…)`,
  ].join("|"),
  "gi",
);

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
const LATIN = compile([...PATTERNS.english, ...PATTERNS.latin]);
const OTHER_SCRIPTS = compile(PATTERNS.other);
const OTHER_SCRIPT = /[\u0400-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/** What a person can't see or wouldn't expect in a text: counters by code. */
const SIGNS = {
  // Joiners are legitimate in emoji and in scripts that need them.
  zero_width_characters: matches(
    /[\u200B\u2060-\u2064\u180E\uFEFF\u3164\uFFA0]|(?<=[\p{Script=Latin}\d])[\u200C\u200D]/gu,
  ),
  bidi_controls: matches(/[\u202A-\u202E\u2066-\u2069]/g),
  // Legitimate: tags after a black flag, as in Scotland's flag, and a single variation selector.
  tag_characters: matches(
    /(?<!\u{1F3F4}[\u{E0000}-\u{E007F}]{0,7})[\u{E0000}-\u{E007F}]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}/gu,
  ),
  addresses_the_model: countInjections,
  imitates_sources: countDelimiters,
  leaking_links: matches(LEAKS),
};

/** The text of a page with a lower confidence may be wrong. */
const LOW = 0.5;
const MOST_RANGES = 20;

/** By code: for signs, and for what the parsers report. `{one|several}` has the words for one and for any other count. */
const MESSAGES: Record<string, string> = WARNING_MESSAGES;

const CODES = Object.keys(SIGNS) as (keyof typeof SIGNS)[];

/** The document's signs that occur in a passage. */
export function signsIn(passage: string, codes: readonly string[]): string[] {
  return CODES.filter((code) => codes.includes(code) && SIGNS[code](passage) > 0);
}

/** Counts the signs that occur in a text. */
export function countSigns(text: string): Map<string, number> {
  const counts = CODES.map((code) => [code, SIGNS[code](text)] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

/** A warning that names the pages whose text can't be trusted. */
export function pageWarnings(confidence: readonly (number | null)[]): ReadDocument["warnings"] {
  const low = confidence.flatMap((each, at) => (each !== null && each < LOW ? [at + 1] : []));
  const ranges = low.flatMap((page) => (low.includes(page - 1) ? [] : [rangeFrom(page, low)]));
  const more = ranges.length > MOST_RANGES ? ", …" : "";
  const pages = ranges.slice(0, MOST_RANGES).join(", ") + more;
  const code = "low_page_confidence";
  return pages ? [{ code, message: MESSAGES[code]?.replace("{pages}", pages) ?? code }] : [];
}

function rangeFrom(first: number, pages: readonly number[]): string {
  let last = first;
  while (pages.includes(last + 1)) {
    last += 1;
  }
  return last > first ? `${first}-${last}` : String(first);
}

export function toWarnings(counts: ReadonlyMap<string, number>): ReadDocument["warnings"] {
  return [...counts].map(([code, count]) => ({
    code,
    message: MESSAGES[code] ? withCount(MESSAGES[code], count) : code,
  }));
}

function withCount(message: string, count: number): string {
  return message
    .replace(/\{([^{}|]+)\|([^{}|]+)\}/g, (_, one, several) => (count === 1 ? one : several))
    .replace("{count}", String(count));
}

function matches(pattern: RegExp): (text: string) => number {
  return (text) => text.match(pattern)?.length ?? 0;
}

/**
 * Counts phrases that give instructions to a model, in any known language, also disguised with look-alike letters or
 * encoded. A hint for readers, never a filter: other wordings are missed.
 */
function countInjections(text: string): number {
  const small = text.toLowerCase();
  const others = OTHER_SCRIPT.test(small) ? countIn(small, OTHER_SCRIPTS) : 0;
  const plain = countIn(small, LATIN) + others;
  const runs = longRuns(text);
  const isDisguised =
    (/[^\0-\x7f]/.test(text) && DISGUISED.test(text)) || runs.some((run) => ESCAPES.test(run));
  const disguised = isDisguised ? countEnglish(toSkeleton(readTags(text))) : 0;
  const encoded = runs.flatMap(decodings).reduce((sum, run) => sum + countEnglish(run), 0);
  return Math.max(plain, disguised) + encoded;
}

function countEnglish(text: string): number {
  return countIn(text.toLowerCase(), ENGLISH);
}

/** Phrases that give instructions to a model, and regular expressions that match every such phrase and little else. */
interface InjectionPatterns {
  sign: RegExp;
  phrases: RegExp[];
}

/** Each sign starts with a literal character. */
function compile(group: readonly { signs: string[]; phrases: string[] }[]): InjectionPatterns {
  const parts: Record<string, string> = PATTERNS.parts;
  const phrases = group.map((each) => {
    const source = each.phrases.join("|").replace(/\$\{(\w+)\}/g, (_, name) => parts[name] ?? "");
    return new RegExp(source, "gmu");
  });
  return { sign: signOf(group.flatMap(({ signs }) => signs)), phrases };
}

/** One expression for all signs, grouped by first character and anchored to word starts: three times as fast. */
function signOf(signs: readonly string[]): RegExp {
  const groups = Map.groupBy(new Set(signs), (sign) => /^(?:\\.|.)/u.exec(sign)?.[0] ?? "");
  const alternatives = [...groups].map(
    ([first, all]) => `${first}(?:${all.map((sign) => sign.slice(first.length)).join("|")})`,
  );
  const words = alternatives.filter((pattern) => /^[a-z]/.test(pattern));
  const others = alternatives.filter((pattern) => !/^[a-z]/.test(pattern));
  return new RegExp([`\\b(?:${words.join("|")})`, ...others].join("|"), "g");
}

/** Matches phrases only near their signs, which are rare and cheap to find. */
function countIn(small: string, { sign, phrases }: InjectionPatterns): number {
  return placesOf(small, sign).flatMap(([start, end]) =>
    phrases.flatMap((each) => small.slice(start, end).match(each) ?? []),
  ).length;
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
