"use client";

import { useId } from "react";
import { Comparison } from "./comparison";
import { type Run, runOf, type Side, type Turn } from "./conversation";
import { usePlayground } from "./playground-context";
import { RunView } from "./run-view";
import { SideMark } from "./side-mark";
import { RunActions, TurnActions } from "./turn-actions";

interface TurnViewProps {
  turn: Turn;
  /** Counts from 1. */
  number: number;
  onShowCode: (run: Run) => void;
}

/** A question with its answer, or with two answers side by side. */
export function TurnView({ turn, number, onShowCode }: TurnViewProps) {
  const { store, isBusy } = usePlayground();
  const id = useId();
  const sides: Side[] = turn.rival ? ["main", "rival"] : ["main"];
  const isAlone = sides.length === 1;
  const onRetry = isBusy ? null : () => void store?.retry(turn.id);
  return (
    <article aria-labelledby={id} className="@container grid gap-4">
      <h2
        id={id}
        className="max-w-[85%] justify-self-end whitespace-pre-wrap rounded-lg bg-sunken px-3 py-2 [overflow-wrap:anywhere]"
      >
        {turn.question}
      </h2>
      {isAlone ? (
        <RunView
          run={turn}
          name={`answer ${number}`}
          question={turn.question}
          isAlone
          onRetry={onRetry}
          actions={
            <div className="ml-auto flex flex-wrap items-center gap-1.5">
              <TurnActions turn={turn} />
              <RunActions run={turn} onShowCode={onShowCode} />
            </div>
          }
        />
      ) : (
        <>
          <div className="grid @min-[44rem]:grid-cols-2 gap-x-6 gap-y-8">
            {sides.map((side) => (
              <Column
                key={side}
                turn={turn}
                side={side}
                number={number}
                onRetry={onRetry}
                onShowCode={onShowCode}
              />
            ))}
          </div>
          <Comparison turn={turn} />
          <div className="flex justify-end gap-1.5">
            <TurnActions turn={turn} />
          </div>
        </>
      )}
    </article>
  );
}

interface ColumnProps extends TurnViewProps {
  side: Side;
  onRetry: (() => void) | null;
}

/** One of two compared answers. */
function Column({ turn, side, number, onRetry, onShowCode }: ColumnProps) {
  const run = runOf(turn, side);
  const letter = side === "main" ? "A" : "B";
  return (
    <section
      aria-label={`Answer ${letter}`}
      className="grid min-w-0 content-start gap-4 border-t pt-3"
    >
      <p className="flex min-w-0 items-center gap-2">
        <SideMark side={side} />
        <code className="truncate font-mono text-xs">{run.request.model}</code>
      </p>
      <RunView
        run={run}
        name={`answer ${number} ${letter}`}
        question={turn.question}
        isAlone={false}
        onRetry={onRetry}
        actions={
          <div className="ml-auto flex flex-wrap items-center gap-1.5">
            <RunActions run={run} onShowCode={onShowCode} />
          </div>
        }
      />
    </section>
  );
}
