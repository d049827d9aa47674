"use client";

import type { ComponentProps } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { useInView } from "@/components/ui/use-in-view";
import { DOCUMENT_NOUN } from "./labels";

/** The end of the list, which goes on by itself when it comes near. */
export function MoreDocuments({ query, count }: Omit<ComponentProps<typeof LoadMore>, "noun">) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const canGoOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const end = useInView<HTMLDivElement>(canGoOn, fetchNextPage);
  return (
    <div ref={end} className="grid gap-4">
      <LoadMore query={query} noun={DOCUMENT_NOUN} count={count} />
    </div>
  );
}
