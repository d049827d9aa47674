import { MarkedText } from "@/components/documents/marked-text";
import { BULLET, type Segment } from "@/components/documents/text-layout";
import { QuotedCells } from "@/components/ui/quoted-cells";
import { unbroken } from "@/components/ui/unbroken";
import type { SourceQuote } from "@/lib/answers/citations/schema";
import type { Range } from "./places";

interface QuotedExcerptProps {
  excerpt: string;
  quotes: readonly (Quote & Pick<SourceQuote, "cells">)[];
}

/** A passage's excerpt with the quoted text highlighted. Quoted rows of a table are shown with their columns' names. */
export function QuotedExcerpt({ excerpt, quotes }: QuotedExcerptProps) {
  const rows = quotes.filter(({ cells }) => cells);
  const words = quotes.filter(({ cells }) => !cells);
  return (
    <div className="grid min-w-0 gap-2">
      {rows.map(({ text, cells }) => (
        <QuotedCells key={text} cells={cells ?? []} />
      ))}
      {(rows.length === 0 || words.length > 0) && <Excerpt parts={excerptParts(excerpt, words)} />}
    </div>
  );
}

function Excerpt({ parts }: { parts: readonly Part[] }) {
  let at = 0;
  const segments = parts.map((part) => {
    const start = at;
    at += part.text.length;
    return { ...part, start };
  });
  return (
    <blockquote className="grid min-w-0 gap-2 border-l-2 pl-3 font-serif text-[0.9375rem] leading-6 [overflow-wrap:anywhere]">
      <MarkedText segments={segments} renderWords={(text) => text.map(toWords)} />
    </blockquote>
  );
}

function toWords({ start, text, isQuoted }: Segment) {
  return isQuoted ? (
    <mark key={start} className="rounded-sm bg-warning-soft box-decoration-clone text-ink">
      {unbroken(text)}
    </mark>
  ) : (
    <span key={start} className="text-muted">
      {unbroken(text)}
    </span>
  );
}

type Quote = Pick<SourceQuote, "text" | "char_start" | "char_end">;

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
 * lies beyond it, the missing text is appended so that the whole quote is shown, on a line of its own.
 */
export function excerptParts(excerpt: string, quotes: readonly Quote[]): Part[] {
  const isCut = excerpt.endsWith(CUT);
  const body = isCut ? excerpt.slice(0, -CUT.length) : excerpt;
  const found = inOrder(quotes).map((quote) => ({
    ...quote,
    range: find(body, quote.text) ?? (isCut ? findAtEnd(body, quote.text) : null),
  }));
  const tails = found.map(({ text, range }) =>
    range ? text.slice(text.length - Math.max(0, range.end - body.length)) : "",
  );
  const [tail = ""] = tails.toSorted((a, b) => b.length - a.length);
  const isWhole = found.every(({ range }) => range);
  let text = body + tail + (isCut && isWhole ? CUT : "");
  const ranges = found.map(({ range, ...quote }, index) => {
    if (range) {
      return range;
    }
    const last = found[index - 1];
    text += `${spaceBetween(last && text.endsWith(last.text) ? last : null, quote)}${quote.text}`;
    return { start: text.length - quote.text.length, end: text.length };
  });
  return split(text, ranges);
}

/** In document order, each text once. */
function inOrder(quotes: readonly Quote[]): Quote[] {
  const trimmed = quotes.map((quote) => ({ ...quote, text: quote.text.trim() }));
  return [...new Map(trimmed.map((quote) => [quote.text, quote])).values()]
    .filter(({ text }) => text)
    .toSorted((a, b) => a.char_start - b.char_start);
}

/** What is between two quotes. `last` is shown right before, if any is. */
function spaceBetween(last: Quote | null, next: Quote): string {
  const isItem = next.text.startsWith(BULLET);
  switch (last && next.char_start - last.char_end) {
    case BULLET.length + 1:
      return `\n${BULLET}`;
    case 2:
      return "\n";
    case 0:
    case 1:
      return isItem ? "\n" : " ";
    default:
      return `\n${CUT}${isItem ? "\n" : " "}`;
  }
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
