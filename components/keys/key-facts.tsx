import { Badge } from "@/components/ui/badge";
import { formatUsd } from "@/components/ui/usd";
import type { Key } from "@/lib/keys/schema";
import { MODE_LABELS, STATUS_LABELS } from "./labels";

export function ModeBadge({ mode }: Pick<Key, "mode">) {
  return <Badge tone={MODE_LABELS[mode].tone}>{MODE_LABELS[mode].name}</Badge>;
}

export function StatusBadge({ status }: Pick<Key, "status">) {
  return <Badge tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].name}</Badge>;
}

/** Such as "$1.230045 of $50.00 this month". */
export function formatMonth(key: Pick<Key, "monthly_budget_usd" | "month_spend_usd">): string {
  const { monthly_budget_usd: budget, month_spend_usd: spend } = key;
  return `${formatUsd(spend)}${budget === null ? "" : ` of ${formatUsd(budget)}`} this month`;
}
