"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { CitationScope } from "@/components/citations/citation-scope";
import { CitedAnswer } from "@/components/citations/cited-answer";
import { ClosestPassage } from "@/components/citations/closest-passage";
import { SourcePanel } from "@/components/citations/source-panel";
import { VerificationSummary } from "@/components/citations/verification-summary";
import { Searched } from "@/components/documents/searched";
import { Button, ButtonLink } from "@/components/ui/button";
import { AlertMark } from "@/components/ui/form-error";
import { formatUsd, Usd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import { adviseOn } from "./ask";
import type { Run } from "./conversation";
import { formatDuration, formatFinish, formatTokens } from "./labels";

interface RunViewProps {
  run: Run;
  /** Names the answer, such as "answer 2" or "answer 2 B". */
  name: string;
  question: string;
  /** Whether the sources may be beside the answer: not when another answer is. */
  isAlone: boolean;
  onRetry: (() => void) | null;
  /** What can be done with it. */
  actions: ReactNode;
}

/** An answer with its check and its sources. */
export function RunView({ run, name, question, isAlone, onRetry, actions }: RunViewProps) {
  const { answer, failure, state } = run;
  const { citations } = answer;
  return (
    <CitationScope name={name}>
      <div
        className={cn(
          "grid gap-x-6 gap-y-4",
          isAlone && citations && "@min-[50rem]:grid-cols-[minmax(0,1fr)_20rem]",
        )}
      >
        <div className="grid min-w-0 content-start gap-4">
          <Text run={run} />
          {(answer.warnings ?? []).map(({ code, message }) => (
            <p key={code} role="status" className="rounded-md bg-warning-soft px-3 py-2">
              <code className="mr-2 font-mono text-warning text-xs">{code}</code>
              {message}
            </p>
          ))}
          {failure && (
            <FailureNotice failure={failure} hasText={answer.content !== ""} onRetry={onRetry} />
          )}
          {state === "done" && citations && <ClosestPassage {...answer} citations={citations} />}
          {answer.verification && <VerificationSummary verification={answer.verification} />}
          {state !== "waiting" && <RunFacts run={run} actions={actions} />}
        </div>
        {citations && (
          <div className="grid min-w-0 content-start gap-2">
            {answer.retrieval && <Searched retrieval={answer.retrieval} question={question} />}
            <SourcePanel
              {...answer}
              citations={citations}
              className={cn(isAlone && "@min-[50rem]:max-h-[40rem]")}
            />
          </div>
        )}
      </div>
    </CitationScope>
  );
}

function Text({ run: { answer, state } }: { run: Run }) {
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

interface FailureNoticeProps extends Pick<RunViewProps, "onRetry"> {
  failure: NonNullable<Run["failure"]>;
  /** Whether part of the answer had arrived. */
  hasText: boolean;
}

const INCOMPLETE = "The answer is incomplete, and its citations weren’t checked.";

/** An API error and what to do about it. */
function FailureNotice({ failure, hasText, onRetry }: FailureNoticeProps) {
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
      {hasText && <p>{INCOMPLETE}</p>}
      <Facts facts={facts} className="[&_dd]:break-all [&_dd]:font-mono" />
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto">{adviseOn(failure)}</p>
        {code === "insufficient_balance" && (
          <ButtonLink href="/billing" size="sm" variant="primary">
            Add funds
          </ButtonLink>
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

/** A request's duration and cost, and what can be done with it. */
function RunFacts({ run, actions }: Pick<RunViewProps, "run" | "actions">) {
  const { answer, state, request } = run;
  const { usage, firstTokenMs, totalMs, finishReason, requestId } = answer;
  const ended = finishReason ? formatFinish(finishReason) : null;
  const facts: Fact[] = [
    ["Cost", usage?.cost_usd && <Usd value={usage.cost_usd} />],
    ["First token", firstTokenMs !== undefined && formatDuration(firstTokenMs)],
    ["Total", totalMs !== undefined && formatDuration(totalMs)],
    ["Tokens", usage && formatTokens(usage)],
    ["Request", state !== "failed" && requestId && <RequestLink id={requestId} />],
  ];
  const hasNoSources = state === "done" && Boolean(request.citations) && !answer.citations;
  return (
    <div className="grid gap-2 border-t pt-3">
      {state === "stopped" && (
        <p className="text-muted text-xs">
          Stopped. You pay only for what was generated. {answer.content && INCOMPLETE}
        </p>
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
        {actions}
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
