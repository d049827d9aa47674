"use client";

import { MessageSquareQuote, RotateCcw, SlidersHorizontal } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { Composer } from "./composer";
import { Conversation } from "./conversation-view";
import { EMPTY, EXAMPLES, PLAYGROUND_PAGE } from "./labels";
import { type ModelChoice, SettingsForm } from "./settings-form";
import { useDialogs } from "./use-dialogs";
import { initialState, PlaygroundContext, storeOf, usePlayground } from "./use-playground";

// Fetched when they are first opened.
const SettingsDialog = lazy(async () => ({
  default: (await import("./settings-dialog")).SettingsDialog,
}));
const CodeDialog = lazy(async () => ({ default: (await import("./code-dialog")).CodeDialog }));

interface PlaygroundViewProps {
  /** The id of the member, whose conversation nobody else sees. */
  member: string;
  models: readonly ModelChoice[];
}

/** Chat with every control of a request, and every citation to be checked. */
export function PlaygroundView({ member, models }: PlaygroundViewProps) {
  const model = models.find(({ isDefault }) => isDefault)?.id ?? models[0]?.id ?? "";
  const playground = useMemo(
    () => ({ store: storeOf(member, model), initial: initialState(model) }),
    [member, model],
  );
  return (
    <PlaygroundContext value={playground}>
      <Page models={models} />
    </PlaygroundContext>
  );
}

function Page({ models }: { models: readonly ModelChoice[] }) {
  const { state, store } = usePlayground();
  const { open, show, close, onCloseAutoFocus } = useDialogs();
  const isBusy = state.turns.at(-1)?.state === "waiting";
  const dialog = { onClose: close, onCloseAutoFocus };
  return (
    <>
      <PageHeader
        {...PLAYGROUND_PAGE}
        actions={
          <div className="flex flex-wrap gap-2">
            <Button className="xl:hidden" onClick={() => show({ kind: "settings" })}>
              <SlidersHorizontal aria-hidden />
              Settings
            </Button>
            {state.turns.length > 0 && <NewConversation />}
          </div>
        }
      />
      <div className="grid gap-x-8 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="flex min-h-[calc(100dvh-11rem)] min-w-0 flex-col">
          <div className="grid flex-1 content-start gap-8 pb-6">
            {state.turns.length === 0 ? (
              <EmptyState
                icon={MessageSquareQuote}
                {...EMPTY}
                action={<Examples onChoose={(question) => void store?.send(question)} />}
              />
            ) : (
              <Conversation
                turns={state.turns}
                onShowCode={({ request }) => show({ kind: "code", request })}
              />
            )}
          </div>
          <Composer isBusy={isBusy} />
        </div>
        <aside
          aria-label="Settings"
          className="sticky top-18 hidden max-h-[calc(100dvh-6rem)] self-start overflow-y-auto rounded-lg border bg-surface p-4 xl:block"
        >
          <SettingsForm models={models} />
        </aside>
      </div>
      <Suspense>
        {open?.kind === "settings" && <SettingsDialog models={models} {...dialog} />}
        {open?.kind === "code" && <CodeDialog request={open.request} {...dialog} />}
      </Suspense>
    </>
  );
}

function NewConversation() {
  const { store } = usePlayground();
  const clear = () => {
    const undo = store?.clear();
    toast.message("Conversation cleared.", {
      action: { label: "Undo", onClick: () => undo?.() },
    });
  };
  return (
    <Button onClick={clear}>
      <RotateCcw aria-hidden />
      New conversation
    </Button>
  );
}

function Examples({ onChoose }: { onChoose: (question: string) => void }) {
  return (
    <ul aria-label="Examples" className="flex max-w-xl flex-wrap justify-center gap-2">
      {EXAMPLES.map((question) => (
        <li key={question}>
          <Button onClick={() => onChoose(question)}>{question}</Button>
        </li>
      ))}
    </ul>
  );
}
