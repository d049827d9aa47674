import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import { AppError } from "@/lib/errors";
import type { Context, KeyContext } from "@/lib/platform/auth/context";
import { Batcher } from "@/lib/platform/db/batcher";
import { db, type Query, query } from "@/lib/platform/db/client";
import { isDatabaseUnavailable } from "@/lib/platform/db/unavailable";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics";
import { DATABASE, inSpan } from "@/lib/platform/tracing";
import { processSingleton } from "@/lib/singleton";
import { type Micros, microsToUsd } from "../money";
import {
  type HoldRefusal,
  type HoldRequest,
  REQUEST_LEASE_SECONDS,
  requestHold,
} from "./account-batch";

/** A third of the lease: one renewal may fail. */
export const RENEW_HOLD_EVERY_MS = (REQUEST_LEASE_SECONDS * 1000) / 3;
/** By then an abandoned statement has finished or been canceled. */
const ORPHAN_WAIT_MS = env.DATABASE_TIMEOUT_MS + 2000;
/** Two minutes in all. */
const EXPIRE_RETRIES = { retries: 8, minTimeout: 1000, maxTimeout: 30_000 };
/** Longer than any request, and shorter than any retention. */
const RESTORABLE_MS = 12 * 60 * 60 * 1000;
/** Beyond this many keys, the one admitted longest ago is forgotten. */
const MAX_REMEMBERED_KEYS = 10_000;

/** Money reserved for one request; the request's id is the hold's. */
export interface Hold {
  id: string;
  accountId: string;
  keyId: string;
  amountMicros: Micros;
  /** By this process's clock. */
  placedAt: Date;
}

const expiries = processSingleton(
  "orphaned hold expiries",
  () => new Batcher<string, null>(expireHolds),
);
const admittedKeys = processSingleton("admitted keys", () => new Set<string>());

/** Whether this process admitted the key's last request, so that it is worth starting the next one before its hold. */
export function holdWasPlaced({ actor }: KeyContext): boolean {
  return admittedKeys.has(actor.id);
}

/**
 * Reserves the worst case of a request, in one statement with the checks of key, balance and budget. Throws
 * invalid_api_key, insufficient_balance, balance_reserved or key_budget_exceeded, having reserved nothing.
 */
export async function placeHold(
  { requestId, account, actor }: KeyContext,
  amountMicros: Micros,
  /** The field that bounds the cost, and its largest value that an amount covers; null when it covers none. */
  {
    maxTokensFor,
    limitField = "max_tokens",
  }: { limitField?: string; maxTokensFor?: (availableMicros: Micros) => number | null } = {},
): Promise<Hold> {
  const request: HoldRequest = { id: requestId, keyId: actor.id, amountMicros };
  const { outcome, balance, remaining } = await inSpan("hold", DATABASE, () =>
    requestHold(account.id, request),
  ).catch((thrown: unknown) => {
    if (isDatabaseUnavailable(thrown)) {
      void expireOrphanedHold(requestId);
    }
    throw thrown;
  });
  metrics()?.holds.add(1, { outcome });
  remember(actor.id, outcome === "admitted");
  if (outcome !== "admitted") {
    const available = remaining ?? 0n;
    const amounts = { balance: balance ?? 0n, available, required: amountMicros };
    const maxTokens = maxTokensFor?.(available) ?? null;
    throw refusalError(outcome, amounts, maxTokens ? { field: limitField, maxTokens } : null);
  }
  const { id, keyId } = request;
  return { id, keyId, amountMicros, accountId: account.id, placedAt: new Date() };
}

/**
 * Places a hold again that the database doesn't know: a failover can lose it, because its commit waited for no standby.
 * Returns whether it is there now. An old one was deleted by the retention sweep, and its request stays free.
 */
export async function restoreHold({
  id,
  accountId,
  keyId,
  amountMicros,
  placedAt,
}: Hold): Promise<boolean> {
  if (Date.now() - placedAt.getTime() > RESTORABLE_MS) {
    return false;
  }
  const request = { id, keyId, amountMicros };
  const { outcome } = await requestHold(accountId, request);
  if (outcome !== "admitted") {
    log.error({ request_id: id, outcome }, "request not charged: its hold was lost");
  }
  return outcome === "admitted";
}

/**
 * Throws what `placeHold` throws when the account can't cover an amount, and reserves nothing: for rejecting a request
 * before its body is read.
 */
export async function requireFunds({ account }: Context, amountMicros: Micros): Promise<void> {
  const { balanceMicros: balance, heldMicros } = await db().account.findFirstOrThrow({
    where: { id: account.id },
    select: { balanceMicros: true, heldMicros: true },
  });
  const available = balance - heldMicros;
  if (available < amountMicros) {
    const code = balance < amountMicros ? "insufficient_balance" : "balance_reserved";
    throw refusalError(code, { balance, available, required: amountMicros }, null);
  }
}

