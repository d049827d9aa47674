"use client";

import { Link2, Link2Off } from "lucide-react";
import { ShareButton } from "@/components/sharing/share-button";
import { Button } from "@/components/ui/button";
import type { KbQuote } from "@/lib/library/documents/quote-schema";
import { formatQuote, QUOTE_ID } from "./quote-label";

interface QuoteNoticeProps {
  quote: KbQuote | null;
  /** The quote as its permalink has it. */
  permalink: string;
  /** False for a document that anyone may read anyway. */
  canShare: boolean;
}

/** Whether a linked quote was found, and a button that jumps to it. Null: the link names no quote. */
export function QuoteNotice({ quote, permalink, canShare }: QuoteNoticeProps) {
  const isShown = quote?.status === "current" || quote?.status === "moved";
  const Icon = isShown ? Link2 : Link2Off;
  return (
    <section
      aria-label="Quote"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-accent-soft px-4 py-2.5"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-56 break-words">{formatQuote(quote)}</p>
      {isShown && (
        <>
          {canShare && (
            <ShareButton target={{ document_id: quote.document_id, quote: permalink }} size="sm" />
          )}
          <Button size="sm" onClick={showQuote}>
            Jump to quote
          </Button>
        </>
      )}
    </section>
  );
}

/** Scrolls to the quote and focuses it. */
export function showQuote(): void {
  const quote = document.getElementById(QUOTE_ID);
  quote?.scrollIntoView({ block: "center" });
  quote?.focus({ preventScroll: true });
}
