"use client";

import { SendHorizontal, Square } from "lucide-react";
import { useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { checkSettings } from "./check-settings";
import { TextArea } from "./controls";
import type { PlaygroundState, Side } from "./conversation";
import { usePlayground } from "./playground-context";

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
  const { state, store, isBusy } = usePlayground();
  const [isRefused, setRefused] = useState(false);
  const invalid = invalidSide(state);
  const input = useRef<HTMLTextAreaElement>(null);
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
