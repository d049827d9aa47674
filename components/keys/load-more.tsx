import { ErrorNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";

interface LoadMoreProps {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => unknown;
  };
  /** How many keys are shown. */
  count: number;
}

/** The end of the list: how much is shown, and the way to the rest. */
export function LoadMore({ query, count }: LoadMoreProps) {
  const more = () => void query.fetchNextPage();
  return (
    <>
      {query.isFetchNextPageError && (
        <ErrorNotice
          title="The next keys could not be read."
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
          {count > 0 && sayCount(count, query.hasNextPage)}
        </p>
      </div>
    </>
  );
}

function sayCount(count: number, hasMore: boolean): string {
  const keys = count === 1 ? "1 key" : `${count} keys`;
  return hasMore ? `${keys} shown, there are more` : keys;
}
