import "server-only";

import { type Query, query } from "@/lib/db";
import { env } from "@/lib/env";
import type { Micros } from "../money";

/** How long a hold lives without its process, which renews it as long as the request lives. */
export const REQUEST_LEASE_SECONDS = env.HOLD_LEASE_SECONDS;
/** A third of the lease: one renewal may fail. */
export const RENEW_HOLD_EVERY_MS = (REQUEST_LEASE_SECONDS * 1000) / 3;

/** Keeps the hold of a request that is still at work. */
export async function renewHold(id: string): Promise<void> {
  await query(
    "billing_renew",
    "UPDATE hold SET lease_expires_at = now() + make_interval(secs => $2) WHERE id = $1 AND status = 'open'",
    [id, REQUEST_LEASE_SECONDS],
  );
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
