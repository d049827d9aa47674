import { countDelimiters } from "@/lib/text/escape-delimiters";
import { countStruck } from "@/lib/text/unasserted";
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

/** Marks with which chat templates begin and end turns and calls. */
const TURNS =
  /<\|(?:im_start|im_end|im_sep|system|user|assistant|end|endoftext|begin_of_text|start_header_id|end_header_id|eot_id|eom_id|start|message|channel|return|call|endofprompt|start_of_role|end_of_role|start_of_turn_token|end_of_turn_token)\|>|<｜[^｜\n]{1,30}｜>|<\/?(?:start|end)_of_turn>|\[\/?inst\]|<<\/?sys>>|\[\/?system_prompt\]|<\/?(?:tool_call|tool_response|function_calls?)>/gi;

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
  imitates_turns: matches(TURNS),
  imitates_sources: countDelimiters,
  leaking_links: matches(LEAKS),
  struck_text: countStruck,
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
