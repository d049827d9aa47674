/** A passage's excerpt with the quoted text highlighted. */
export function QuotedExcerpt(passage: { excerpt: string; quotes: readonly string[] }) {
  let at = 0;
  return (
    <blockquote className="border-l-2 pl-3 text-xs leading-5 [overflow-wrap:anywhere]">
      {excerptParts(passage.excerpt, passage.quotes).map(({ text, isQuoted }) => {
        const key = at;
        at += text.length;
        return isQuoted ? (
          <mark key={key} className="rounded-sm bg-accent-soft font-medium text-ink">
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
  const texts = [...new Set(quotes.map((words) => words.trim()).filter(Boolean))];
  const found = texts.map((quote) => find(body, quote) ?? (isCut ? findAtEnd(body, quote) : null));
  const tail = longest(found.map((one) => one?.tail ?? ""));
  const apart = texts.filter((_, at) => found[at] === null);
  const parts = [
    ...split(
      body,
      found.filter((one) => one !== null),
    ),
    { text: tail, isQuoted: true },
    ...(isCut && apart.length === 0 ? [{ text: CUT, isQuoted: false }] : []),
    ...apart.flatMap((text) => [
      { text: ` ${CUT} `, isQuoted: false },
      { text, isQuoted: true },
    ]),
  ];
  return joinEqual(parts).filter(({ text }) => text);
}

/** A quote's position in an excerpt, and the part beyond the excerpt's end. */
interface Found {
  start: number;
  end: number;
  tail: string;
}

/** A whole quote, regardless of whitespace. */
function find(body: string, quote: string): Found | null {
  const words = quote.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(words.join("\\s+")).exec(body);
  return found && { start: found.index, end: found.index + found[0].length, tail: "" };
}

/** A quote that starts at the end of the excerpt. */
function findAtEnd(body: string, quote: string): Found | null {
  for (let length = Math.min(body.length, quote.length - 1); length >= LEAST_SHARED; length -= 1) {
    if (body.endsWith(quote.slice(0, length))) {
      return { start: body.length - length, end: body.length, tail: quote.slice(length) };
    }
  }
  return null;
}

function longest(texts: readonly string[]): string {
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

function split(body: string, ranges: readonly Found[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    parts.push({ text: body.slice(at, Math.max(at, start)), isQuoted: false });
    parts.push({ text: body.slice(Math.max(at, start), Math.max(at, end)), isQuoted: true });
    at = Math.max(at, end);
  }
  return [...parts, { text: body.slice(at), isQuoted: false }];
}

function joinEqual(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && (last.isQuoted === part.isQuoted || part.text === "")) {
      joined[joined.length - 1] = { ...last, text: last.text + part.text };
    } else {
      joined.push(part);
    }
  }
  return joined;
}
