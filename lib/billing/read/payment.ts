import "server-only";

import { query } from "@/lib/db/client";
import type { Micros } from "../money";
import type { PaymentProviderName } from "../schema";

/** A payment as we have it, beside what the ledger says of it. */
export interface PaymentRow extends Record<string, unknown> {
  reference: string;
  amount_micros: Micros;
  /** What was taken back by the refunds and disputes we know of. */
  target: Micros;
  reversed_micros: Micros;
  ledger_credited: Micros;
  ledger_reversed: Micros;
}

/** How many checkouts of a provider were made since then. */
export async function countCheckouts(provider: PaymentProviderName, since: Date): Promise<number> {
  const [row] = await query<{ count: number }>(
    "billing_count_checkouts",
    "SELECT count(*)::int AS count FROM checkout_session WHERE provider = $1 AND created_at >= $2",
    [provider, since],
  );
  return row?.count ?? 0;
}

/** The payments that a checkout became: one, or none yet. */
export function listPaymentsOf(checkoutId: string): Promise<PaymentRow[]> {
  return query<PaymentRow>(
    "billing_payments_of",
    `SELECT d.reference, d.amount_micros, d.expected_micros AS target, d.reversed_micros,
            coalesce((SELECT sum(e.amount_micros) FROM ledger_entry e
                       WHERE e.reference = 'top_up:' || d.reference), 0)::bigint AS ledger_credited,
            coalesce((SELECT -sum(e.amount_micros) FROM ledger_entry e
                       WHERE e.account_id = d.account_id AND e.kind = 'refund'
                         AND starts_with(e.reference, 'refund:' || d.reference || ':')), 0)::bigint AS ledger_reversed
       FROM payment_reversal_total d JOIN payment p ON p.reference = d.reference WHERE p.checkout_session_id = $1`,
    [checkoutId],
  );
}

export interface StoredPayment {
  reference: string;
  checkoutId: string;
  /** The provider's session of that checkout. */
  sessionId: string | null;
  amountMicros: Micros;
}

/** Payments credited since then that this provider is said to have taken. */
export async function listPaymentsSince(
  provider: PaymentProviderName,
  since: Date,
): Promise<StoredPayment[]> {
  const rows = await query<{
    reference: string;
    checkout_session_id: string;
    provider_id: string | null;
    amount_micros: Micros;
  }>(
    "billing_payments_since",
    `SELECT p.reference, p.checkout_session_id, c.provider_id, p.amount_micros
       FROM payment p JOIN checkout_session c ON c.id = p.checkout_session_id
      WHERE p.created_at >= $1 AND c.provider = $2 ORDER BY p.created_at`,
    [since, provider],
  );
  return rows.map((row) => ({
    reference: row.reference,
    checkoutId: row.checkout_session_id,
    sessionId: row.provider_id,
    amountMicros: row.amount_micros,
  }));
}
