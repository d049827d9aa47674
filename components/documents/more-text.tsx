"use client";

import { ErrorNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { useInView } from "@/components/ui/use-in-view";

interface MoreTextProps {
  what: "before" | "after";
  hasMore: boolean;
  isFetching: boolean;
  isFailed: boolean;
  error: Error | null;
  fetchMore: () => unknown;
}

/** Where the text goes on: by itself when one comes near, or by its button. */
export function MoreText({ what, hasMore, isFetching, isFailed, error, fetchMore }: MoreTextProps) {
  const edge = useInView<HTMLDivElement>(hasMore && !isFetching && !isFailed, fetchMore);
  if (!hasMore) {
    return null;
  }
  return (
    <div ref={edge} className="py-3">
      {isFailed ? (
        <ErrorNotice
          title={`The text ${what} this could not be read.`}
          description={error?.message ?? ""}
          onRetry={() => void fetchMore()}
        />
      ) : (
        <Button isPending={isFetching} onClick={() => void fetchMore()}>
          Show the text {what} this
        </Button>
      )}
    </div>
  );
}
