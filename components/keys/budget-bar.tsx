import { cn } from "@/lib/cn";
import type { Key } from "@/lib/money/keys/schema";
import { budgetShare } from "./attention";

const FULL = 1;
const NEARLY_FULL = 0.8;

interface BudgetBarProps {
  apiKey: Pick<Key, "monthly_budget_usd" | "month_spend_usd">;
  className?: string;
}

/** How much of the monthly budget is spent, beside the amounts as text. Nothing without a budget. */
export function BudgetBar({ apiKey, className }: BudgetBarProps) {
  const share = budgetShare(apiKey);
  return (
    share !== null && (
      <span
        aria-hidden
        className={cn("block h-1 overflow-hidden rounded-full bg-sunken", className)}
      >
        <span
          className={cn(
            "block h-full rounded-full bg-accent",
            share >= NEARLY_FULL && "bg-warning",
            share >= FULL && "bg-danger",
          )}
          style={{ width: `${Math.min(share, FULL) * 100}%` }}
        />
      </span>
    )
  );
}
