import "server-only";

import { type Micros, parseUsd } from "@/lib/money/billing/money";
import { getLedgerMonth, type LedgerMonth } from "@/lib/money/billing/read/ledger-month";
import type { Context } from "@/lib/platform/auth/context";
import { getAccountName } from "@/lib/platform/auth/read";
import { addDays } from "../filter";
import { getUsage } from "./report";

/** A month of the ledger, with what its usage was of. */
export interface Statement extends LedgerMonth {
  account: { id: string; name: string };
  /** The most expensive first. Less than the ledger's usage once old records are deleted. */
  usage: { kind: string; model: string | null; requests: number; amount: Micros }[];
}

/** Throws not_found for a month that hasn't begun. */
export async function getStatement(ctx: Context, month: string): Promise<Statement> {
  const ledger = await getLedgerMonth(ctx, month);
  const from = `${month}-01`;
  const [name, { data }] = await Promise.all([
    getAccountName(ctx.account.id),
    getUsage(ctx, { from, to: lastDayOf(month), group_by: ["model", "kind"] }),
  ]);
  return {
    ...ledger,
    account: { id: ctx.account.id, name },
    usage: data
      .map(({ kind = "", model = null, requests, cost_usd }) => ({
        ...{ kind, model, requests },
        amount: parseUsd(cost_usd),
      }))
      .filter(({ amount }) => amount > 0n)
      .toSorted((a, b) => Number(b.amount - a.amount)),
  };
}

function lastDayOf(month: string): string {
  const [year = 0, index = 0] = month.split("-").map(Number);
  return addDays(new Date(Date.UTC(year, index)).toISOString().slice(0, 10), -1);
}
