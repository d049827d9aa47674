"use client";

import {
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { ErrorNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { useInView } from "@/components/ui/use-in-view";
import { formatCount } from "@/lib/format-count";
import { textQuery } from "@/lib/library/documents/client";
import type { TextQuery, TextWindow } from "@/lib/library/documents/library-schema";
import type { KbQuote } from "@/lib/library/documents/quote-schema";
import { showQuote } from "./quote-notice";
import { TextPart } from "./text-part";

interface TextReaderProps {
  /** The window that the server loaded, and its query. */
  first: TextWindow;
  look: TextQuery;
  quote: KbQuote | null;
}

/** A document's text, loaded in both directions as the reader scrolls. */
export function TextReader({ first, look, quote }: TextReaderProps) {
  const options = textQuery(first.document_id, look);
  const query = useInfiniteQuery({
    ...options,
    initialData: { pages: [first], pageParams: [look] },
  });
  const client = useQueryClient();
  const { queryKey } = options;
  useEffect(() => {
    // Another version has other passages: what was loaded of the old one goes.
    client.setQueryData(queryKey, (loaded) =>
      loaded?.pages.some(({ passages }) => passages[0]?.id === first.passages[0]?.id)
        ? undefined
        : { pages: [first], pageParams: [look] },
    );
  }, [client, queryKey, first, look]);
  const parts = useStableScroll(query.data.pages[0]?.start ?? 0);
  const start = quote?.char_start ?? null;
  const end = quote?.char_end ?? null;
  const range = useMemo(
    () => (start === null || end === null ? null : { start, end }),
    [start, end],
  );
  useEffect(() => {
    if (range) {
      showQuote();
    }
  }, [range]);
  return (
    <section aria-labelledby="text" className="grid gap-1 rounded-lg border bg-surface p-4 sm:p-6">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="text" className="font-medium text-base">
          Text
        </h2>
        <p className="text-muted text-xs">
          {formatCount(first.length, "character")}. Each # starts a passage, the unit that search
          returns.
        </p>
      </header>
      {/* The browser's own anchoring would scroll a second time. */}
      <div ref={parts} className="grid [overflow-anchor:none]">
        <MoreText direction="earlier" query={query} />
        {query.data.pages.map((page) => (
          <TextPart key={page.start} window={page} quote={range} />
        ))}
        <MoreText direction="later" query={query} />
      </div>
    </section>
  );
}

interface MoreTextProps {
  direction: "earlier" | "later";
  query: UseInfiniteQueryResult;
}

/** Loads more text when it scrolls into view, or by its button. */
function MoreText({ direction, query }: MoreTextProps) {
  const isEarlier = direction === "earlier";
  const hasMore = isEarlier ? query.hasPreviousPage : query.hasNextPage;
  const isFetching = isEarlier ? query.isFetchingPreviousPage : query.isFetchingNextPage;
  const isFailed = isEarlier ? query.isFetchPreviousPageError : query.isFetchNextPageError;
  const load = () => void (isEarlier ? query.fetchPreviousPage() : query.fetchNextPage());
  const edge = useInView<HTMLDivElement>(hasMore && !isFetching && !isFailed, load);
  return (
    hasMore && (
      <div ref={edge} className="py-3">
        {isFailed ? (
          <ErrorNotice
            title={`Couldn’t load the ${direction} text.`}
            description={query.error?.message}
            onRetry={load}
          />
        ) : (
          <Button isPending={isFetching} onClick={load}>
            Load {direction} text
          </Button>
        )}
      </div>
    )
  );
}

/** Keeps the reading position when text is added above. `start`: where the loaded text starts. */
function useStableScroll(start: number) {
  const parts = useRef<HTMLDivElement>(null);
  const previous = useRef<{ start: number; part: HTMLElement; top: number } | null>(null);
  useLayoutEffect(() => {
    const before = previous.current;
    if (before && start < before.start && before.part.isConnected) {
      window.scrollBy(0, before.part.offsetTop - before.top);
    }
    const part = parts.current?.querySelector<HTMLElement>("[data-part]");
    previous.current = part ? { start, part, top: part.offsetTop } : null;
  });
  return parts;
}
