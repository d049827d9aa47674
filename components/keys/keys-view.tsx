"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState, ErrorNotice } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { keysQuery } from "@/lib/keys/client";
import type { Key, KeyPage } from "@/lib/keys/schema";
import type { ModelChoice } from "./key-fields";
import { KeyList } from "./key-list";
import { KEYS_PAGE } from "./labels";
import type { ServerLimits } from "./limit-fields";
import { type DialogEnd, type OpenDialog, type ShowDialog, useDialogs } from "./use-dialogs";
import { useAsked } from "./use-open-from-query";

// Fetched when one is first opened: the list has to be quick, and most visits only look at it.
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
  /** The e-mail of the member, whom "me" in the form means. */
  email: string;
}

/** The account's keys, and all that can be done with them. */
export function KeysView({ initialPage, models, limits, email }: KeysViewProps) {
  const query = useInfiniteQuery({
    ...keysQuery,
    initialData: { pages: [initialPage], pageParams: [null] },
  });
  const keys = query.data.pages.flatMap((page) => page.data);
  const { open, show, close, finish, list, onCloseAutoFocus } = useDialogs();
  const dialog = { onClose: close, onCloseAutoFocus };
  useAsked({ keys, query, show });
  const create = (
    <Button variant="primary" onClick={() => show({ kind: "create" })}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader {...KEYS_PAGE} actions={keys.length > 0 && create} />
      <section ref={list} tabIndex={-1} aria-label="Keys" className="grid gap-4 outline-none">
        {query.isRefetchError && (
          <ErrorNotice
            title="This list may be out of date."
            description={query.error.message}
            onRetry={() => query.refetch()}
            isRetrying={query.isRefetching}
          />
        )}
        {keys.length > 0 ? (
          <KeyList keys={keys} onShow={show} />
        ) : (
          <EmptyState {...NO_KEYS} icon={KeyRound} action={create} />
        )}
        <LoadMore query={query} noun={KEY_NOUN} count={keys.length} />
      </section>
      <Suspense>
        {open?.kind === "create" ? (
          <CreateKeyDialog models={models} limits={limits} email={email} {...dialog} />
        ) : (
          open && (
            <DialogOfKey
              kind={open.kind}
              apiKey={keys.find(({ id }) => id === open.id)}
              {...{ models, limits, show, finish, dialog }}
            />
          )
        )}
      </Suspense>
    </>
  );
}

interface DialogOfKeyProps extends Pick<KeysViewProps, "models" | "limits"> {
  kind: Exclude<OpenDialog["kind"], "create">;
  apiKey: Key | undefined;
  show: ShowDialog;
  finish: () => void;
  dialog: DialogEnd;
}

function DialogOfKey({ kind, apiKey, models, limits, show, finish, dialog }: DialogOfKeyProps) {
  if (!apiKey) {
    return null;
  }
  switch (kind) {
    case "details":
      return <KeyDialog apiKey={apiKey} onShow={show} {...dialog} />;
    case "edit":
      return <EditKeyDialog apiKey={apiKey} models={models} limits={limits} {...dialog} />;
    case "rotate":
      return <RotateDialog apiKey={apiKey} models={models} {...dialog} />;
    case "revoke":
      return <RevokeDialog apiKey={apiKey} onRevoked={finish} {...dialog} />;
  }
}

const KEY_NOUN = { one: "key", many: "keys" };
const NO_KEYS = {
  title: "No keys yet",
  description:
    "A key lets one service call the API. Create one, and the first call is a line of curl.",
};
