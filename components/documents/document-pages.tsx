import type { ReactNode } from "react";
import type { OpenDocument } from "@/lib/library/documents/library-schema";
import type { KbQuote } from "@/lib/library/documents/quote-schema";
import { FORMATS } from "@/lib/reading/formats";
import { PageViewer } from "./page-viewer";

interface DocumentPagesProps {
  opened: OpenDocument;
  quote: KbQuote | null;
  /** The text. */
  children: ReactNode;
}

/** A document's text, beside its pages if it is a PDF whose file is stored. On narrow screens the pages come first. */
export function DocumentPages({ opened, quote, children }: DocumentPagesProps) {
  const { document, report, last_page } = opened;
  const pages = report?.pages ?? last_page;
  const isPdf = document.media_type === FORMATS.pdf.mediaTypes[0];
  if (!isPdf || !document.has_original || !pages) {
    return children;
  }
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="min-w-0 xl:sticky xl:top-20 xl:order-last xl:max-h-[calc(100dvh-6rem)] xl:overflow-y-auto">
        <PageViewer
          documentId={document.id}
          pages={pages}
          start={quote?.boxes?.[0]?.page ?? quote?.page ?? 1}
          boxes={quote?.boxes ?? []}
        />
      </div>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
