import type { Range } from "./places";

/** A passage's excerpt with the quoted text highlighted. */
export function QuotedExcerpt(passage: { excerpt: string; quotes: readonly string[] }) {
  let at = 0;
  return (
    <blockquote className="border-l-2 pl-3 font-serif text-[0.9375rem] leading-6 [overflow-wrap:anywhere]">
      {excerptParts(passage.excerpt, passage.quotes).map(({ text, isQuoted }) => {
        const key = at;
        at += text.length;
        return isQuoted ? (
          <mark key={key} className="rounded-sm bg-warning-soft box-decoration-clone text-ink">
            {text}
          </mark>
        ) : (
          <span key={key} className="text-muted">
            {text}
          </span>
        );
      })}
    </blockquote>
  );
}

/** Part of a passage; `isQuoted`: it supports the claim. */
interface Part {
  text: string;
  isQuoted: boolean;
}

const CUT = "…";
/** Shorter overlaps at the end of a truncated excerpt may be coincidence. */
const LEAST_SHARED = 12;

/**
 * Splits a passage's excerpt into quoted and unquoted parts. If a quote extends past the end of the excerpt, or
 * lies beyond it, the missing text is appended so that the whole quote is shown.
 */
export function excerptParts(excerpt: string, quotes: readonly string[]): Part[] {
  const isCut = excerpt.endsWith(CUT);
  const body = isCut ? excerpt.slice(0, -CUT.length) : excerpt;
  const ranges: Range[] = [];
  const apart: string[] = [];
  const tails = [""];
  for (const quote of new Set(quotes.map((words) => words.trim()).filter(Boolean))) {
    const range = find(body, quote) ?? (isCut ? findAtEnd(body, quote) : null);
    if (range) {
      ranges.push(range);
      tails.push(quote.slice(quote.length - Math.max(0, range.end - body.length)));
    } else {
      apart.push(quote);
    }
  }
  const [tail = ""] = tails.toSorted((a, b) => b.length - a.length);
  let text = body + tail + (isCut && apart.length === 0 ? CUT : "");
  for (const quote of apart) {
    text += ` ${CUT} ${quote}`;
    ranges.push({ start: text.length - quote.length, end: text.length });
  }
  return split(text, ranges);
}

/** A whole quote, regardless of whitespace. */
function find(body: string, quote: string): Range | null {
  const words = quote.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(words.join("\\s+")).exec(body);
  return found && { start: found.index, end: found.index + found[0].length };
}

/** A quote that starts at the end of the excerpt. Its range extends beyond the excerpt. */
function findAtEnd(body: string, quote: string): Range | null {
  for (let length = Math.min(body.length, quote.length - 1); length >= LEAST_SHARED; length -= 1) {
    if (body.endsWith(quote.slice(0, length))) {
      return { start: body.length - length, end: body.length - length + quote.length };
    }
  }
  return null;
}

/** Splits a text where quoted ranges, which may overlap, start and end. */
function split(text: string, ranges: readonly Range[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = parts.at(-1);
    if (last && start <= at) {
      last.text += text.slice(at, end);
    } else {
      parts.push({ text: text.slice(at, start), isQuoted: false });
      parts.push({ text: text.slice(start, end), isQuoted: true });
    }
    at = Math.max(at, end);
  }
  return [...parts, { text: text.slice(at), isQuoted: false }].filter((part) => part.text);
}
