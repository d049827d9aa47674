"use client";

import { Link2, Link2Off } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { KbQuote } from "@/lib/documents/schema";

/** What a link to words of a document asked for; null: it does not say where to look. */
export type AskedQuote = KbQuote | null;

/** What became of the words that a link leads to. */
export function QuoteNotice({ quote }: { quote: AskedQuote }) {
  const isShown = quote?.status === "current" || quote?.status === "moved";
  const Icon = isShown ? Link2 : Link2Off;
  return (
    <section
      aria-label="Quoted words"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-accent-soft px-4 py-2.5"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-56 break-words">{formatQuote(quote)}</p>
      {isShown && (
        <Button size="sm" onClick={showQuote}>
          Show the words
        </Button>
      )}
    </section>
  );
}

/** The first of the quoted words, in the text. */
export const QUOTE_ID = "quote";

/** Brings the quoted words into the middle of the window, and the focus to them. */
export function showQuote(): void {
  const words = document.getElementById(QUOTE_ID);
  words?.scrollIntoView({ block: "center" });
  words?.focus({ preventScroll: true });
}

export function formatQuote(quote: AskedQuote): string {
  if (!quote) {
    return "This link does not say which words it means. The document is shown from its beginning.";
  }
  switch (quote.status) {
    case "current":
      return `The quoted words stand ${formatPlace(quote)}. They are highlighted.`;
    case "moved":
      return `The document has changed since it was quoted. The same words now stand ${formatPlace(quote)}; they are highlighted.`;
    default:
      return "The document has changed since it was quoted, and no longer has the quoted words. It is shown as it is now.";
  }
}

function formatPlace({ page, section }: KbQuote): string {
  const places = [page !== null && `on page ${page}`, section && `under “${section}”`];
  return places.filter(Boolean).join(", ") || "in the text below";
}
