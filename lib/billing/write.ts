import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { type Query, query } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { formatUsd, type Micros } from "./money";

/** How long a hold lives without its process, which renews it as long as the request lives. */
const REQUEST_LEASE_SECONDS = 15 * 60;
/** A third of the lease: one renewal may fail. */
export const RENEW_HOLD_EVERY_MS = (REQUEST_LEASE_SECONDS * 1000) / 3;

/** Money reserved for one request; the request's id is the hold's. */
export interface Hold {
  id: string;
  amountMicros: Micros;
}

/** What a usage record keeps of a request. Never a message's or a passage's text. */
export interface Usage {
  endpoint: string;
  model: string | null;
  kind: "core" | "grounded" | "search" | "ingest";
  promptTokens: number;
  completionTokens: number;
  /** Null when retrieval did not run. */
  passages: number | null;
  /** The rate this was billed at, as it stood then. */
  rate: unknown;
  status: number;
  warningCodes: string[];
  latencyMs: number;
  firstTokenMs: number | null;
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

/** Keeps the hold of a request that is still at work. */
export async function renewHold(id: string): Promise<void> {
  await query(
    "billing_renew",
    "UPDATE hold SET lease_expires_at = now() + make_interval(secs => $2) WHERE id = $1 AND status = 'open'",
    [id, REQUEST_LEASE_SECONDS],
  );
}

/**
 * Closes a hold with what the request cost and records its usage, once: a repeated call changes
 * nothing, and one after the hold was swept is charged from the free balance. Returns the micro-dollars charged. `run` is the query of a
 * transaction that the charge is to be part of.
 */
export async function settle(
  hold: { id: string; costMicros: Micros },
  usage: Usage,
  run: Query = query,
): Promise<Micros> {
  const [row] = await run<{ charged: bigint | null }>(
    "billing_settle",
    "SELECT settle_request($1, $2, $3, $4) AS charged",
    [hold.id, hold.costMicros, newId("ledgerEntry"), JSON.stringify(usage)],
  );
  return row?.charged ?? 0n;
}

/**
 * Makes an open hold cover what its request turns out to cost, under the same checks as a new one; part of
 * the caller's transaction. A hold that was swept stays closed.
 */
export async function enlargeHold(
  run: Query,
  hold: { id: string; costMicros: Micros },
): Promise<"enlarged" | "insufficient_balance" | "key_budget_exceeded"> {
  const [row] = await run<{
    outcome: "enlarged" | "insufficient_balance" | "key_budget_exceeded";
  }>("billing_enlarge", "SELECT enlarge_hold($1, $2) AS outcome", [hold.id, hold.costMicros]);
  return row?.outcome ?? "enlarged";
}

/** Gives back what processes that died had reserved. Returns how many holds it released. */
export async function releaseExpiredHolds(): Promise<number> {
  const [row] = await query<{ released: number }>(
    "billing_release",
    "SELECT release_expired_holds() AS released",
  );
  return row?.released ?? 0;
}

/** Adds money once per reference, however often it is called. Returns whether this call added it. */
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
  return row?.added ?? false;
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
