"use client";

import { FileText, SendHorizontal, Square, X } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { checkSettings } from "./check-settings";
import type { PlaygroundState, Side } from "./conversation";
import { usePlayground } from "./playground-context";
import { listOf } from "./settings";
import { TextArea } from "./text-area";

/** Whose settings the API would refuse; null when it would accept them. */
function invalidSide({ settings, rival }: PlaygroundState): Side | null {
  const isInvalid = (one: PlaygroundState["settings"]) =>
    Object.keys(checkSettings(one)).length > 0;
  if (isInvalid(settings)) {
    return "main";
  }
  return rival && isInvalid(rival) ? "rival" : null;
}

/** Loads the answer's code while the user types. */
async function loadAnswer(): Promise<void> {
  const { preloadAnswer } = await import("@/components/citations/cited-answer");
  preloadAnswer();
}

/** The question field with its send and stop buttons. */
export function Composer({ onShowSettings }: { onShowSettings: (side: Side) => void }) {
  const { state, store, composer: input, isBusy } = usePlayground();
  const [isRefused, setRefused] = useState(false);
  const invalid = invalidSide(state);
  useEffect(() => {
    // On a touch screen, the keyboard would cover half of the page.
    if (window.matchMedia("(pointer: fine)").matches) {
      input.current?.focus({ preventScroll: true });
    }
  }, [input]);
  const id = useId();
  const send = () => {
    const question = state.draft.trim();
    setRefused(invalid !== null);
    if (question && !isBusy && !invalid) {
      store?.change({ draft: "" });
      void store?.send(question);
    }
    input.current?.focus();
  };
  return (
    <div className="sticky bottom-0 z-20 -mx-1 grid gap-1.5 bg-canvas px-1 pt-2 pb-4">
      <div role="alert" className="empty:hidden">
        {isRefused && invalid && (
          <p className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-danger-soft px-3 py-2">
            A setting is invalid, so nothing was sent.
            <Button size="sm" onClick={() => onShowSettings(invalid)}>
              Show setting
            </Button>
          </p>
        )}
      </div>
      <div className="grid gap-2 rounded-lg border border-control bg-surface p-2 outline-accent has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:-outline-offset-1">
        <ChosenDocuments />
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
          onFocus={() => void loadAnswer().catch(() => undefined)}
          onKeyDown={(event) => {
            // While composing, as in Japanese, Enter accepts a suggestion.
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
              event.preventDefault();
              send();
            } else if (event.key === "Escape" && !isBusy) {
              // Shortcuts don't work in fields, and focus starts in this one.
              event.currentTarget.blur();
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

/** What the search is narrowed to, if it is. */
function ChosenDocuments() {
  const { state, store } = usePlayground();
  const { settings } = state;
  const ids = listOf(settings.document_ids);
  if (ids.length === 0 || !settings.enabled) {
    return null;
  }
  const name = ids.length === 1 ? settings.document_title || ids[0] : `${ids.length} documents`;
  return (
    <p className="flex min-w-0 items-center gap-1 px-1.5 text-muted text-xs">
      <FileText aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">
        Only <span className="font-medium text-ink">{name}</span> is searched
      </span>
      <Button
        size="icon"
        variant="ghost"
        className="size-6"
        aria-label="Search all documents"
        onClick={() =>
          store?.change({ settings: { ...settings, document_ids: "", document_title: "" } })
        }
      >
        <X aria-hidden />
      </Button>
    </p>
  );
}
