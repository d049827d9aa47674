"use client";

import { Code } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useId } from "react";
import { CitationScope } from "@/components/citations/citation-scope";
import { CitedAnswer } from "@/components/citations/cited-answer";
import { SourcePanel } from "@/components/citations/source-panel";
import { VerificationSummary } from "@/components/citations/verification-summary";
import { Button, buttonVariants } from "@/components/ui/button";
import { AlertMark } from "@/components/ui/form-error";
import { formatUsd, Usd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import type { Turn } from "./conversation";
import { adviseOn, type Failure } from "./failure";
import { formatDuration, formatFinish } from "./labels";
import { usePlayground } from "./use-playground";

interface TurnViewProps {
  turn: Turn;
  /** Counts from 1. */
  number: number;
  /** Whether another answer is in progress. */
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
  const placeholder = {
    waiting: <Waiting />,
    stopped: "Stopped before any text.",
    done: "This answer has no text.",
    failed: null,
  }[state];
  return placeholder && <p className="text-muted">{placeholder}</p>;
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

interface FailureNoticeProps {
  failure: Failure;
  /** Absent while another answer is in progress. */
  onRetry: (() => void) | undefined;
}

/** An API error and what to do about it. */
function FailureNotice({ failure, onRetry }: FailureNoticeProps) {
  const { status, code, message, param, requestId, balance, required, retryAfter } = failure;
  const facts = [
    ["Code", [status, code].filter(Boolean).join(" ")],
    ["Field", param],
    ["Balance", balance && formatUsd(balance)],
    ["Maximum cost", required && formatUsd(required)],
    ["Retry after", retryAfter && `${retryAfter} s`],
    ["Request", requestId],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]));
  return (
    <div role="alert" className="grid gap-3 rounded-md bg-danger-soft p-3">
      <p className="flex gap-2 break-words [&>span]:mt-0.5">
        <AlertMark />
        {message}
      </p>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-xs">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt>{name}</dt>
            <dd className="break-all font-mono">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto">{adviseOn(failure)}</p>
        {code === "insufficient_balance" && (
          <Link href="/billing" className={buttonVariants({ size: "sm", variant: "primary" })}>
            Add funds
          </Link>
        )}
        {onRetry && (
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

interface TurnFactsProps {
  turn: Turn;
  onShowCode: () => void;
}

/** A request's duration and cost, with actions to repeat it. */
function TurnFacts({ turn, onShowCode }: TurnFactsProps) {
  const { answer, state, request } = turn;
  const { usage, firstTokenMs, totalMs, finishReason, requestId } = answer;
  const ended = finishReason ? formatFinish(finishReason) : null;
  const hasNoSources = state === "done" && Boolean(request.citations) && !answer.citations;
  return (
    <div className="grid gap-2 border-t pt-3">
      {state === "stopped" && (
        <p className="text-muted text-xs">Stopped. You pay only for what was generated.</p>
      )}
      {ended && <p className="text-warning text-xs">{ended}</p>}
      {hasNoSources && !answer.warnings && (
        <p className="text-warning text-xs">
          Retrieval didn’t run. Turn off streaming to see why, or turn on “Require sources” to fail
          instead.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <dl className="flex flex-wrap gap-x-6 gap-y-1 text-xs">
          {usage?.cost_usd && (
            <Fact name="Cost">
              <Usd value={usage.cost_usd} />
            </Fact>
          )}
          {firstTokenMs !== undefined && (
            <Fact name="First token">{formatDuration(firstTokenMs)}</Fact>
          )}
          {totalMs !== undefined && <Fact name="Total">{formatDuration(totalMs)}</Fact>}
          {usage && (
            <Fact name="Tokens">
              {usage.prompt_tokens} in, {usage.completion_tokens} out
            </Fact>
          )}
          {requestId && state !== "failed" && (
            <Fact name="Request">
              <Link
                href={`/usage/${requestId}`}
                className="break-all font-mono text-accent underline underline-offset-4"
              >
                {requestId}
              </Link>
            </Fact>
          )}
        </dl>
        <Button size="sm" className="ml-auto" onClick={onShowCode}>
          <Code aria-hidden />
          Copy as code
        </Button>
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
