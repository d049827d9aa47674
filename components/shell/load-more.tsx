import { Button } from "@/components/ui/button";
import { ErrorNotice } from "./state";

interface LoadMoreProps {
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => unknown;
  };
  /** What the list holds. */
  noun: { one: string; many: string };
  /** How many are shown. */
  count: number;
}

/** The end of the list: how much is shown, and the way to the rest. */
export function LoadMore({ query, noun, count }: LoadMoreProps) {
  const more = () => void query.fetchNextPage();
  return (
    <>
      {query.isFetchNextPageError && (
        <ErrorNotice
          title={`The next ${noun.many} could not be read.`}
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
          {count > 0 && `${count} ${count === 1 ? noun.one : noun.many}`}
          {query.hasNextPage && " shown, there are more"}
        </p>
      </div>
    </>
  );
}
