import type { ReactNode } from "react";
import { Usd } from "@/components/ui/usd";
import type { UsageSummary } from "@/lib/usage/schema";
import { formatNumber, formatRange, formatShare } from "./labels";

/** What the requests shown come to. */
export function Totals({ summary }: { summary: UsageSummary }) {
  const { total } = summary;
  return (
    <section aria-labelledby="totals" className="grid gap-3 rounded-lg border bg-surface p-4">
      <h2 id="totals" className="text-muted text-xs">
        Total, {formatRange(summary)} (UTC)
      </h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        <Fact name="Spend">
          <Usd value={total.cost_usd} />
        </Fact>
        <Fact
          name="Requests"
          note={`${formatNumber(total.failed_requests)} failed, ${formatShare(total.failed_requests, total.requests)}`}
        >
          {formatNumber(total.requests)}
        </Fact>
        <Fact name="Input tokens">{formatNumber(total.prompt_tokens)}</Fact>
        <Fact name="Output tokens">{formatNumber(total.completion_tokens)}</Fact>
      </dl>
    </section>
  );
}

function Fact({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="break-words font-semibold text-xl tabular-nums tracking-tight">{children}</dd>
      {note && <dd className="text-muted text-xs">{note}</dd>}
    </div>
  );
}
