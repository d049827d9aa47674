import Link from "next/link";
import { buttonLook } from "@/components/ui/button";
import { formatUsd, Usd } from "@/components/ui/usd";
import type { Overview } from "@/lib/usage/schema";
import { formatDaysLeft } from "./labels";
import { Panel } from "./panel";

/** What new requests may use, and how long that lasts when each week is like the last. */
export function Balance({ overview }: { overview: Overview }) {
  const { credits, week_spend_usd, days_left } = overview;
  return (
    <Panel
      title="Available balance"
      action={
        <Link href="/billing" className={buttonLook({ size: "sm" })}>
          Billing
        </Link>
      }
    >
      <p className="break-words font-semibold text-3xl tracking-tight">
        <Usd
          value={credits.available_usd}
          className="[&>span]:font-medium [&>span]:text-base [&>span]:text-muted"
        />
      </p>
      <dl className="grid gap-1">
        <div className="flex flex-wrap justify-between gap-x-3">
          <dt className="text-muted">Runway</dt>
          <dd className="font-medium">{formatDaysLeft(days_left)}</dd>
        </div>
      </dl>
      <p className="text-muted text-xs leading-5">
        {days_left === null
          ? "No spend in the last 7 days."
          : `Based on ${formatUsd(week_spend_usd)} spent in the last 7 days.`}
      </p>
    </Panel>
  );
}
