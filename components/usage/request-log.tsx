"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { ChartNoAxesColumn } from "lucide-react";
import Link from "next/link";
import { LoadMore } from "@/components/shell/load-more";
import { EmptyState, StaleNotice } from "@/components/shell/state";
import { Button, buttonVariants } from "@/components/ui/button";
import type { RequestPage } from "@/lib/usage/schema";
import { RequestTable } from "./request-table";

interface RequestLogProps {
  pages: RequestPage[];
  query: UseInfiniteQueryResult;
  /** Null if no filter is set. */
  onClear: (() => void) | null;
}

/** The request log, or what to do if it is empty. */
export function RequestLog({ pages, query, onClear }: RequestLogProps) {
  const requests = pages.flatMap((page) => page.data);
  return (
    <>
      <StaleNotice query={query} />
      {requests.length > 0 ? <RequestTable requests={requests} /> : <EmptyLog onClear={onClear} />}
      <LoadMore query={query} noun={{ one: "request", many: "requests" }} count={requests.length} />
    </>
  );
}

function EmptyLog({ onClear }: Pick<RequestLogProps, "onClear">) {
  return onClear ? (
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
