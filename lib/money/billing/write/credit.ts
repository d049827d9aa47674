import "server-only";

import { newId } from "@/lib/id";
import { query } from "@/lib/platform/db/client";
import type { Micros } from "../money";
import { resetLowBalanceAlert } from "./low-balance";

/** Adds money once per reference. Returns whether this call added it. */
export async function credit(
  accountId: string,
  entry: {
    kind: "top_up" | "grant" | "adjustment";
    amountMicros: Micros;
    reference: string;
    description?: string;
  },
): Promise<boolean> {
  const [row] = await query<{ added: boolean }>(
    "billing_credit",
    "SELECT credit_account($1, $2, $3, $4, $5, $6) AS added",
    [
      newId("ledgerEntry"),
      accountId,
      entry.kind,
      entry.amountMicros,
      entry.reference,
      entry.description ?? null,
    ],
  );
  await resetLowBalanceAlert(accountId);
  return row?.added ?? false;
}
