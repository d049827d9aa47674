import { formatRoughUsd, formatUsd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import type { Key } from "@/lib/keys/schema";

/** What a key has spent this month, and of how much; the exact amounts on hover. */
export function BudgetSummary({ apiKey: key }: { apiKey: Key }) {
  const { monthly_budget_usd: budget, month_spend_usd: spend } = key;
  const isUsedUp = budget !== null && microsOf(spend) >= microsOf(budget);
  return (
    <span className="tabular-nums" title={formatMonth(key)}>
      <span className={cn("whitespace-nowrap", isUsedUp && "font-medium text-warning")}>
        {formatRoughUsd(spend)}
      </span>
      {budget !== null && (
        <>
          {" "}
          <span className="whitespace-nowrap text-muted">of {formatUsd(budget)}</span>
        </>
      )}
    </span>
  );
}

/** Such as "$1.230045 of $50.00 this month". */
export function formatMonth(key: Pick<Key, "monthly_budget_usd" | "month_spend_usd">): string {
  const { monthly_budget_usd: budget, month_spend_usd: spend } = key;
  return `${formatUsd(spend)}${budget === null ? "" : ` of ${formatUsd(budget)}`} this month`;
}

/** Both have six places. */
function microsOf(usd: string): bigint {
  return BigInt(usd.replace(".", ""));
}
