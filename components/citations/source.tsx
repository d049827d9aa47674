import { ExternalLink, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { KNOWLEDGE_LABELS } from "@/components/keys/labels";
import type { Citation, SourceQuote } from "@/lib/answers/citations/schema";
import { cn } from "@/lib/cn";
import { useSelection } from "./citation-scope";
import { formatSimilarity, formatWarning } from "./labels";

interface SourceProps {
  citation: Citation;
  quote?: SourceQuote | null | undefined;
}

interface SourceHeadingProps extends SourceProps {
  /** Of the second line. */
  className?: string;
}

/** A source's number and title, and where its passage is. */
export function SourceHeading({ citation, quote, className }: SourceHeadingProps) {
  return (
    <div className="grid gap-0.5">
      <div className="flex items-start justify-between gap-2">
        <p className="min-w-0 break-words font-medium">
          <span className="mr-1.5 font-mono text-accent text-xs">[{citation.id}]</span>
          {citation.title}
        </p>
      </div>
      <p className={cn("text-muted text-xs", className)}>{formatPlace(citation, quote)}</p>
    </div>
  );
}

/** A warning about a passage. */
export function SourceWarning({ children }: { children: ReactNode }) {
  return <p className="rounded-md bg-warning-soft px-2 py-1 text-warning text-xs">{children}</p>;
}

export function SourceWarnings({ citation }: Pick<SourceProps, "citation">) {
  const { warnings } = citation.metadata;
  const codes = Array.isArray(warnings) ? warnings : [];
  const standing = citation.document?.standing;
  return (
    <>
      {standing && <SourceWarning>{STANDING_WARNINGS[standing]}</SourceWarning>}
      {codes
        .filter((code) => typeof code === "string")
        .map((code) => (
          <SourceWarning key={code}>{formatWarning(code)}</SourceWarning>
        ))}
    </>
  );
}

const STANDING_WARNINGS = {
  superseded: "This document was superseded by a newer one.",
  retracted: "This document was retracted. Don’t rely on it.",
};

const LINK =
  "inline-flex min-h-6 min-w-0 items-center gap-1 text-accent text-xs print:flex-wrap [&>span]:underline [&>span]:underline-offset-4 [&_svg]:size-3.5 [&_svg]:shrink-0";

/** Links to a source: its quote in the console, and its own web page. */
export function SourceLinks({ citation, quote }: SourceProps) {
  const web = webAddress(citation);
  const canOpen = !useSelection()?.isShared || citation.scope === "public_kb";
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {canOpen && (
        <a
          href={documentPath(citation, quote)}
          data-address={quote?.permalink}
          target="_blank"
          rel="noopener"
          className={LINK}
          aria-label={`${quote ? "Open the quote" : "Open the document"}: ${citation.title} (new tab)`}
        >
          <FileText aria-hidden />
          <span>{quote ? "Open the quote" : "Open the document"}</span>
        </a>
      )}
      {web && (
        <a
          href={web.href}
          data-address={web.href}
          target="_blank"
          rel="noopener noreferrer"
          className={LINK}
          aria-label={`${web.host}: ${citation.title} (new tab)`}
        >
          <ExternalLink aria-hidden />
          <span className="truncate">{web.host}</span>
        </a>
      )}
    </p>
  );
}

const DOCUMENTS = "/documents/";

/** The source's path in the console: its quote if there is one, else the document. */
export function documentPath(
  { document_id }: Pick<Citation, "document_id">,
  quote: Pick<SourceQuote, "permalink"> | null | undefined,
): string {
  const link = quote?.permalink ? URL.parse(quote.permalink) : null;
  // Only the path is used, so the link can't lead to another site.
  return link?.pathname.startsWith(DOCUMENTS)
    ? `${link.pathname}${link.search}`
    : `${DOCUMENTS}${encodeURIComponent(document_id)}`;
}

/** The source's own URL; null if it has none, or if it isn't http or https. */
export function webAddress({ metadata }: Pick<Citation, "metadata">): URL | null {
  const { url } = metadata;
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  return parsed && ["http:", "https:"].includes(parsed.protocol) ? parsed : null;
}

/** Such as `Public · Page 3 · Treatment · Similarity 0.54`: the passage's location and similarity. */
function formatPlace(citation: Citation, quote?: SourceQuote | null): string {
  const { metadata } = citation;
  const page = quote?.page ?? numberOf(metadata.page);
  const last = quote?.page ? null : numberOf(metadata.page_end);
  const section = quote?.section ?? textOf(metadata.section);
  return [
    KNOWLEDGE_LABELS[citation.scope]?.name ?? citation.scope,
    page === null ? null : `${last ? "Pages" : "Page"} ${last ? `${page}–${last}` : page}`,
    section,
    `Similarity ${formatSimilarity(citation.similarity)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}
