"use client";

import type { ComponentProps } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { DOCUMENT_NOUN } from "./labels";
import { useComingNear } from "./use-in-view";

/** The end of the list, which goes on by itself when it comes near. */
export function MoreDocuments({ query, count }: Omit<ComponentProps<typeof LoadMore>, "noun">) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const canGoOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const end = useComingNear<HTMLDivElement>(canGoOn, fetchNextPage);
  return (
    <div ref={end} className="grid gap-4">
      <LoadMore query={query} noun={DOCUMENT_NOUN} count={count} />
    </div>
  );
}
