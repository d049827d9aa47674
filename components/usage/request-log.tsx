"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import Link from "next/link";
import { LoadMore } from "@/components/shell/load-more";
import { EmptyState, ErrorState, StaleNotice } from "@/components/shell/state";
import { Button, buttonVariants } from "@/components/ui/button";
import { ListSkeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import type { LoggedRequest } from "@/lib/usage/schema";
import { REQUEST_NOUN } from "./labels";
import { RequestTable } from "./request-table";

interface RequestLogProps {
  query: UseInfiniteQueryResult<{ pages: { data: LoggedRequest[] }[] }>;
  isFiltered: boolean;
  onClear: () => void;
}

/** The request log: loading, failed, empty or filled. */
export function RequestLog({ query, isFiltered, onClear }: RequestLogProps) {
  if (query.isPending) {
    return <ListSkeleton label="Loading requests" rows={8} isCompact />;
  }
  if (!query.data) {
    return (
      <ErrorState
        title="We couldn’t load these requests"
        description={query.error?.message ?? ""}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const requests = query.data.pages.flatMap((page) => page.data);
  return (
    <div
      aria-busy={query.isPlaceholderData}
      className={cn("grid gap-3 transition-opacity", query.isPlaceholderData && "opacity-60")}
    >
      <StaleNotice query={query} />
      {requests.length > 0 ? (
        <RequestTable requests={requests} />
      ) : (
        <EmptyLog isFiltered={isFiltered} onClear={onClear} />
      )}
      <LoadMore query={query} noun={REQUEST_NOUN} count={requests.length} />
    </div>
  );
}

function EmptyLog({ isFiltered, onClear }: Pick<RequestLogProps, "isFiltered" | "onClear">) {
  return isFiltered ? (
    <EmptyState
      icon={ChartNoAxesColumn}
      title="No matching requests"
      description="Try removing a filter or changing the dates."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState
      icon={ChartNoAxesColumn}
      title="No requests in the last 30 days"
      description="API calls appear here with their cost. Create a key to send your first one."
      action={
        <Link href="/keys" className={buttonVariants({ variant: "primary" })}>
          Go to API keys
        </Link>
      }
    />
  );
}
