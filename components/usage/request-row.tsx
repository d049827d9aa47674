import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { MomentWithSeconds } from "@/components/ui/time";
import { Usd } from "@/components/ui/usd";
import type { VirtualRowProps } from "@/components/ui/use-virtual-rows";
import { cn } from "@/lib/cn";
import type { LoggedRequest } from "@/lib/money/usage/schema";
import {
  formatDuration,
  formatKey,
  formatKind,
  formatNumber,
  formatOutcome,
  toneOf,
} from "./labels";

/** The log's columns on wide screens, with and without the key's. On narrow ones, a row is a three-line card. */
export function rowGrid(isOfOneKey: boolean): string {
  return cn(
    "@min-[54rem]:gap-x-3",
    isOfOneKey
      ? "@min-[54rem]:grid-cols-[9.5rem_minmax(0,1.6fr)_minmax(0,1.35fr)_6rem_4rem_5.5rem]"
      : "@min-[54rem]:grid-cols-[9.5rem_minmax(0,1.6fr)_minmax(0,0.95fr)_minmax(0,1.35fr)_6rem_4rem_5.5rem]",
  );
}

interface RequestRowProps {
  request: LoggedRequest;
  /** Decimal places of every cost in the list, so that they align. */
  places: number;
  /** Whether every row has the same key, which is then left out. */
  isOfOneKey: boolean;
  /** Set when only some rows are rendered. */
  row?: VirtualRowProps;
}

/** A request. The whole row links to its page. */
export function RequestRow({ request, places, isOfOneKey, row }: RequestRowProps) {
  return (
    <tr
      {...row}
      aria-rowindex={row && row["data-index"] + 2}
      className={cn(
        "relative grid grid-cols-[minmax(0,1fr)_auto] @min-[54rem]:items-center gap-x-3 gap-y-0.5 border-b px-3.5 py-2.5 hover:bg-sunken/50 has-focus-visible:bg-sunken/50",
        row ? "top-0" : "last:border-b-0",
        rowGrid(isOfOneKey),
      )}
    >
      <td className="order-3 @min-[54rem]:order-none min-w-0 whitespace-nowrap text-muted">
        <Link
          href={`/usage/${request.id}`}
          prefetch={false}
          className="rounded-sm after:absolute after:inset-0 hover:text-ink"
        >
          {/* Above what makes the whole row a link, which would hide the exact time. */}
          <span className="relative z-10">
            <MomentWithSeconds value={request.created_at} />
          </span>
          <span className="sr-only">, {request.id}</span>
        </Link>
      </td>
      <td className="order-1 @min-[54rem]:order-none min-w-0">
        <KindAndModel request={request} />
      </td>
      {!isOfOneKey && (
        <td
          title={formatKey(request)}
          className="order-5 @min-[54rem]:order-none min-w-0 truncate text-muted @min-[54rem]:text-ink"
        >
          {formatKey(request)}
        </td>
      )}
      <td className="order-4 @min-[54rem]:order-none min-w-0 text-right @min-[54rem]:text-left">
        <Outcome request={request} />
      </td>
      <td className="hidden @min-[54rem]:block whitespace-nowrap text-right text-muted tabular-nums">
        <Tokens request={request} />
      </td>
      <td className="order-6 @min-[54rem]:order-none @min-[54rem]:col-auto col-start-2 whitespace-nowrap text-right text-muted tabular-nums">
        {formatDuration(request.latency_ms)}
      </td>
      <td className="order-2 @min-[54rem]:order-none whitespace-nowrap text-right">
        <Usd
          value={request.cost_usd}
          places={places}
          className="[&>[aria-hidden]]:hidden @min-[54rem]:[&>[aria-hidden]]:inline"
        />
      </td>
    </tr>
  );
}

function KindAndModel({ request: { kind, model, endpoint } }: { request: LoggedRequest }) {
  const asked = kind === "refused" ? endpoint : (model ?? endpoint);
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="shrink-0 font-medium">{formatKind(kind)}</span>
      <code title={asked} className="min-w-0 truncate font-mono text-muted text-xs">
        {asked}
      </code>
    </span>
  );
}

/** Plain text for successes, which are most requests; a badge for failures. */
function Outcome({ request }: { request: LoggedRequest }) {
  const label = formatOutcome(request);
  return (
    <span className="flex min-w-0 items-center justify-end gap-1.5 @min-[54rem]:justify-start">
      {request.status < 400 ? (
        <span className="text-muted">{label}</span>
      ) : (
        <span title={label} className="min-w-0 truncate">
          <Badge tone={toneOf(request)}>{label}</Badge>
        </span>
      )}
      {request.warnings.length > 0 && (
        <span title={request.warnings.join(", ")} className="relative z-10 shrink-0 text-warning">
          <TriangleAlert aria-hidden className="size-4" />
          <span className="sr-only">, warnings: {request.warnings.join(", ")}</span>
        </span>
      )}
    </span>
  );
}

function Tokens({ request }: { request: LoggedRequest }) {
  const { prompt_tokens: prompt, completion_tokens: completion } = request;
  if (prompt + completion === 0) {
    return (
      <>
        <span aria-hidden>–</span>
        <span className="sr-only">None</span>
      </>
    );
  }
  return (
    <>
      {formatNumber(prompt)}
      {completion > 0 && (
        <>
          <span aria-hidden> → </span>
          <span className="sr-only"> in, </span>
          {formatNumber(completion)}
          <span className="sr-only"> out</span>
        </>
      )}
    </>
  );
}
