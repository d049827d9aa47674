"use client";

import { Code, Pencil, RefreshCw, Trash2 } from "lucide-react";
import { useId } from "react";
import { withReferences } from "@/components/citations/answer-sources";
import { ShareButton } from "@/components/sharing/share-button";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { toast } from "@/components/ui/toast";
import { cn } from "@/lib/cn";
import { compareRuns } from "./compare";
import { isWaiting, type Run, runOf, type Side, type Turn } from "./conversation";
import { usePlayground } from "./playground-context";
import { RunView } from "./run-view";
import { SideMark } from "./side-mark";

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

/** What can be done with a question. */
function TurnActions({ turn: { id } }: { turn: Turn }) {
  const { store, composer, isBusy } = usePlayground();
  const edit = () => {
    store?.edit(id);
    // Once the question is in the field.
    requestAnimationFrame(() => {
      const field = composer.current;
      field?.focus();
      field?.setSelectionRange(field.value.length, field.value.length);
    });
  };
  const remove = () => {
    const undo = store?.remove(id);
    composer.current?.focus({ preventScroll: true });
    toast.message("Question and answer deleted.", {
      action: { label: "Undo", onClick: () => undo?.() },
    });
  };
  const actions = [
    { name: "Regenerate", icon: RefreshCw, run: () => void store?.regenerate(id) },
    { name: "Edit question", icon: Pencil, run: edit },
    { name: "Delete", icon: Trash2, run: remove },
  ];
  return actions.map(({ name, icon: Icon, run }) => (
    <Button
      key={name}
      size="icon"
      variant="ghost"
      className="size-8"
      aria-label={name}
      title={name}
      disabled={isBusy}
      onClick={run}
    >
      <Icon aria-hidden />
    </Button>
  ));
}

/** What can be done with an answer. A stored one can be shared. */
function RunActions({ run, onShowCode }: { run: Run; onShowCode: (run: Run) => void }) {
  const { answer, request, state } = run;
  return (
    <>
      {answer.content && (
        <CopyButton text={withReferences(answer.content, answer)} label="Copy answer" />
      )}
      {request.store && state === "done" && answer.requestId && (
        <ShareButton target={{ request_id: answer.requestId }} size="sm" />
      )}
      <Button size="sm" onClick={() => onShowCode(run)}>
        <Code aria-hidden />
        Code and JSON
      </Button>
    </>
  );
}

/** What differs between two answers to a question; nothing before both have ended. */
function Comparison({ turn }: { turn: Turn }) {
  if (!turn.rival || isWaiting(turn)) {
    return null;
  }
  return (
    <div className="overflow-x-auto rounded-md border bg-surface">
      <table className="w-full table-fixed text-left">
        <caption className="sr-only">Comparison of A and B</caption>
        <thead>
          <tr className="border-b text-muted text-xs">
            <th scope="col" className="w-1/3 px-3 py-1.5 font-medium">
              Compared
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              A
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              B
            </th>
          </tr>
        </thead>
        <tbody>
          {compareRuns(turn, turn.rival).map(({ name, isField, main, rival }) => (
            <tr key={name} className="border-b align-top last:border-b-0">
              <th
                scope="row"
                className={cn(
                  "px-3 py-1.5 font-normal text-muted",
                  isField && "font-mono text-xs leading-5",
                )}
              >
                {name}
              </th>
              {[main, rival].map((value, index) => (
                <td
                  key={index === 0 ? "main" : "rival"}
                  className={cn(
                    "px-3 py-1.5 tabular-nums break-words",
                    main === rival && "text-muted",
                  )}
                >
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
