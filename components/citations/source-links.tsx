import { ExternalLink, FileText } from "lucide-react";
import type { Citation, SourceQuote } from "@/lib/citations/schema";

interface SourceLinksProps {
  citation: Citation;
  quote?: SourceQuote | null | undefined;
}

const LINK =
  "inline-flex min-h-6 min-w-0 items-center gap-1 text-accent text-xs [&>span]:underline [&>span]:underline-offset-4 [&_svg]:size-3.5 [&_svg]:shrink-0";

/** Links to a source: its quote in the console, and its own web page. */
export function SourceLinks({ citation, quote }: SourceLinksProps) {
  const web = webAddress(citation);
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      <a
        href={documentPath(citation, quote)}
        target="_blank"
        rel="noopener"
        className={LINK}
        aria-label={`${quote ? "Open the quote" : "Open the document"}: ${citation.title} (new tab)`}
      >
        <FileText aria-hidden />
        <span>{quote ? "Open the quote" : "Open the document"}</span>
      </a>
      {web && (
        <a
          href={web.href}
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
  const link = quote && URL.canParse(quote.permalink) ? new URL(quote.permalink) : null;
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
