import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { Moment } from "@/components/ui/time";
import { Usd } from "@/components/ui/usd";
import type { RequestRecord } from "@/lib/usage/schema";
import { Checks, SourcesUsed, Warnings } from "./evidence";
import {
  formatDuration,
  formatKey,
  formatKind,
  formatNumber,
  formatOutcome,
  toneOf,
} from "./labels";
import { Section } from "./section";
import { CostTable, Stages } from "./stages";

interface RequestViewProps {
  request: RequestRecord;
  /** The stored answer, or an explanation of why there is none. */
  answer: ReactNode;
  /** Whether `answer` shows the stored answer with its checks and sources. */
  isAnswerShown: boolean;
}

/** Details of one request. */
export function RequestView({ request, answer, isAnswerShown }: RequestViewProps) {
  return (
    <article aria-labelledby="request" className="grid gap-6">
      <Header request={request} />
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 gap-6">
          <Warnings codes={request.warnings} />
          {answer}
          {!isAnswerShown && <Checks verification={request.details.verification} />}
          {!isAnswerShown && <SourcesUsed request={request} />}
        </div>
        <div className="grid min-w-0 gap-6">
          <CostTable request={request} />
          <Stages request={request} />
          <Details request={request} />
        </div>
      </div>
    </article>
  );
}

function Header({ request }: { request: RequestRecord }) {
  return (
    <header className="grid gap-4">
      <Link
        href="/usage"
        className="inline-flex w-fit items-center gap-1.5 rounded-sm text-muted hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Usage
      </Link>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 id="request" className="font-semibold text-xl tracking-tight">
          Request
        </h1>
        <Badge tone={toneOf(request)}>{formatOutcome(request)}</Badge>
        <span className="flex min-w-0 flex-wrap items-center gap-2 sm:ml-auto">
          <code className="break-all font-mono text-muted text-xs">{request.id}</code>
          <CopyButton text={request.id} label="Copy id" />
        </span>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 rounded-lg border bg-surface p-4 sm:grid-cols-3 lg:grid-cols-6">
        <Fact name="Ended">
          <Moment value={request.created_at} />
        </Fact>
        <Fact name="Kind">{formatKind(request.kind)}</Fact>
        <Fact name="Model">
          {request.model ? <code className="font-mono text-xs">{request.model}</code> : "None"}
        </Fact>
        <Fact name="Key">{formatKey(request)}</Fact>
        <Fact name="Duration">{formatDuration(request.latency_ms)}</Fact>
        <Fact name="Cost">
          <Usd value={request.cost_usd} />
        </Fact>
      </dl>
    </header>
  );
}

function Details({ request }: { request: RequestRecord }) {
  const { details, passages } = request;
  const response = details.is_stream ? "Streamed" : "Not streamed";
  const facts: { name: string; value: string | number | null | undefined; isCode?: boolean }[] = [
    { name: "Path", value: request.endpoint, isCode: true },
    { name: "Status", value: request.status },
    { name: "Error code", value: request.error_code, isCode: true },
    { name: "Key", value: request.key_display, isCode: true },
    { name: "Source", value: request.is_playground ? "Playground" : null },
    { name: "Response", value: details.is_stream === undefined ? null : response },
    { name: "Input tokens", value: formatNumber(request.prompt_tokens) },
    { name: "Output tokens", value: formatNumber(request.completion_tokens) },
    { name: "Passages found", value: passages === null ? null : formatNumber(passages) },
    { name: "Completion", value: details.completion_id, isCode: true },
  ];
  return (
    <Section title="Details">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border bg-surface p-4">
        {facts.map(
          ({ name, value, isCode }) =>
            value && (
              <Fact key={name} name={name} isWide={isCode}>
                {isCode ? <code className="break-all font-mono text-xs">{value}</code> : value}
              </Fact>
            ),
        )}
      </dl>
    </Section>
  );
}

interface FactProps {
  name: string;
  /** Spans the full width. */
  isWide?: boolean | undefined;
  children: ReactNode;
}

function Fact({ name, isWide, children }: FactProps) {
  return (
    <div className={isWide ? "col-span-full min-w-0" : "min-w-0"}>
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
