import type { Citation, SourceQuote } from "@/lib/citations/schema";

const DOCUMENTS = "/documents/";

/** Where the console shows a source: at the quoted words when there are some, else the document. */
export function documentPath(
  { document_id }: Pick<Citation, "document_id">,
  quote: Pick<SourceQuote, "permalink"> | null | undefined,
): string {
  const link = quote && URL.canParse(quote.permalink) ? new URL(quote.permalink) : null;
  // A path of this console, whatever address it is read at: nothing here leads elsewhere.
  return link?.pathname.startsWith(DOCUMENTS)
    ? `${link.pathname}${link.search}`
    : `${DOCUMENTS}${encodeURIComponent(document_id)}`;
}

/** A source's own address on the web; null without one, or with one that is no web page. */
export function webAddress({ metadata }: Pick<Citation, "metadata">): URL | null {
  const { url } = metadata;
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  return parsed && ["http:", "https:"].includes(parsed.protocol) ? parsed : null;
}