function remember(keyId: string, isAdmitted: boolean): void {
  admittedKeys.delete(keyId);
  if (isAdmitted) {
    admittedKeys.add(keyId);
  }
  if (admittedKeys.size > MAX_REMEMBERED_KEYS) {
    admittedKeys.delete(admittedKeys.values().next().value ?? "");
  }
}

function refusalError(
  code: HoldRefusal,
  { balance, available, required }: Record<"balance" | "available" | "required", Micros>,
  limit: { field: string; maxTokens: number } | null,
): AppError {
  if (code === "invalid_api_key") {
    // Revoked or expired after authentication.
    return new AppError(code, "The API key was revoked or has expired. Use another one.");
  }
  const smaller = limit ? `lower ${limit.field} to ${limit.maxTokens} or less` : "ask for less";
  const sentences = {
    insufficient_balance: `only $${microsToUsd(available)} is available. Add funds, or ${smaller}.`,
    balance_reserved: `only $${microsToUsd(available)} is available while other requests are running. Wait for them to end, add funds, or ${smaller}.`,
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
        ...(limit && { max_tokens: limit.maxTokens }),
        ...(code !== "key_budget_exceeded" && { topup_url: new URL("/billing", env.APP_URL).href }),
      },
    },
  );
}

/** For a request refused because the database did not answer: the hold may exist, and the next sweep then releases it. */
export async function expireOrphanedHold(id: string, waitMs = ORPHAN_WAIT_MS): Promise<void> {
  await sleep(waitMs, null, { ref: false });
  await pRetry(() => expiries.run("orphaned", id), EXPIRE_RETRIES).catch((cause: unknown) =>
    log.warn({ err: cause, request_id: id }, "orphaned hold not expired"),
  );
}

async function expireHolds(_key: string, ids: readonly string[]): Promise<null[]> {
  await query(
    "billing_expire_orphaned_hold",
    // A hold's times are rounded: now() may be in the future of the next sweep.
    "UPDATE hold SET lease_expires_at = now() - interval '1 second' WHERE id = ANY($1) AND status = 'open'",
    [ids],
  );
  return ids.map(() => null);
}

/** Renews the hold of a running request until the returned function is called. */
export function renewRegularly(id: string): () => void {
  const renewal = setInterval(() => {
    renewHold(id).catch((cause: unknown) =>
      log.warn({ err: cause, request_id: id }, "hold not renewed"),
    );
  }, RENEW_HOLD_EVERY_MS);
  renewal.unref();
  return () => clearInterval(renewal);
}

/** Extends the lease of an open hold, a request's by default. */
export async function renewHold(
  id: string,
  options: { run?: Query; leaseSeconds?: number } = {},
): Promise<void> {
  const { run = query, leaseSeconds = REQUEST_LEASE_SECONDS } = options;
  await run(
    "billing_renew_hold",
    "UPDATE hold SET lease_expires_at = now() + make_interval(secs => $2) WHERE id = $1 AND status = 'open'",
    [id, leaseSeconds],
  );
}

/** Extends the leases of open holds that are more than half over. Skips those another transaction has locked. */
export async function renewHolds(ids: readonly string[], leaseSeconds: number): Promise<void> {
  await query(
    "billing_renew_holds",
    `UPDATE hold SET lease_expires_at = now() + make_interval(secs => $2)
      WHERE id IN (SELECT id FROM hold WHERE id = ANY($1) AND status = 'open'
                      AND lease_expires_at < now() + make_interval(secs => $2) / 2
                      FOR UPDATE SKIP LOCKED)`,
    [ids, leaseSeconds],
  );
}

type Increase = "increased" | "insufficient_balance" | "key_budget_exceeded";

/**
 * Raises an open hold to what its request turns out to cost, under the same checks as a new one, in the caller's
 * transaction. A hold that was swept stays closed.
 */
export async function increaseHold(
  run: Query,
  hold: { id: string; costMicros: Micros },
): Promise<Increase> {
  const [row] = await run<{ outcome: Increase }>(
    "billing_increase_hold",
    "SELECT increase_hold($1, $2) AS outcome",
    [hold.id, hold.costMicros],
  );
  return row?.outcome ?? "increased";
}

/** Releases the holds of processes that died. Returns how many. */
export async function releaseExpiredHolds(): Promise<number> {
  const [row] = await query<{ released: number }>(
    "billing_release_expired",
    "SELECT release_expired_holds() AS released",
  );
  const released = row?.released ?? 0;
  if (released > 0) {
    metrics()?.holds.add(released, { outcome: "released" });
  }
  return released;
}
