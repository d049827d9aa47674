"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import type { Key } from "@/lib/keys/schema";
import type { ShowDialog } from "./labels";

interface OpenFromQueryOptions {
  keys: readonly Key[];
  query: Pick<
    UseInfiniteQueryResult,
    "hasNextPage" | "isFetching" | "isFetchNextPageError" | "fetchNextPage"
  >;
  show: ShowDialog;
}

/** Opens the dialog that the URL names, once: `?create=1` for a new key, `?key=<id>` for that key. */
export function useOpenFromQuery({ keys, query, show }: OpenFromQueryOptions): void {
  const search = useSearchParams();
  const isCreate = search.get("create") === "1";
  const id = search.get("key");
  const isLoaded = isCreate || keys.some((key) => key.id === id);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const open = useEffectEvent(() => {
    // Removed from the URL, so that a reload does not open it again.
    window.history.replaceState(null, "", window.location.pathname);
    show(isCreate || !id ? { kind: "create" } : { kind: "details", id });
  });
  useEffect(() => {
    if (isLoaded) {
      open();
    }
  }, [isLoaded]);
  // An older key may be on a page of the list that has not been loaded yet.
  useEffect(() => {
    if (id && !isLoaded && hasNextPage && !isFetching && !isFetchNextPageError) {
      void fetchNextPage();
    }
  }, [id, isLoaded, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}
