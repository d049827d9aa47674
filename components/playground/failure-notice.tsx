"use client";

import Link from "next/link";
import { AlertMark } from "@/components/ui/alert-mark";
import { Button, buttonLook } from "@/components/ui/button";
import { formatUsd } from "@/components/ui/usd";
import { adviseOn, type Failure } from "./failure";

interface FailureNoticeProps {
  failure: Failure;
  /** Absent while another answer is under way. */
  onRetry: (() => void) | undefined;
}

/** A failure as the API gives it, and what to do about it. */
export function FailureNotice({ failure, onRetry }: FailureNoticeProps) {
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
          <Link href="/billing" className={buttonLook({ size: "sm", variant: "primary" })}>
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
