import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { ErrorNotice } from "./state";

interface LoadMoreProps {
  query: UseInfiniteQueryResult;
  /** What the list contains. */
  noun: { one: string; many: string };
  count: number;
}

/**
 * The end of a list: how many items are shown, and a button for the next page. Rendered for an empty list as well, so that
 * screen readers hear what a filter has left.
 */
export function LoadMore({ query, noun, count }: LoadMoreProps) {
  const more = () => void query.fetchNextPage();
  const shown = count === 0 ? `No ${noun.many}` : `${count} ${count === 1 ? noun.one : noun.many}`;
  const status = query.data !== undefined && (query.hasNextPage ? `Showing ${shown}` : shown);
  return (
    <>
      {query.isFetchNextPageError && (
        <ErrorNotice
          title={`Couldn’t load more ${noun.many}.`}
          description={query.error?.message ?? ""}
          onRetry={more}
          isRetrying={query.isFetchingNextPage}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        {query.hasNextPage && !query.isFetchNextPageError && (
          <Button onClick={more} isPending={query.isFetchingNextPage}>
            Load more
          </Button>
        )}
        <p role="status" className={cn("text-muted text-xs", count === 0 && "sr-only")}>
          {/* Hidden until another filter's items arrive, whose count is then announced even if it's the same. */}
          {query.isPlaceholderData ? <span aria-hidden>{status}</span> : status}
        </p>
      </div>
    </>
  );
}
