"use client";

import { type UseInfiniteQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense, useEffect, useEffectEvent } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState, StaleNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import { keysQuery } from "@/lib/keys/client";
import type { Key, KeyPage } from "@/lib/keys/schema";
import { KeyList } from "./key-list";
import { KEYS_PAGE, type KeyDialogKind, type KeyOptions, type ShowDialog } from "./labels";

// Loaded when the first is opened: the list has to be fast, and most visits only look at it.
const KeyDialogs = lazy(async () => ({ default: (await import("./key-dialogs")).KeyDialogs }));

interface KeysViewProps extends KeyOptions {
  initialPage: KeyPage;
}

export function KeysView({ initialPage, ...options }: KeysViewProps) {
  const query = useInfiniteQuery({
    ...keysQuery,
    initialData: { pages: [initialPage], pageParams: [null] },
  });
  const keys = query.data.pages.flatMap((page) => page.data);
  const dialog = useDialog<KeyDialogKind>();
  useOpenFromQuery(keys, query, dialog.show);
  const create = (
    <Button variant="primary" onClick={() => dialog.show({ kind: "create" })}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader {...KEYS_PAGE} actions={keys.length > 0 && create} />
      <section
        ref={dialog.fallback}
        tabIndex={-1}
        aria-label="Keys"
        className="grid gap-4 outline-none"
      >
        <StaleNotice query={query} />
        {keys.length > 0 ? (
          <KeyList keys={keys} onShow={dialog.show} />
        ) : (
          <EmptyState
            icon={KeyRound}
            title="No keys yet"
            description="A key lets one service call the API. Create one and make your first call with curl."
            action={create}
          />
        )}
        <LoadMore query={query} noun={{ one: "key", many: "keys" }} count={keys.length} />
      </section>
      <Suspense>{dialog.open && <KeyDialogs keys={keys} dialog={dialog} {...options} />}</Suspense>
    </>
  );
}

/** Opens the dialog that the URL names, once: `?create=1` for a new key, `?key=<id>` for that key. */
function useOpenFromQuery(keys: Key[], query: UseInfiniteQueryResult, show: ShowDialog): void {
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
