"use client";

import { useId } from "react";
import { CitationScope } from "@/components/citations/citation-scope";
import { CitedAnswer } from "@/components/citations/cited-answer";
import { SourcePanel } from "@/components/citations/source-panel";
import { VerificationSummary } from "@/components/citations/verification-summary";
import { cn } from "@/lib/cn";
import type { Turn } from "./conversation";
import { FailureNotice } from "./failure-notice";
import { TurnFacts } from "./turn-facts";
import { usePlayground } from "./use-playground";

interface TurnViewProps {
  turn: Turn;
  /** Counts from 1. */
  number: number;
  /** Whether another answer is under way. */
  isBusy: boolean;
  onShowCode: (turn: Turn) => void;
}

/** A question and its answer, with the sources beside it or below. */
export function TurnView({ turn, number, isBusy, onShowCode }: TurnViewProps) {
  const { store } = usePlayground();
  const { answer, failure, state } = turn;
  const id = useId();
  return (
    <article aria-labelledby={id} className="@container grid gap-4">
      <h2
        id={id}
        className="max-w-[85%] justify-self-end whitespace-pre-wrap rounded-lg bg-sunken px-3 py-2 [overflow-wrap:anywhere]"
      >
        {turn.question}
      </h2>
      <CitationScope name={`answer ${number}`}>
        <div
          className={cn(
            "grid gap-x-6 gap-y-4",
            answer.citations && "@min-[50rem]:grid-cols-[minmax(0,1fr)_20rem]",
          )}
        >
          <div className="grid min-w-0 content-start gap-4">
            <Text turn={turn} />
            {(answer.warnings ?? []).map(({ code, message }) => (
              <p key={code} role="status" className="rounded-md bg-warning-soft px-3 py-2">
                <code className="mr-2 font-mono text-warning text-xs">{code}</code>
                {message}
              </p>
            ))}
            {failure && (
              <FailureNotice
                failure={failure}
                onRetry={isBusy ? undefined : () => void store?.retry(turn.id)}
              />
            )}
            {answer.verification && <VerificationSummary verification={answer.verification} />}
            {state !== "waiting" && <TurnFacts turn={turn} onShowCode={() => onShowCode(turn)} />}
          </div>
          {answer.citations && (
            <SourcePanel
              citations={answer.citations}
              annotations={answer.annotations}
              verification={answer.verification}
              className="@min-[50rem]:max-h-[40rem] max-h-96"
            />
          )}
        </div>
      </CitationScope>
    </article>
  );
}

function Text({ turn: { answer, state } }: { turn: Turn }) {
  if (answer.content) {
    return (
      <CitedAnswer
        content={answer.content}
        annotations={answer.annotations}
        citations={answer.citations}
        verification={answer.verification}
        isStreaming={state !== "done"}
      />
    );
  }
  const words = {
    waiting: <Waiting />,
    stopped: "Stopped before any text.",
    done: "This answer has no text.",
    failed: null,
  }[state];
  return words && <p className="text-muted">{words}</p>;
}

function Waiting() {
  return (
    <span className="inline-flex items-center gap-2">
      <span
        aria-hidden
        className="size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent"
      />
      Searching…
    </span>
  );
}
