"use client";

import { useEffect, useRef } from "react";
import { formatCount } from "@/lib/format-count";
import { isWaiting, type Run, type Turn } from "./conversation";
import { usePlayground } from "./playground-context";
import { TurnView } from "./turn-view";

/** All turns, newest last. */
export function ConversationView({ onShowCode }: { onShowCode: (run: Run) => void }) {
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

/** What screen readers hear of the last turn. */
export function formatState(turn: Turn): string {
  if (isWaiting(turn)) {
    return "Answering…";
  }
  const { state, answer, rival } = turn;
  const sources = answer.citations
    ? `, with ${formatCount(answer.citations.length, "source")}`
    : "";
  const done = rival ? "Both answers are complete." : `Answer complete${sources}.`;
  return { waiting: "", stopped: "Stopped.", failed: "", done }[state];
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
