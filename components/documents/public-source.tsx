import { ExternalLink } from "lucide-react";
import { ButtonLink } from "@/components/ui/button";
import { Day } from "@/components/ui/time";
import type { TextWindow } from "@/lib/library/documents/library-schema";
import type { KbQuote } from "@/lib/library/documents/quote-schema";
import type { PublicDocumentView } from "@/lib/library/documents/read/public";
import { MarkedText, wordsRenderer } from "./marked-text";
import { formatQuote, QUOTE_ID } from "./quote-label";
import { ScrollToQuote } from "./scroll-to-quote";
import { layOutText, type Range, type TextBlock } from "./text-layout";

/** A document of the public knowledge base, to read and to print, with the quoted words marked. */
export function PublicSource({ document, quote, window }: PublicDocumentView) {
  const range =
    quote?.char_start == null || quote.char_end === null
      ? null
      : { start: quote.char_start, end: quote.char_end };
  const blocks = layOutText(window, range);
  return (
    <article className="mx-auto grid max-w-3xl gap-6 px-4 py-10 sm:px-6 sm:py-16 print:py-0">
      <header className="grid gap-4 border-b pb-6">
        <SourceTitle kind="Public source" document={document} />
        <OriginLink url={document.url} />
      </header>
      <StandingNote standing={document.standing} />
      {quote && <Notice quote={quote} />}
      <MoreText window={window} id={document.id} direction="earlier" />
      <div className="grid gap-4 font-serif text-[1.125rem] leading-[1.7]">
        {blocks
          // The page has the title already.
          .filter(
            ({ kind, segments }) => !(kind === "heading" && isTitle(segments, document.title)),
          )
          .map((block) => (
            <Block key={block.start} block={block} range={range} />
          ))}
      </div>
      <MoreText window={window} id={document.id} direction="later" />
      {range && <ScrollToQuote key={range.start} />}
    </article>
  );
}

interface SourceTitleProps {
  /** Such as "Public source". */
  kind: string;
  document: PublicDocumentView["document"];
}

/** What a source is, when it was published, and its title. */
export function SourceTitle({ kind, document }: SourceTitleProps) {
  return (
    <>
      <p className="flex flex-wrap gap-x-3 text-[0.8125rem] text-muted">
        <span>{kind}</span>
        <span aria-hidden>·</span>
        <span className="first-letter:uppercase">{document.source_type}</span>
        {document.published_at && (
          <>
            <span aria-hidden>·</span>
            <span>
              Published <Day value={document.published_at} />
            </span>
          </>
        )}
      </p>
      <h1 className="text-balance font-medium font-serif text-4xl leading-[1.08] tracking-[-0.02em] [overflow-wrap:anywhere] sm:text-5xl">
        {document.title}
      </h1>
    </>
  );
}

/** Warns of a document that no longer stands. */
export function StandingNote({ standing }: Pick<PublicDocumentView["document"], "standing">) {
  return (
    standing !== "current" && (
      <p role="note" className="rounded-lg bg-warning-soft px-4 py-3 text-warning">
        {standing === "retracted"
          ? "This document was retracted. Don’t rely on it."
          : "This document was superseded by a newer one."}
      </p>
    )
  );
}

/** Shown to an address that opens sources faster than anyone reads. */
export function BusySource() {
  return (
    <div className="mx-auto grid max-w-xl justify-items-center gap-3 px-4 py-24 text-center">
      <h1 className="font-medium font-serif text-4xl tracking-[-0.02em]">
        Too many sources at once
      </h1>
      <p className="text-muted">Your network opened too many pages. Wait a minute and reload.</p>
    </div>
  );
}

function OriginLink({ url }: { url: string | null }) {
  return (
    url &&
    /^https?:/.test(url) && (
      <p>
        <a
          href={url}
          data-address={url}
          rel="noreferrer"
          target="_blank"
          className="inline-flex min-h-6 items-center gap-1.5 rounded-sm text-accent underline underline-offset-4 print:flex-wrap"
        >
          {new URL(url).host}
          <ExternalLink aria-hidden className="size-3.5" />
          <span className="sr-only">(new tab)</span>
        </a>
      </p>
    )
  );
}

function Notice({ quote }: { quote: KbQuote }) {
  const isShown = quote.status === "current" || quote.status === "moved";
  return (
    <p
      role="note"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg bg-warning-soft px-4 py-2.5"
    >
      <span className="min-w-0 flex-1 basis-56">{formatQuote(quote)}</span>
      {isShown && (
        <a
          href={`#${QUOTE_ID}`}
          className="inline-flex min-h-6 items-center rounded-sm font-medium underline underline-offset-4 print:hidden"
        >
          Jump to quote
        </a>
      )}
    </p>
  );
}

function Block({ block, range }: { block: TextBlock; range: Range | null }) {
  const words = wordsRenderer(block, range, {
    className:
      "scroll-mt-32 rounded-sm outline-none bg-warning-soft box-decoration-clone text-ink underline decoration-2 decoration-warning underline-offset-4",
    // The link names these words.
    autoFocus: true,
  });
  if (block.kind === "heading") {
    return (
      <h2 className="pt-4 font-medium text-2xl leading-tight tracking-[-0.01em] [overflow-wrap:anywhere]">
        {words(block.segments)}
      </h2>
    );
  }
  return <MarkedText segments={block.segments} renderWords={words} />;
}

function isTitle(segments: TextBlock["segments"], title: string): boolean {
  return segments.map(({ text }) => text).join("") === title;
}

interface MoreTextProps {
  window: TextWindow;
  id: string;
  direction: "earlier" | "later";
}

/** A link to the text before or after the window. */
function MoreText({ window: { start, end, length }, id, direction }: MoreTextProps) {
  const isEarlier = direction === "earlier";
  const from = isEarlier ? Math.max(0, start - (end - start)) : end;
  return (
    (isEarlier ? start > 0 : end < length) && (
      <p className="print:hidden">
        <ButtonLink href={`/sources/${id}?from=${from}`} prefetch={false}>
          {isEarlier ? "Earlier text" : "Continue reading"}
        </ButtonLink>
      </p>
    )
  );
}
