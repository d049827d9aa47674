import { MarkedText } from "@/components/documents/marked-text";
import type { Segment } from "@/components/documents/text-layout";
import { QuotedCells } from "@/components/ui/quoted-cells";
import { unbroken } from "@/components/ui/unbroken";
import type { SourceQuote } from "@/lib/citations/schema";
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
      <MarkedText
        segments={segments}
        renderText={(text) => <p className="whitespace-pre-line">{text.map(toWords)}</p>}
        renderWords={(text) => text.map(toWords)}
      />
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
const BULLET = "- ";
/** The most that is between two sentences in a row: a blank line. */
const MAX_SPACE = 2;
/** Shorter overlaps at the end of a truncated excerpt may be coincidence. */
const LEAST_SHARED = 12;

/**
 * Splits a passage's excerpt into quoted and unquoted parts. If a quote extends past the end of the excerpt, or
 * lies beyond it, the missing text is appended so that the whole quote is shown, on lines of its own.
 */
export function excerptParts(excerpt: string, quotes: readonly Quote[]): Part[] {
  const isCut = excerpt.endsWith(CUT);
  const body = isCut ? excerpt.slice(0, -CUT.length) : excerpt;
  const ranges: Range[] = [];
  const apart: string[] = [];
  const tails = [""];
  for (const quote of new Set(joinAdjacent(quotes).filter(Boolean))) {
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
    text += `\n${CUT}${spaceBefore(quote)}${quote}`;
    ranges.push({ start: text.length - quote.length, end: text.length });
  }
  return split(text, ranges);
}

/** The words of the quotes. What is quoted without a gap is one quote. */
function joinAdjacent(quotes: readonly Quote[]): string[] {
  const joined: string[] = [];
  let end = Number.NaN;
  for (const quote of quotes.toSorted((a, b) => a.char_start - b.char_start)) {
    const text = quote.text.trim();
    const gap = quote.char_start - end;
    if (gap >= 0 && gap <= MAX_SPACE) {
      joined.push(`${joined.pop()}${spaceBefore(text)}${text}`);
    } else {
      joined.push(text);
    }
    end = quote.char_end;
  }
  return joined;
}

/** An item of a list has a line of its own. */
function spaceBefore(quote: string): string {
  return quote.startsWith(BULLET) ? "\n" : " ";
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
