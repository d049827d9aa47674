import type { KbQuote } from "@/lib/library/documents/quote-schema";

/** The start of the quote in the text. */
export const QUOTE_ID = "quote";

export function formatQuote(quote: KbQuote | null): string {
  if (!quote) {
    return "This link doesn’t point to a quote. Showing the document from the start.";
  }
  switch (quote.status) {
    case "current":
      return `Quoted ${formatPlace(quote)}.`;
    case "moved":
      return `The document has changed since it was quoted. The quote is now ${formatPlace(quote)}.`;
    default:
      return "The document has changed and no longer contains this quote. Showing the current text.";
  }
}

/** Such as "on page 2, “Leave”". */
function formatPlace({ page, section }: KbQuote): string {
  const place = [page !== null && `on page ${page}`, section && `“${section}”`].filter(Boolean);
  if (place.length === 0) {
    return "in the text below";
  }
  return page === null ? `under ${place.join()}` : place.join(", ");
}
