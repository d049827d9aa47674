import { ExternalLink, FileText } from "lucide-react";
import type { Citation, SourceQuote } from "@/lib/citations/schema";
import { documentPath, webAddress } from "./addresses";

interface SourceLinksProps {
  citation: Citation;
  quote?: SourceQuote | null | undefined;
}

const LINK =
  "inline-flex min-h-6 min-w-0 items-center gap-1 text-accent text-xs [&>span]:underline [&>span]:underline-offset-4 [&_svg]:size-3.5 [&_svg]:shrink-0";

/** The ways to a source: to its words in the console, and to its own page on the web. */
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
