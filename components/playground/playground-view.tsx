"use client";

import {
  MessageSquareQuote,
  RotateCcw,
  SendHorizontal,
  SlidersHorizontal,
  Square,
} from "lucide-react";
import { lazy, Suspense, useEffect, useId, useMemo, useRef } from "react";
import { preloadAnswer } from "@/components/citations/cited-answer";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/shell/state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { useDialog } from "@/components/ui/use-dialog";
import { TextArea } from "./controls";
import type { Turn } from "./conversation";
import { EMPTY, EXAMPLES, PLAYGROUND_PAGE } from "./labels";
import { type ModelChoice, SettingsForm } from "./settings-form";
import { initialState, PlaygroundContext, storeOf, usePlayground } from "./store";
import { TurnView } from "./turn-view";

// Loaded when first opened.
const SettingsDialog = lazy(async () => ({ default: (await import("./dialogs")).SettingsDialog }));
const CodeDialog = lazy(async () => ({ default: (await import("./dialogs")).CodeDialog }));

type OpenDialog = { kind: "settings" } | { kind: "code"; turn: Turn };

interface PlaygroundViewProps {
  /** The member's id. Conversations are private to one member. */
  member: string;
  models: readonly ModelChoice[];
}

/** Chat with every request setting, and citations you can check. */
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
  const { state } = usePlayground();
  const { open, show, handlers } = useDialog<OpenDialog>();
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
              <EmptyState icon={MessageSquareQuote} {...EMPTY} action={<Examples />} />
            ) : (
              <Conversation onShowCode={(turn) => show({ kind: "code", turn })} />
            )}
          </div>
          <Composer />
        </div>
        <aside
          aria-label="Settings"
          className="sticky top-18 hidden max-h-[calc(100dvh-6rem)] self-start overflow-y-auto rounded-lg border bg-surface p-4 xl:block"
        >
          <SettingsForm models={models} />
        </aside>
      </div>
      <Suspense>
        {open?.kind === "settings" && <SettingsDialog models={models} {...handlers} />}
        {open?.kind === "code" && <CodeDialog turn={open.turn} {...handlers} />}
      </Suspense>
    </>
  );
}

/** All turns, newest last. */
function Conversation({ onShowCode }: { onShowCode: (turn: Turn) => void }) {
  const { turns } = usePlayground().state;
  const last = turns.at(-1);
  useStopByEscape();
  const newest = useShowNewest(last?.id);
  return (
    <>
      {turns.map((turn, index) => (
        <div
          key={turn.id}
          ref={turn === last ? newest : undefined}
          className="last-of-type:min-h-[calc(100dvh-17rem)]"
        >
          <TurnView turn={turn} number={index + 1} onShowCode={onShowCode} />
        </div>
      ))}
      <p role="status" className="sr-only">
        {last && formatState(last)}
      </p>
    </>
  );
}

function formatState({ state, answer: { citations } }: Turn): string {
  return {
    waiting: "Answering…",
    stopped: "Stopped.",
    failed: "",
    done: `Answer complete${citations ? `, with ${citations.length} sources` : ""}.`,
  }[state];
}

/** Escape anywhere on the page stops the answer, unless something else, such as a card, handled it. */
function useStopByEscape(): void {
  const { store, isBusy } = usePlayground();
  useEffect(() => {
    const stop = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) {
        store?.stop();
      }
    };
    if (isBusy) {
      document.addEventListener("keydown", stop);
    }
    return () => document.removeEventListener("keydown", stop);
  }, [isBusy, store]);
}

/** Scrolls a new question to the top, leaving room for its answer. After that, only the user scrolls. */
function useShowNewest(id: string | undefined) {
  const newest = useRef<HTMLDivElement>(null);
  const shown = useRef(id);
  useEffect(() => {
    if (shown.current !== id) {
      newest.current?.scrollIntoView({ block: "start" });
    }
    shown.current = id;
  }, [id]);
  return newest;
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

function Examples() {
  const { store } = usePlayground();
  return (
    <ul aria-label="Examples" className="flex max-w-xl flex-wrap justify-center gap-2">
      {EXAMPLES.map((question) => (
        <li key={question}>
          <Button onClick={() => void store?.send(question)}>{question}</Button>
        </li>
      ))}
    </ul>
  );
}

/** The question field with its send and stop buttons. */
function Composer() {
  const { state, store, isBusy } = usePlayground();
  const input = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const send = () => {
    const question = state.draft.trim();
    if (question && !isBusy) {
      store?.change({ draft: "" });
      void store?.send(question);
    }
    input.current?.focus();
  };
  return (
    <div className="sticky bottom-0 z-20 -mx-1 grid gap-1.5 bg-canvas px-1 pt-2 pb-4">
      <div className="grid gap-2 rounded-lg border border-control bg-surface p-2 outline-accent has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:-outline-offset-1">
        <label htmlFor={id} className="sr-only">
          Message
        </label>
        <TextArea
          ref={input}
          id={id}
          aria-describedby={`${id}-keys`}
          rows={2}
          value={state.draft}
          onChange={({ target }) => store?.change({ draft: target.value })}
          onFocus={preloadAnswer}
          onKeyDown={(event) => {
            // While composing, as in Japanese, Enter accepts a suggestion.
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
              event.preventDefault();
              send();
            }
          }}
          placeholder="Ask a question about your documents"
          className="max-h-[40dvh] border-0 px-1.5 focus-visible:outline-none"
        />
        <div className="flex items-center justify-between gap-3">
          <p id={`${id}-keys`} className="px-1.5 text-muted text-xs pointer-coarse:invisible">
            <kbd className="font-sans">Enter</kbd> sends, <kbd className="font-sans">Shift</kbd> +{" "}
            <kbd className="font-sans">Enter</kbd> starts a new line,{" "}
            <kbd className="font-sans">Esc</kbd> stops
          </p>
          {isBusy ? (
            <Button onClick={() => store?.stop()}>
              <Square aria-hidden />
              Stop
            </Button>
          ) : (
            <Button variant="primary" onClick={send}>
              <SendHorizontal aria-hidden />
              Send
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
