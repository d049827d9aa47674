import type { ReactNode } from "react";
import { BackLink } from "@/components/shell/back-link";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { MomentWithSeconds } from "@/components/ui/time";
import { placesOf, Usd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import type { RequestRecord } from "@/lib/usage/schema";
import { ChargeTable } from "./charge-table";
import { Checks, SourcesUsed, Warnings } from "./evidence";
import {
  formatDuration,
  formatKey,
  formatKind,
  formatNumber,
  formatOutcome,
  formatShare,
  toneOf,
} from "./labels";
import { Refusal } from "./refusal";
import { Section } from "./section";

interface RequestViewProps {
  request: RequestRecord;
  /** The stored answer, or an explanation of why there is none. */
  answer: ReactNode;
  /** Whether `answer` shows the stored answer with its checks and sources. */
  isAnswerShown: boolean;
}

export function RequestView({ request, answer, isAnswerShown }: RequestViewProps) {
  return (
    <article aria-labelledby="request" className="grid gap-6">
      <Header request={request} />
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 gap-6">
          <Warnings codes={request.warnings} />
          <Refusal request={request} />
          {request.refusal ? null : answer}
          {!isAnswerShown && <Checks verification={request.details.verification} />}
          {!isAnswerShown && <SourcesUsed request={request} />}
        </div>
        <div className="grid min-w-0 gap-6">
          {!request.refusal && <CostTable request={request} />}
          {!request.refusal && <Stages request={request} />}
          <Details request={request} />
        </div>
      </div>
    </article>
  );
}

function Header({ request }: { request: RequestRecord }) {
  const facts: FactProps[] = [
    { name: "Ended", value: <MomentWithSeconds value={request.created_at} /> },
    { name: "Kind", value: formatKind(request.kind) },
    { name: "Model", value: request.model ?? "None", isCode: request.model !== null },
    { name: "Key", value: formatKey(request) },
    { name: "Duration", value: formatDuration(request.latency_ms) },
    { name: "Cost", value: <Usd value={request.cost_usd} /> },
  ];
  return (
    <header className="grid gap-4">
      <BackLink href="/usage" name="Usage" />
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
      <Facts facts={facts} className="gap-y-4 sm:grid-cols-3 lg:grid-cols-6" />
    </header>
  );
}

const STAGES: Record<string, { name: string; color: string }> = {
  retrieval: { name: "Retrieval", color: "bg-chart-teal" },
  model: { name: "Model", color: "bg-accent" },
  verification: { name: "Verification", color: "bg-chart-violet" },
};
const OTHER = { name: "Other", color: "bg-control" };

type Stage = typeof OTHER & { ms: number };

/** Where a request's time went, or only its total when stages weren't recorded. */
function Stages({ request }: { request: RequestRecord }) {
  const stages = stagesOf(request);
  return (
    <Section title="Time">
      <div className="grid gap-3 rounded-lg border bg-surface p-4">
        {stages.length > 0 && (
          <div aria-hidden className="flex h-2.5 gap-px overflow-hidden rounded-sm">
            {stages.map(({ name, color, ms }) => (
              <span key={name} className={cn("min-w-0.5", color)} style={{ flexGrow: ms }} />
            ))}
          </div>
        )}
        <dl className="grid gap-1.5">
          {stages.map(({ name, color, ms }) => (
            <div key={name} className="flex items-center gap-2">
              <dt className="flex items-center gap-2">
                <span aria-hidden className={cn("size-2.5 rounded-xs", color)} />
                {name}
              </dt>
              <dd className="ml-auto tabular-nums">
                <span className="text-muted text-xs">{formatShare(ms, totalOf(stages))}</span>{" "}
                {formatDuration(ms)}
              </dd>
            </div>
          ))}
          <Line name="Total" value={formatDuration(request.latency_ms)} isStrong />
          {request.first_token_ms !== null && (
            <Line name="Time to first token" value={formatDuration(request.first_token_ms)} />
          )}
        </dl>
        {stages.length === 0 && (
          <p className="text-muted text-xs">Stage timings weren’t recorded.</p>
        )}
      </div>
    </Section>
  );
}

function Line({ name, value, isStrong }: { name: string; value: string; isStrong?: boolean }) {
  return (
    <div className={cn("flex justify-between gap-2", isStrong ? "font-medium" : "text-muted")}>
      <dt>{name}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  );
}

/** Stages in order, plus the time outside any stage. */
function stagesOf({ details: { stages_ms: timed = {} }, latency_ms }: RequestRecord): Stage[] {
  const stages = Object.keys({ ...STAGES, ...timed }).flatMap((id) => {
    const ms = timed[id];
    return ms === undefined ? [] : [{ ...(STAGES[id] ?? { name: id, color: "bg-muted" }), ms }];
  });
  const rest = latency_ms - totalOf(stages);
  return stages.length > 0 && rest > 0 ? [...stages, { ...OTHER, ms: rest }] : stages;
}

function totalOf(stages: readonly Stage[]): number {
  return stages.reduce((sum, { ms }) => sum + ms, 0);
}

/** The request's cost, at the rate it was billed. */
function CostTable({ request: { charge, status } }: { request: RequestRecord }) {
  const { parts, exact_usd, charged_usd } = charge;
  return (
    <Section title="Cost">
      <div className="rounded-lg border bg-surface px-4 py-1.5">
        <ChargeTable
          caption="Cost breakdown"
          charge={charge}
          places={placesOf([...parts.map(({ usd }) => usd), exact_usd, charged_usd])}
          chargedLabel="Charged"
          hasExactTotal={parts.length > 0 && Number(exact_usd) !== Number(charged_usd)}
        />
        <p className="border-t py-2 text-muted text-xs leading-5 empty:hidden">
          {explain(charge, status)}
        </p>
      </div>
    </Section>
  );
}

/** Why the charge differs from the exact sum of its lines. */
function explain({ parts, exact_usd, charged_usd }: RequestRecord["charge"], status: number) {
  if (status >= 400 && !/[1-9]/.test(charged_usd)) {
    return "Failed requests are free.";
  }
  if (parts.length === 0) {
    return "The rate for this request wasn’t recorded.";
  }
  const [exact, charged] = [exact_usd, charged_usd].map(Number) as [number, number];
  if (charged > exact) {
    return "Rounded up to the next micro-dollar.";
  }
  return charged < exact ? "Limited to the amount reserved and the available balance." : null;
}

function Details({ request }: { request: RequestRecord }) {
  const { details, passages } = request;
  const response = details.is_stream ? "Streamed" : "Not streamed";
  const facts: FactProps[] = [
    { name: "Path", value: request.endpoint, isCode: true, isWide: true },
    { name: "Status", value: request.status },
    { name: "Error code", value: request.error_code, isCode: true, isWide: true },
    { name: "Key", value: request.key_display, isCode: true, isWide: true },
    { name: "Source", value: request.is_playground && "Console" },
    { name: "Response", value: details.is_stream !== undefined && response },
    { name: "Input tokens", value: formatNumber(request.prompt_tokens) },
    { name: "Output tokens", value: formatNumber(request.completion_tokens) },
    { name: "Passages found", value: passages !== null && formatNumber(passages) },
    { name: "Completion", value: details.completion_id, isCode: true, isWide: true },
  ];
  return (
    <Section title="Details">
      <Facts facts={facts} className="gap-y-3" />
    </Section>
  );
}

interface FactProps {
  name: string;
  /** Left out if there is none. */
  value: ReactNode;
  isCode?: boolean;
  /** Spans the full width. */
  isWide?: boolean;
}

function Facts({ facts, className }: { facts: FactProps[]; className: string }) {
  return (
    <dl className={cn("grid grid-cols-2 gap-x-6 rounded-lg border bg-surface p-4", className)}>
      {facts.map(
        ({ name, value, isCode, isWide }) =>
          value && (
            <div key={name} className={cn("min-w-0", isWide && "col-span-full")}>
              <dt className="text-muted text-xs">{name}</dt>
              <dd className="break-words">
                {isCode ? (
                  <code className={cn("font-mono text-xs", isWide && "break-all")}>{value}</code>
                ) : (
                  value
                )}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
