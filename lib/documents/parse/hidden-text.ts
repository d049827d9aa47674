import { countDelimiters } from "@/lib/text/escape-delimiters";
import { countInjections } from "./injection-heuristics";
import type { DocumentWarning } from "./pool";

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

interface Sign {
  count: (text: string) => number;
  message: (count: number) => string;
}

/** What a person can't see or wouldn't expect in a text, by code. */
const SIGNS = {
  zero_width_characters: {
    // Joiners are legitimate in emoji and in scripts that need them.
    count: matches(
      /[\u200B\u2060-\u2064\u180E\uFEFF\u3164\uFFA0]|(?<=[\p{Script=Latin}\d])[\u200C\u200D]/gu,
    ),
    message: (count) => `The text has ${count} zero-width characters, which a reader can't see.`,
  },
  bidi_controls: {
    count: matches(/[\u202A-\u202E\u2066-\u2069]/g),
    message: (count) =>
      `The text has ${count} characters that change the writing direction, so it may not read as it looks.`,
  },
  tag_characters: {
    // Legitimate: tags after a black flag, as in Scotland's flag, and a single variation selector.
    count: matches(
      /(?<!\u{1F3F4}[\u{E0000}-\u{E007F}]{0,7})[\u{E0000}-\u{E007F}]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}/gu,
    ),
    message: (count) =>
      `The text has ${count} invisible tag characters, which can hide a message from a reader.`,
  },
  addresses_the_model: {
    count: countInjections,
    message: (count) =>
      `The text has ${count} phrases that address an AI model instead of a reader. They are quoted unchanged, never followed.`,
  },
  imitates_sources: {
    count: countDelimiters,
    message: (count) =>
      `The text has ${count} delimiters that imitate a source in a prompt. The model sees them in round brackets.`,
  },
  leaking_links: {
    count: matches(LEAKS),
    message: (count) =>
      `The text has ${count} images or links that could send parts of an answer to another server.`,
  },
} satisfies Record<string, Sign>;

/** What the parsers report. */
const REPORTS: Record<string, (count: number) => string> = {
  hidden_text: (count) =>
    `The document has ${count} passages that a reader may not see: white, too small, or marked as hidden.`,
  invalid_characters: (count) =>
    `${count} characters could not be read and were replaced. Save the file as UTF-8 to keep them.`,
  suspect_encoding: () =>
    "The PDF does not map many of its glyphs to characters, so its text may be garbled. Print it to a new PDF and upload that.",
  deeply_nested: () =>
    "Parts of the document are nested too deeply, so it was parsed as plain text.",
  ragged_rows: (count) => `${count} rows have more or fewer columns than the first one.`,
  pages_without_text: (count) =>
    `${count} pages have no text. If they are scans, run text recognition (OCR) and upload the document again.`,
  incomplete: (count) => `${count} parts of the document could not be read and are missing.`,
};

const CODES = Object.keys(SIGNS) as (keyof typeof SIGNS)[];

/** The document's signs that occur in a passage. */
export function signsIn(passage: string, codes: readonly string[]): string[] {
  return CODES.filter((code) => codes.includes(code) && SIGNS[code].count(passage) > 0);
}

/** Counts the signs that occur in a text. */
export function countSigns(text: string): Map<string, number> {
  const counts = CODES.map((code) => [code, SIGNS[code].count(text)] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

export function toWarnings(counts: ReadonlyMap<string, number>): DocumentWarning[] {
  return [...counts].map(([code, count]) => {
    const format = code in SIGNS ? SIGNS[code as keyof typeof SIGNS].message : REPORTS[code];
    return { code, message: format?.(count) ?? code };
  });
}

function matches(pattern: RegExp): (text: string) => number {
  return (text) => text.match(pattern)?.length ?? 0;
}
