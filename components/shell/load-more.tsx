import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "./state";

interface LoadMoreProps {
  query: Pick<
    UseInfiniteQueryResult,
    "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "error" | "fetchNextPage"
  >;
  /** What the list contains. */
  noun: { one: string; many: string };
  count: number;
}

/** The end of a list: how many items are shown, and a button for the next page. */
export function LoadMore({ query, noun, count }: LoadMoreProps) {
  const more = () => void query.fetchNextPage();
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
        <p role="status" className="text-muted text-xs">
          {query.hasNextPage && "Showing "}
          {count > 0 && `${count} ${count === 1 ? noun.one : noun.many}`}
        </p>
      </div>
    </>
  );
}
