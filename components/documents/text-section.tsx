"use client";

import { useMemo } from "react";
import type { TextQuery, TextWindow } from "@/lib/documents/library-schema";
import type { KbQuote } from "@/lib/documents/schema";
import { formatCount } from "./labels";
import { TextReader } from "./text-reader";

interface TextSectionProps {
  first: TextWindow;
  look: TextQuery;
  quote: KbQuote | null;
}

/** The text as it is stored, under its heading. */
export function TextSection({ first, look, quote }: TextSectionProps) {
  const start = quote?.char_start ?? null;
  const end = quote?.char_end ?? null;
  const range = useMemo(
    () => (start === null || end === null ? null : { start, end }),
    [start, end],
  );
  return (
    <section aria-labelledby="text" className="grid gap-1 rounded-lg border bg-surface p-4 sm:p-6">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="text" className="font-medium text-base">
          Text
        </h2>
        <p className="text-muted text-xs">
          {formatCount(first.length, "character")}. Each # begins a passage, which is what a search
          finds.
        </p>
      </header>
      <TextReader documentId={first.document_id} first={first} look={look} quote={range} />
    </section>
  );
}
