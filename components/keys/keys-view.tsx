"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState, StaleNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import { keysQuery } from "@/lib/keys/client";
import type { KeyPage } from "@/lib/keys/schema";
import type { ModelChoice, ServerLimits } from "./key-fields";
import { KeyList } from "./key-list";
import { KEYS_PAGE, type KeyDialogKind } from "./labels";
import { useOpenFromQuery } from "./use-open-from-query";

// Loaded when first opened: the list has to be fast, and most visits only look at it.
const CreateKeyDialog = lazy(async () => ({
  default: (await import("./create-key-dialog")).CreateKeyDialog,
}));
const KeyDialog = lazy(async () => ({ default: (await import("./key-dialog")).KeyDialog }));
const EditKeyDialog = lazy(async () => ({
  default: (await import("./edit-key-dialog")).EditKeyDialog,
}));
const RotateDialog = lazy(async () => ({
  default: (await import("./rotate-dialog")).RotateDialog,
}));
const RevokeDialog = lazy(async () => ({
  default: (await import("./revoke-dialog")).RevokeDialog,
}));

interface KeysViewProps {
  initialPage: KeyPage;
  models: ModelChoice[];
  limits: ServerLimits;
  /** The member's own, for "Me" in the form. */
  email: string;
}

/** The account's keys and their dialogs. */
export function KeysView({ initialPage, ...options }: KeysViewProps) {
  const query = useInfiniteQuery({
    ...keysQuery,
    initialData: { pages: [initialPage], pageParams: [null] },
  });
  const keys = query.data.pages.flatMap((page) => page.data);
  const dialog = useDialog<KeyDialogKind>();
  useOpenFromQuery({ keys, query, show: dialog.show });
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
        <LoadMore query={query} noun={KEY_NOUN} count={keys.length} />
      </section>
      <Suspense>
        <OpenDialog keys={keys} dialog={dialog} {...options} />
      </Suspense>
    </>
  );
}

const KEY_NOUN = { one: "key", many: "keys" };

interface OpenDialogProps extends Omit<KeysViewProps, "initialPage"> {
  keys: KeyPage["data"];
  dialog: ReturnType<typeof useDialog<KeyDialogKind>>;
}

function OpenDialog({ keys, dialog, models, limits, email }: OpenDialogProps) {
  const { open, show, finish, handlers } = dialog;
  if (open?.kind === "create") {
    return <CreateKeyDialog models={models} limits={limits} email={email} {...handlers} />;
  }
  const apiKey = keys.find(({ id }) => id === open?.id);
  if (!apiKey) {
    return null;
  }
  switch (open?.kind) {
    case "details":
      return <KeyDialog apiKey={apiKey} onShow={show} {...handlers} />;
    case "edit":
      return <EditKeyDialog apiKey={apiKey} models={models} limits={limits} {...handlers} />;
    case "rotate":
      return <RotateDialog apiKey={apiKey} models={models} {...handlers} />;
    case "revoke":
      return <RevokeDialog apiKey={apiKey} onRevoked={finish} {...handlers} />;
  }
}
