"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef } from "react";
import { textQuery } from "@/lib/documents/client";
import type { TextQuery, TextWindow } from "@/lib/documents/library-schema";
import { MoreText } from "./more-text";
import { showQuote } from "./quote-notice";
import type { Range } from "./text-layout";
import { TextPart } from "./text-part";

interface TextReaderProps {
  documentId: string;
  /** What the server read, and where it looked. */
  first: TextWindow;
  look: TextQuery;
  quote: Range | null;
}

/** A document's text from where it was opened on; it goes on in both directions as far as one reads. */
export function TextReader({ documentId, first, look, quote }: TextReaderProps) {
  const query = useInfiniteQuery({
    ...textQuery(documentId, look),
    initialData: { pages: [first], pageParams: [look] },
  });
  const parts = useSteadyScroll(query.data.pages[0]?.start ?? 0);
  useEffect(() => {
    if (quote) {
      showQuote();
    }
  }, [quote]);
  const before = {
    hasMore: query.hasPreviousPage,
    isFetching: query.isFetchingPreviousPage,
    isFailed: query.isFetchPreviousPageError,
    error: query.error,
    fetchMore: query.fetchPreviousPage,
  };
  const after = {
    hasMore: query.hasNextPage,
    isFetching: query.isFetchingNextPage,
    isFailed: query.isFetchNextPageError,
    error: query.error,
    fetchMore: query.fetchNextPage,
  };
  return (
    // The browser's own anchoring would move the window a second time.
    <div ref={parts} className="grid [overflow-anchor:none]">
      <MoreText what="before" {...before} />
      {query.data.pages.map((page) => (
        <TextPart key={page.start} window={page} quote={quote} />
      ))}
      <MoreText what="after" {...after} />
    </div>
  );
}

/** Keeps what is being read where it is, when text is put before it. `start`: where the text begins that is there. */
function useSteadyScroll(start: number) {
  const parts = useRef<HTMLDivElement>(null);
  const known = useRef<{ start: number; part: HTMLElement; top: number } | null>(null);
  useLayoutEffect(() => {
    const before = known.current;
    if (before && start < before.start && before.part.isConnected) {
      window.scrollBy(0, before.part.offsetTop - before.top);
    }
    const part = parts.current?.querySelector<HTMLElement>("[data-part]");
    known.current = part ? { start, part, top: part.offsetTop } : null;
  });
  return parts;
}
