"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import type { Key } from "@/lib/keys/schema";
import type { ShowDialog } from "./use-dialogs";

interface AskedOptions {
  keys: readonly Key[];
  query: Pick<
    UseInfiniteQueryResult,
    "hasNextPage" | "isFetching" | "isFetchNextPageError" | "fetchNextPage"
  >;
  show: ShowDialog;
}

/** Opens, once, what the page's address asks for: `?create=1` a new key, `?key=` with an id that key. */
export function useAsked({ keys, query, show }: AskedOptions): void {
  const search = useSearchParams();
  const isCreate = search.get("create") === "1";
  const id = search.get("key");
  const isThere = isCreate || keys.some((key) => key.id === id);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const open = useEffectEvent(() => {
    // What was opened leaves the address, so that a reload does not open it again.
    window.history.replaceState(null, "", window.location.pathname);
    show(isCreate || !id ? { kind: "create" } : { kind: "details", id });
  });
  useEffect(() => {
    if (isThere) {
      open();
    }
  }, [isThere]);
  // An older key stands on a page of the list that was not read yet.
  useEffect(() => {
    if (id && !isThere && hasNextPage && !isFetching && !isFetchNextPageError) {
      void fetchNextPage();
    }
  }, [id, isThere, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}
