"use client";

import { Code } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Usd } from "@/components/ui/usd";
import type { Turn } from "./conversation";
import { formatDuration, formatFinish } from "./labels";

interface TurnFactsProps {
  turn: Turn;
  onShowCode: () => void;
}

/** What a request took and cost, and how to send it again. */
export function TurnFacts({ turn, onShowCode }: TurnFactsProps) {
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
