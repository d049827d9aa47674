"use client";

import Link from "next/link";
import { type ReactNode, useId } from "react";
import { CitationScope } from "@/components/citations/citation-scope";
import { CitedAnswer } from "@/components/citations/cited-answer";
import { Searched } from "@/components/citations/searched";
import { SourcePanel } from "@/components/citations/source-panel";
import { VerificationSummary } from "@/components/citations/verification-summary";
import { Button, buttonVariants } from "@/components/ui/button";
import { AlertMark } from "@/components/ui/form-error";
import { formatUsd, Usd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import { adviseOn, type Failure } from "./ask";
import type { Turn } from "./conversation";
import { formatDuration, formatFinish } from "./labels";
import { usePlayground } from "./store";
import { TurnActions } from "./turn-actions";

interface TurnViewProps {
  turn: Turn;
  /** Counts from 1. */
  number: number;
  onShowCode: (turn: Turn) => void;
}

/** A question and its answer, with the sources beside it or below. */
export function TurnView({ turn, number, onShowCode }: TurnViewProps) {
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
            {failure && <FailureNotice id={turn.id} failure={failure} />}
            {answer.verification && <VerificationSummary verification={answer.verification} />}
            {state !== "waiting" && <TurnFacts turn={turn} onShowCode={() => onShowCode(turn)} />}
          </div>
          {answer.citations && (
            <div className="grid min-w-0 content-start gap-2">
              {answer.retrieval && (
                <Searched retrieval={answer.retrieval} question={turn.question} />
              )}
              <SourcePanel
                {...answer}
                citations={answer.citations}
                className="@min-[50rem]:max-h-[40rem] max-h-96"
              />
            </div>
          )}
        </div>
      </CitationScope>
    </article>
  );
}

function Text({ turn: { answer, state } }: { turn: Turn }) {
  if (answer.content) {
    return <CitedAnswer {...answer} isStreaming={state !== "done"} />;
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

/** An API error and what to do about it. */
function FailureNotice({ id, failure }: { id: Turn["id"]; failure: Failure }) {
  const { store, isBusy } = usePlayground();
  const { status, code, message, param, requestId, balance, required, retryAfter } = failure;
  const facts: Fact[] = [
    ["Code", [status, code].filter(Boolean).join(" ")],
    ["Field", param],
    ["Balance", balance && formatUsd(balance)],
    ["Maximum cost", required && formatUsd(required)],
    ["Retry after", retryAfter && `${retryAfter} s`],
    ["Request", requestId],
  ];
  return (
    <div role="alert" className="grid gap-3 rounded-md bg-danger-soft p-3">
      <p className="flex gap-2 break-words [&>span]:mt-0.5">
        <AlertMark />
        {message}
      </p>
      <Facts facts={facts} className="[&_dd]:break-all [&_dd]:font-mono" />
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto">{adviseOn(failure)}</p>
        {code === "insufficient_balance" && (
          <Link href="/billing" className={buttonVariants({ size: "sm", variant: "primary" })}>
            Add funds
          </Link>
        )}
        {!isBusy && (
          <Button size="sm" onClick={() => void store?.retry(id)}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

/** A request's duration and cost, with actions to repeat it. */
function TurnFacts({ turn, onShowCode }: { turn: Turn; onShowCode: () => void }) {
  const { answer, state, request } = turn;
  const { usage, firstTokenMs, totalMs, finishReason, requestId } = answer;
  const ended = finishReason ? formatFinish(finishReason) : null;
  const facts: Fact[] = [
    ["Cost", usage?.cost_usd && <Usd value={usage.cost_usd} />],
    ["First token", firstTokenMs !== undefined && formatDuration(firstTokenMs)],
    ["Total", totalMs !== undefined && formatDuration(totalMs)],
    ["Tokens", usage && `${usage.prompt_tokens} in, ${usage.completion_tokens} out`],
    ["Request", state !== "failed" && requestId && <RequestLink id={requestId} />],
  ];
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
        <Facts facts={facts} className="[&_dd]:tabular-nums [&_dt]:text-muted" />
        <TurnActions turn={turn} onShowCode={onShowCode} />
      </div>
    </div>
  );
}

/** A name and its value. One without a value isn't shown. */
type Fact = [string, ReactNode];

function Facts({ facts, className }: { facts: Fact[]; className: string }) {
  return (
    <dl className={cn("flex flex-wrap gap-x-6 gap-y-1 text-xs", className)}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="flex gap-1.5">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function RequestLink({ id }: { id: string }) {
  return (
    <Link
      href={`/usage/${id}`}
      className="break-all font-mono text-accent underline underline-offset-4"
    >
      {id}
    </Link>
  );
}
