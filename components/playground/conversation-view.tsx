"use client";

import { type RefObject, useEffect, useRef } from "react";
import type { Turn } from "./conversation";
import { usePlayground } from "./store";
import { TurnView } from "./turn-view";

interface ConversationProps {
  turns: readonly Turn[];
  onShowCode: (turn: Turn) => void;
}

/** All turns, newest last. */
export function Conversation({ turns, onShowCode }: ConversationProps) {
  const last = turns.at(-1);
  const isBusy = last?.state === "waiting";
  useStopByEscape(isBusy);
  const newest = useShowNewest(last?.id);
  return (
    <>
      {turns.map((turn, index) => (
        <div
          key={turn.id}
          ref={turn === last ? newest : undefined}
          className="last-of-type:min-h-[calc(100dvh-17rem)]"
        >
          <TurnView turn={turn} number={index + 1} isBusy={isBusy} onShowCode={onShowCode} />
        </div>
      ))}
      <p role="status" className="sr-only">
        {last && formatState(last)}
      </p>
    </>
  );
}

function formatState({ state, answer }: Turn): string {
  switch (state) {
    case "waiting":
      return "Answering…";
    case "stopped":
      return "Stopped.";
    case "failed":
      return "";
    case "done":
      return `Answer complete${answer.citations ? `, with ${answer.citations.length} sources` : ""}.`;
  }
}

/** Escape anywhere on the page stops the answer, unless something else, such as a card, handled it. */
function useStopByEscape(isBusy: boolean): void {
  const { store } = usePlayground();
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
function useShowNewest(id: string | undefined): RefObject<HTMLDivElement | null> {
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
