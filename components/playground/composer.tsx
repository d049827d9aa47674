"use client";

import { SendHorizontal, Square } from "lucide-react";
import { type KeyboardEvent, useId, useRef } from "react";
import { preloadAnswer } from "@/components/citations/cited-answer";
import { Button } from "@/components/ui/button";
import { TextArea } from "./controls";
import { usePlayground } from "./use-playground";

/** Where a question is written, sent and stopped. */
export function Composer({ isBusy }: { isBusy: boolean }) {
  const { state, store } = usePlayground();
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
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
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
          onKeyDown={onKeyDown}
          placeholder="Ask a question about your documents"
          className="max-h-[40dvh] border-0 px-1.5 focus-visible:outline-none"
        />
        <div className="flex items-center justify-between gap-3">
          <p id={`${id}-keys`} className="px-1.5 text-muted text-xs pointer-coarse:invisible">
            <kbd className="font-sans">Ctrl</kbd> or <kbd className="font-sans">⌘</kbd> +{" "}
            <kbd className="font-sans">Enter</kbd> sends, <kbd className="font-sans">Esc</kbd> stops
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
