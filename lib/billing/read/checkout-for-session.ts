import "server-only";

import { query } from "@/lib/db/client";
import { CHECKOUT_CURRENCY } from "../checkout";
import type { PaymentProvider, SessionFacts } from "../vendor/port";

/** The checkout of ours that a provider's session was opened for. */
export interface Owner {
  checkoutId: string;
  accountId: string;
  /** Cents, as asked for. */
  amount: number;
}

/** Whose a session is, or why it is not ours: nothing may move for it then. */
export async function findCheckoutForSession(
  provider: PaymentProvider,
  facts: SessionFacts,
): Promise<Owner | { refusal: string }> {
  if (!facts.isPayment || facts.currency !== CHECKOUT_CURRENCY) {
    return { refusal: "it has another mode or currency" };
  }
  const [row] = await query<{ account_id: string; provider: string; amount: number }>(
    "billing_find_checkout",
    "SELECT account_id, provider, amount FROM checkout_session WHERE id = $1",
    [facts.checkoutId],
  );
  if (!facts.checkoutId || row?.provider !== provider.name || row.account_id !== facts.accountId) {
    return { refusal: "no checkout of ours has its ids" };
  }
  return { checkoutId: facts.checkoutId, accountId: row.account_id, amount: row.amount };
}
