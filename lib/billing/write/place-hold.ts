import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { BATCH_TIMEOUT_MS, Batcher } from "@/lib/db/batcher";
import { queryWithin } from "@/lib/db/client";
import { isDatabaseUnavailable } from "@/lib/db/unavailable";
import { env } from "@/lib/env";
import { AppError, type ErrorCode } from "@/lib/errors";
import { metrics } from "@/lib/metrics";
import { processSingleton } from "@/lib/singleton";
import { DATABASE, inSpan } from "@/lib/tracing";
import { type Micros, microsToUsd } from "../money";
import { ASYNC_COMMIT } from "./async-commit";
import { expireOrphanedHold, REQUEST_LEASE_SECONDS } from "./hold";

/** Money reserved for one request; the request's id is the hold's. */
export interface Hold {
  id: string;
  accountId: string;
  amountMicros: Micros;
}

interface Options {
  leaseSeconds?: number;
  /** The largest `max_tokens` that an amount covers; null when not even one token fits. */
  maxTokensFor?: (availableMicros: Micros) => number | null;
}

interface Admission {
  holdId: string;
  keyId: string;
  amountMicros: Micros;
  leaseSeconds: number;
}

type Refusal = Extract<
  ErrorCode,
  "invalid_api_key" | "insufficient_balance" | "balance_reserved" | "key_budget_exceeded"
>;

interface Outcome extends Record<string, unknown> {
  outcome: "admitted" | Refusal;
  balance: bigint | null;
  /** What a refused request could have had. */
  remaining: bigint | null;
}

/** Beyond so many keys the one whose admission is the longest ago is forgotten. */
const MOST_REMEMBERED = 10_000;

const admissions = processSingleton(
  "hold admissions",
  () => new Batcher<Admission, Outcome>(admitTogether),
);
const lastAdmitted = processSingleton("admitted keys", () => new Set<string>());

/** Whether the key's last request to this process was admitted: the next one may be worth beginning before its hold. */
export function holdWasPlaced({ actor }: KeyContext): boolean {
  return lastAdmitted.has(actor.id);
}

/**
 * Reserves the worst case of a request, in one statement with the checks of key, balance and budget.
 * Requests of one account that arrive while such a statement is in flight share the next one. Throws
 * invalid_api_key, insufficient_balance, balance_reserved or key_budget_exceeded, having reserved nothing.
 */
export async function placeHold(
  { requestId, account, actor }: KeyContext,
  amountMicros: Micros,
  { leaseSeconds = REQUEST_LEASE_SECONDS, maxTokensFor }: Options = {},
): Promise<Hold> {
  const admission = { holdId: requestId, keyId: actor.id, amountMicros, leaseSeconds };
  const { outcome, balance, remaining } = await inSpan("hold", DATABASE, () =>
    admissions.run(account.id, admission),
  ).catch((thrown: unknown) => {
    if (isDatabaseUnavailable(thrown)) {
      void expireOrphanedHold(requestId);
    }
    throw thrown;
  });
  metrics()?.holds.add(1, { outcome });
  remember(actor.id, outcome === "admitted");
  if (outcome !== "admitted") {
    throw refusal(outcome, {
      balance: balance ?? 0n,
      available: remaining ?? 0n,
      required: amountMicros,
      maxTokens: maxTokensFor?.(remaining ?? 0n) ?? null,
    });
  }
  return { id: requestId, accountId: account.id, amountMicros };
}

function remember(keyId: string, isAdmitted: boolean): void {
  lastAdmitted.delete(keyId);
  if (isAdmitted) {
    lastAdmitted.add(keyId);
  }
  if (lastAdmitted.size > MOST_REMEMBERED) {
    lastAdmitted.delete(lastAdmitted.values().next().value ?? "");
  }
}

function admitTogether(accountId: string, items: readonly Admission[]): Promise<Outcome[]> {
  return queryWithin<Outcome>(
    BATCH_TIMEOUT_MS,
    "billing_place_holds",
    `SELECT outcome, balance, remaining
       FROM ${ASYNC_COMMIT}, place_holds($1, $2, $3, $4, $5)`,
    [
      accountId,
      items.map(({ holdId }) => holdId),
      items.map(({ keyId }) => keyId),
      items.map(({ amountMicros }) => amountMicros),
      items.map(({ leaseSeconds }) => leaseSeconds),
    ],
  );
}

interface Shortfall {
  balance: Micros;
  available: Micros;
  required: Micros;
  maxTokens: number | null;
}

function refusal(code: Refusal, shortfall: Shortfall): AppError {
  if (code === "invalid_api_key") {
    // Revoked or expired after the gate had let it in.
    return new AppError(code, "The API key was revoked or has expired. Use another one.");
  }
  const { balance, available, required, maxTokens } = shortfall;
  const smaller = maxTokens ? `lower max_tokens to ${maxTokens} or less` : "ask for less";
  const sentences = {
    insufficient_balance: `only $${microsToUsd(available)} is available. Add funds, or ${smaller}.`,
    balance_reserved: `only $${microsToUsd(available)} is free while other requests are in flight. Wait for them to end, add funds, or ${smaller}.`,
    key_budget_exceeded: `only $${microsToUsd(available)} is left of this key's budget for the month. Use a key with a larger budget, wait for the next month, or ${smaller}.`,
  };
  return new AppError(
    code,
    `This request may cost up to $${microsToUsd(required)}, but ${sentences[code]}`,
    {
      details: {
        balance: microsToUsd(balance),
        available: microsToUsd(available),
        required: microsToUsd(required),
        ...(maxTokens && { max_tokens: maxTokens }),
        ...(code !== "key_budget_exceeded" && { topup_url: new URL("/billing", env.APP_URL).href }),
      },
    },
  );
}
