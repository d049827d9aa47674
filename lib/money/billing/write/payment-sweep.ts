import "server-only";

import { query, transaction } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import type { Micros } from "../money";
import { findPaymentProvider } from "../vendor/provider";
import { newEntryIds, recordBalanceEvent, syncCheckoutSession } from "./payments";

/** A payer takes minutes and the event follows at once, so an older checkout may have lost its event. */
const STALE_SECONDS = 15 * 60;
/** Checkouts that one sweep reads back: each asks the provider. */
const CHECKOUTS_PER_SWEEP = 20;
const ACCOUNTS_PER_SWEEP = 100;

/** Does what no event triggers: reads back stale checkouts, and collects outstanding refunds and disputes from new funds. */
export async function sweepPayments(): Promise<{ read: number; collected: number }> {
  return { collected: await collectOutstanding(), read: await readStale() };
}

async function collectOutstanding(): Promise<number> {
  const accounts = await query<{ account_id: string }>(
    "billing_list_outstanding",
    "SELECT list_collectable_accounts($1) AS account_id",
    [ACCOUNTS_PER_SWEEP],
  );
  for (const { account_id: accountId } of accounts) {
    await transaction(async (tx) => {
      const [row] = await tx.query<{ debited: Micros }>(
        "billing_collect_outstanding",
        "SELECT collect_outstanding($1, $2) AS debited",
        [accountId, newEntryIds()],
      );
      const source = { accountId, job: "footnote", targetId: accountId };
      await recordBalanceEvent(tx, source, { credited: 0n, debited: row?.debited ?? 0n });
    });
  }
  return accounts.length;
}

async function readStale(): Promise<number> {
  const provider = findPaymentProvider();
  if (!provider) {
    return 0;
  }
  // Marked before they are read: a failing one doesn't hold up the others, and concurrent sweeps claim different ones.
  const rows = await query<{ provider_id: string }>(
    "billing_claim_stale",
    `UPDATE checkout_session SET updated_at = now()
      WHERE id IN (SELECT id FROM checkout_session
                    WHERE status IN ('open', 'processing') AND provider = $1 AND provider_id IS NOT NULL
                      AND updated_at < now() - make_interval(secs => $2)
                    ORDER BY updated_at LIMIT $3 FOR UPDATE SKIP LOCKED)
      RETURNING provider_id`,
    [provider.name, STALE_SECONDS, CHECKOUTS_PER_SWEEP],
  );
  for (const { provider_id } of rows) {
    await syncCheckoutSession(provider, provider_id).catch((cause: unknown) =>
      log.warn({ err: cause, session: provider_id }, "checkout sync failed"),
    );
  }
  return rows.length;
}
