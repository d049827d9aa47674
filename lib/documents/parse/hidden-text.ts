import { countDelimiters } from "@/lib/text/escape-delimiters";
import { countInjections } from "./injection-heuristics";
import type { DocumentWarning } from "./pool";

/** Images and frames, links that run or carry text, and addresses with a gap for what is to be sent. */
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
  says: (count: number) => string;
}

/** What a person would not see or not expect in a text, by code, and the sentence for `count` of it. */
const SIGNS = {
  zero_width_characters: {
    // Joiners inside emoji and in scripts that need them are meant to be there.
    count: matches(
      /[\u200B\u2060-\u2064\u180E\uFEFF\u3164\uFFA0]|(?<=[\p{Script=Latin}\d])[\u200C\u200D]/gu,
    ),
    says: (count) => `The text has ${count} characters without width, which a reader does not see.`,
  },
  bidi_controls: {
    count: matches(/[\u202A-\u202E\u2066-\u2069]/g),
    says: (count) =>
      `The text has ${count} characters that turn the direction of writing, so it may read otherwise than it looks.`,
  },
  tag_characters: {
    // A flag such as Scotland's is a black flag with tags after it; one variation selector chooses a glyph.
    count: matches(
      /(?<!\u{1F3F4}[\u{E0000}-\u{E007F}]{0,7})[\u{E0000}-\u{E007F}]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}/gu,
    ),
    says: (count) =>
      `The text has ${count} invisible tag characters, which can carry a message that a reader does not see.`,
  },
  addresses_the_model: {
    count: countInjections,
    says: (count) =>
      `The text has ${count} phrases that speak to an AI model and not to a reader. It is quoted as it is, never obeyed.`,
  },
  imitates_sources: {
    count: countDelimiters,
    says: (count) =>
      `The text has ${count} marks that imitate the frame of a source in a prompt. A model is shown them in round brackets.`,
  },
  leaking_links: {
    count: matches(LEAKS),
    says: (count) =>
      `The text has ${count} images or links that could tell another server what an answer repeats.`,
  },
} satisfies Record<string, Sign>;

/** What the readers of formats report. */
const REPORTS: Record<string, (count: number) => string> = {
  hidden_text: (count) =>
    `The document has ${count} passages that a reader may not see: white, too small to read, or marked as hidden.`,
  invalid_characters: (count) =>
    `${count} characters could not be read and were replaced. Save the file as UTF-8 to keep them.`,
  suspect_encoding: () =>
    "The PDF does not say which letters many of its signs are, so its text may be garbled. Print it to a new PDF and upload that.",
  deeply_nested: () =>
    "Parts of the document are nested too deep to be told apart, so it is read as plain text.",
  ragged_rows: (count) => `${count} rows have more or fewer columns than the first one.`,
  pages_without_text: (count) =>
    `${count} pages have no text. If they are scans, recognize their text (OCR) and upload the document again.`,
  incomplete: (count) => `${count} parts of the document could not be read and are left out.`,
};

const CODES = Object.keys(SIGNS) as (keyof typeof SIGNS)[];

/** Which of the signs of a document are in a passage of it. */
export function signsIn(passage: string, codes: readonly string[]): string[] {
  return CODES.filter((code) => codes.includes(code) && SIGNS[code].count(passage) > 0);
}

/** How often each sign is in a text; none that is not. */
export function countSigns(text: string): Map<string, number> {
  const counts = CODES.map((code) => [code, SIGNS[code].count(text)] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}

/** The sentences of what was counted. */
export function toWarnings(counts: ReadonlyMap<string, number>): DocumentWarning[] {
  return [...counts].map(([code, count]) => {
    const says = code in SIGNS ? SIGNS[code as keyof typeof SIGNS].says : REPORTS[code];
    return { code, message: says?.(count) ?? code };
  });
}

function matches(pattern: RegExp): (text: string) => number {
  return (text) => text.match(pattern)?.length ?? 0;
}
