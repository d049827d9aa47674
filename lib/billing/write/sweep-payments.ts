import "server-only";

import { query, transaction } from "@/lib/db/client";
import { log } from "@/lib/log";
import type { Micros } from "../money";
import { findPaymentProvider } from "../vendor/provider";
import { recordBalanceEvent } from "./balance-event";
import { newEntryIds, syncCheckoutSession } from "./sync-checkout";

/** A payer takes minutes, and the event comes at once; what is older has perhaps lost its event. */
const STALE_SECONDS = 15 * 60;
/** Checkouts that one sweep reads back: each asks the provider. */
const CHECKOUTS = 20;
/** Accounts that one sweep collects from. */
const ACCOUNTS = 100;

/**
 * Does what no event may come for any more: reads checkouts back that nobody has heard of for a while, and takes
 * what accounts owe for refunds and disputes from funds they have since got. Returns how many checkouts it
 * read and from how many accounts it took.
 */
export async function sweepPayments(): Promise<{ read: number; collected: number }> {
  return { collected: await collectOutstanding(), read: await readStale() };
}

async function collectOutstanding(): Promise<number> {
  const accounts = await query<{ account_id: string }>(
    "billing_list_outstanding",
    `SELECT DISTINCT d.account_id FROM payment_reversal_total d JOIN account a ON a.id = d.account_id
      WHERE d.expected_micros < d.reversed_micros OR d.expected_micros > d.reversed_micros AND a.balance_micros > a.held_micros
      LIMIT $1`,
    [ACCOUNTS],
  );
  for (const { account_id } of accounts) {
    await collect(account_id);
  }
  return accounts.length;
}

function collect(accountId: string): Promise<void> {
  return transaction(async (tx) => {
    const [row] = await tx.query<{ debited: Micros }>(
      "billing_collect_outstanding",
      "SELECT collect_outstanding($1, $2) AS debited",
      [accountId, newEntryIds()],
    );
    const by = { accountId, provider: "footnote", targetId: accountId };
    await recordBalanceEvent(tx, by, { credited: 0n, debited: row?.debited ?? 0n });
  });
}

async function readStale(): Promise<number> {
  const provider = findPaymentProvider();
  if (!provider) {
    return 0;
  }
  // Marked as read before they are, so that one that fails does not keep the others from their turn, and
  // processes that sweep at once take different ones.
  const rows = await query<{ provider_id: string }>(
    "billing_claim_stale",
    `UPDATE checkout_session SET updated_at = now()
      WHERE id IN (SELECT id FROM checkout_session
                    WHERE status IN ('open', 'processing') AND provider = $1 AND provider_id IS NOT NULL
                      AND updated_at < now() - make_interval(secs => $2)
                    ORDER BY updated_at LIMIT $3 FOR UPDATE SKIP LOCKED)
      RETURNING provider_id`,
    [provider.name, STALE_SECONDS, CHECKOUTS],
  );
  for (const { provider_id } of rows) {
    await syncCheckoutSession(provider, provider_id).catch((cause: unknown) =>
      log.warn({ err: cause, session: provider_id }, "a checkout could not be read back"),
    );
  }
  return rows.length;
}
