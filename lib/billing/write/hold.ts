import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import { Batcher } from "@/lib/db/batcher";
import { type Query, query } from "@/lib/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { metrics } from "@/lib/metrics";
import { processSingleton } from "@/lib/singleton";
import type { Micros } from "../money";

/** How long a hold lives without its process, which renews it as long as the request lives. */
export const REQUEST_LEASE_SECONDS = env.HOLD_LEASE_SECONDS;
/** A third of the lease: one renewal may fail. */
export const RENEW_HOLD_EVERY_MS = (REQUEST_LEASE_SECONDS * 1000) / 3;

/** By then a statement that nobody waits for any more has been done or given up. */
const UNHEARD_MS = env.DATABASE_TIMEOUT_MS + 2000;
/** Two minutes in all. */
const EXPIRY_TRIES = { retries: 8, minTimeout: 1000, maxTimeout: 30_000 };

const expiries = processSingleton(
  "orphaned hold expiries",
  () => new Batcher<string, null>(expireTogether),
);

/**
 * For a request that was refused because the database did not answer: it may have placed the hold all the same, which
 * the next sweep then releases.
 */
export async function expireOrphanedHold(id: string, waitMs = UNHEARD_MS): Promise<void> {
  await sleep(waitMs, null, { ref: false });
  await pRetry(() => expiries.run("unheard", id), EXPIRY_TRIES).catch((cause: unknown) =>
    log.warn({ err: cause, request_id: id }, "a hold that may have been placed was not looked for"),
  );
}

async function expireTogether(_lane: string, ids: readonly string[]): Promise<null[]> {
  await query(
    "billing_expire_orphaned_hold",
    // A hold's times are rounded: now() may be in the future of the sweep that comes next.
    "UPDATE hold SET lease_expires_at = now() - interval '1 second' WHERE id = ANY($1) AND status = 'open'",
    [ids],
  );
  return ids.map(() => null);
}

/** Extends the lease of an open hold, a request's by default. */
export async function renewHold(
  id: string,
  {
    run = query,
    leaseSeconds = REQUEST_LEASE_SECONDS,
  }: { run?: Query; leaseSeconds?: number } = {},
): Promise<void> {
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

/**
 * Makes an open hold cover what its request turns out to cost, under the same checks as a new one; part of
 * the caller's transaction. A hold that was swept stays closed.
 */
export async function increaseHold(
  run: Query,
  hold: { id: string; costMicros: Micros },
): Promise<"increased" | "insufficient_balance" | "key_budget_exceeded"> {
  const [row] = await run<{
    outcome: "increased" | "insufficient_balance" | "key_budget_exceeded";
  }>("billing_increase_hold", "SELECT increase_hold($1, $2) AS outcome", [
    hold.id,
    hold.costMicros,
  ]);
  return row?.outcome ?? "increased";
}

/** Gives back what processes that died had reserved. Returns how many holds it released. */
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
