import { MessageSquareQuote } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { BackLink } from "@/components/shell/back-link";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { MomentWithSeconds } from "@/components/ui/time";
import { placesOf, Usd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import type { Job } from "@/lib/library/documents/schema";
import type { RequestRecord } from "@/lib/money/usage/schema";
import { ChargeTable } from "./charge-table";
import { Checks, SourcesUsed, Warnings } from "./evidence";
import {
  formatDuration,
  formatKey,
  formatKind,
  formatNumber,
  formatOutcome,
  toneOf,
} from "./labels";
import type { ShownPassages } from "./passages";
import { Failure, JobFailure, Refusal } from "./refusal";
import { Section } from "./section";
import { Waterfall } from "./waterfall";

interface RequestViewProps {
  request: RequestRecord;
  /** The passages that the model got, as they are stored now. */
  passages: ShownPassages;
  /** The stored answer, or an explanation of why there is none. */
  answer: ReactNode;
  /** Whether `answer` shows the stored answer with its checks and sources. */
  isAnswerShown: boolean;
  /** Of an upload whose document couldn't be read. */
  jobError: Job["error"];
}

export function RequestView(props: RequestViewProps) {
  const { request, passages, answer, isAnswerShown, jobError } = props;
  return (
    <article aria-labelledby="request" className="grid gap-6">
      <Header request={request} canReplay={isAnswerShown} />
      {!request.refusal && <Waterfall request={request} />}
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 gap-6">
          <Warnings codes={request.warnings} />
          <Refusal request={request} />
          <JobFailure error={jobError} />
          {!jobError && <Failure request={request} />}
          {request.refusal ? null : answer}
          {!isAnswerShown && <Checks verification={request.details.verification} />}
          {!isAnswerShown && <SourcesUsed request={request} passages={passages} />}
        </div>
        <div className="grid min-w-0 gap-6">
          {!request.refusal && <CostTable request={request} />}
          <Details request={request} />
        </div>
      </div>
    </article>
  );
}

interface HeaderProps {
  request: RequestRecord;
  /** Whether its messages are stored, so that the playground can send them again. */
  canReplay: boolean;
}

function Header({ request, canReplay }: HeaderProps) {
  const facts: FactProps[] = [
    { name: "Ended", value: <MomentWithSeconds value={request.created_at} /> },
    { name: "Kind", value: formatKind(request.kind) },
    { name: "Model", value: request.model ?? "None", isCode: request.model !== null },
    { name: "Key", value: <KeyName request={request} /> },
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
          <CopyButton text={request.id} label="Copy ID" />
          {canReplay && (
            <ButtonLink
              href={`/playground?replay=${encodeURIComponent(request.id)}`}
              prefetch={false}
              size="sm"
              className="print:hidden"
            >
              <MessageSquareQuote aria-hidden />
              Open in playground
            </ButtonLink>
          )}
        </span>
      </div>
      <Facts facts={facts} />
    </header>
  );
}

/** Links to the key's page. The console's own key and deleted ones have none. */
function KeyName({ request }: { request: RequestRecord }) {
  const { key_id, key_name, is_playground } = request;
  return is_playground || key_name === null ? (
    formatKey(request)
  ) : (
    <Link
      href={`/keys/${encodeURIComponent(key_id)}`}
      prefetch={false}
      className="rounded-sm underline decoration-control underline-offset-4 hover:decoration-current"
    >
      {key_name}
    </Link>
  );
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
  const { details, passages, refusal } = request;
  const response = details.is_stream ? "Streamed" : "Not streamed";
  const facts: FactProps[] = [
    { name: "Path", value: request.endpoint, isCode: true },
    { name: "Status", value: !refusal && request.status },
    { name: "Key", value: request.key_display, isCode: true },
    { name: "Source", value: request.is_playground && "Console" },
    { name: "Response", value: details.is_stream !== undefined && response },
    { name: "Input tokens", value: !refusal && formatNumber(request.prompt_tokens) },
    { name: "Output tokens", value: !refusal && formatNumber(request.completion_tokens) },
    { name: "Passages found", value: passages !== null && formatNumber(passages) },
    { name: "Completion", value: details.completion_id, isCode: true },
  ];
  return (
    <Section title="Details">
      <Facts facts={facts} isList />
    </Section>
  );
}

interface FactProps {
  name: string;
  /** Left out if there is none. */
  value: ReactNode;
  isCode?: boolean;
}

interface FactsProps {
  facts: FactProps[];
  /** Whether each fact is a line. */
  isList?: boolean;
}

function Facts({ facts, isList = false }: FactsProps) {
  return (
    <dl
      className={cn(
        "grid gap-x-6 rounded-lg border bg-surface p-4",
        isList ? "gap-y-2" : "grid-cols-2 gap-y-4 sm:grid-cols-3 lg:grid-cols-6",
      )}
    >
      {facts.map(
        ({ name, value, isCode }) =>
          value && (
            <div
              key={name}
              className={cn(
                "min-w-0",
                isList && "grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-3",
              )}
            >
              <dt className="text-muted text-xs">{name}</dt>
              <dd className="break-words">
                {isCode ? (
                  <code className={cn("font-mono text-xs", isList && "break-all")}>{value}</code>
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
