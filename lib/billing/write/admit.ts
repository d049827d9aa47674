import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { query } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { formatUsd, type Micros } from "../money";
import { REQUEST_LEASE_SECONDS } from "./hold";

/** Money reserved for one request; the request's id is the hold's. */
export interface Hold {
  id: string;
  amountMicros: Micros;
}

type Outcome = "admitted" | "insufficient_balance" | "balance_reserved" | "key_budget_exceeded";

interface Admission extends Record<string, unknown> {
  outcome: Outcome;
  balance: bigint | null;
  available: bigint | null;
}

/**
 * Reserves the worst case of a request, in one statement with the check of balance and key budget.
 * Throws insufficient_balance, balance_reserved or key_budget_exceeded, having reserved nothing.
 */
export async function admit(
  ctx: KeyContext,
  amountMicros: Micros,
  leaseSeconds = REQUEST_LEASE_SECONDS,
): Promise<Hold> {
  const [admission] = await query<Admission>(
    "billing_admit",
    "SELECT outcome, balance, available FROM admit_request($1, $2, $3, $4, $5)",
    [ctx.requestId, ctx.account.id, ctx.actor.id, amountMicros, leaseSeconds],
  );
  if (admission?.outcome !== "admitted") {
    throw refusal(admission, amountMicros);
  }
  return { id: ctx.requestId, amountMicros };
}

function refusal(admission: Admission | undefined, required: Micros): AppError {
  const available = admission?.available ?? 0n;
  const free = formatUsd(available);
  const needed = `This request may cost up to $${formatUsd(required)}`;
  const details = {
    balance: formatUsd(admission?.balance ?? 0n),
    required: formatUsd(required),
    topup_url: new URL("/billing", env.APP_URL).href,
  };
  switch (admission?.outcome) {
    case "key_budget_exceeded":
      return new AppError(
        "key_budget_exceeded",
        `${needed}, more than is left of this key's budget for the month. Raise the budget, or wait for the next month.`,
      );
    case "balance_reserved":
      return new AppError(
        "balance_reserved",
        `${needed}, but only $${free} is free while other requests are in flight. Wait for them to end, lower max_tokens, or add funds.`,
        { details },
      );
    default:
      return new AppError(
        "insufficient_balance",
        `${needed}, but only $${free} is available. Add funds, or lower max_tokens.`,
        { details },
      );
  }
}
