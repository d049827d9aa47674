import "server-only";

import type { MemberContext } from "@/lib/auth/context";
import { query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { consume } from "@/lib/http/rate-limit";
import { log } from "@/lib/log";
import { type Micros, microsToUsd } from "../money";
import type { PaymentProviderName, SimulatedReceipt } from "../schema";
import { findPaymentProvider } from "../vendor/provider";

/** Each asks the provider; nobody reads receipts faster than this. */
const RECEIPTS_PER_MINUTE = 60;

const NO_PROVIDER =
  "This payment was made by Stripe, and this server takes none by it any more. Ask whoever runs it for the receipt.";
const NO_RECEIPT =
  "The payment provider has no receipt for this payment. The ledger on the billing page has its amount, time and reference.";
const NO_ANSWER =
  "The payment provider does not answer just now. The payment itself is safe. Try again in a moment.";
const TOO_MANY =
  "Many receipts of this account were opened within a minute. Wait a moment and try again.";

/** Where a receipt is, all that stands on one of a simulated payment, or why there is none and what to do. */
export type Receipt = { url: string } | { simulated: SimulatedReceipt } | { problem: string };

const REFERENCE = /^\w{1,255}$/;

interface PaymentRow extends Record<string, unknown> {
  reference: string;
  provider: PaymentProviderName;
  account_id: string;
  checkout_id: string;
  account_name: string;
  amount: Micros;
  refunded: Micros;
  is_debit: boolean;
  created_at: Date;
}

/**
 * The receipt of one of the account's payments; null when the account has no such payment. The provider is asked for
 * it each time, so that it tells of refunds too.
 */
export async function findReceipt(ctx: MemberContext, reference: string): Promise<Receipt | null> {
  const row = await findPayment(ctx, reference);
  if (!row) {
    return null;
  }
  return row.provider === "simulated" ? { simulated: toReceipt(row) } : askForReceipt(row);
}

/** Whether an address that the provider gave is one of Stripe's own: a browser is sent there. */
export function isReceiptUrl(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, host, username, password } = new URL(text);
  const isStripe = host === "stripe.com" || host.endsWith(".stripe.com");
  return protocol === "https:" && isStripe && username === "" && password === "";
}

async function findPayment(ctx: MemberContext, reference: string): Promise<PaymentRow | undefined> {
  if (!REFERENCE.test(reference)) {
    return undefined;
  }
  const [row] = await query<PaymentRow>(
    "billing_find_receipt",
    // A debit that took days is told of by an event that no card has.
    `SELECT d.reference, d.account_id, d.amount_micros AS amount, d.expected_micros AS refunded, d.created_at, c.provider,
            c.id AS checkout_id, a.name AS account_name,
            EXISTS (SELECT 1 FROM payment_event e WHERE e.checkout_session_id = c.id
                       AND e.type = 'checkout.session.async_payment_succeeded') AS is_debit
       FROM payment_reversal_total d JOIN payment p ON p.reference = d.reference
            JOIN checkout_session c ON c.id = p.checkout_session_id JOIN account a ON a.id = d.account_id
      WHERE d.reference = $1 AND d.account_id = $2`,
    [reference, ctx.account.id],
  );
  return row;
}

async function askForReceipt(row: PaymentRow): Promise<{ url: string } | { problem: string }> {
  const provider = findPaymentProvider();
  if (provider?.name !== row.provider) {
    return { problem: NO_PROVIDER };
  }
  const { isExceeded } = await consume(`receipt:${row.account_id}`, 1, RECEIPTS_PER_MINUTE);
  if (isExceeded) {
    return { problem: TOO_MANY };
  }
  try {
    const url = await provider.findReceiptUrl(row.reference);
    return url !== null && isReceiptUrl(url) ? { url } : { problem: NO_RECEIPT };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) {
      throw thrown;
    }
    log.warn({ err: thrown.cause, payment: row.reference }, "a receipt could not be read");
    return { problem: NO_ANSWER };
  }
}

function toReceipt(row: PaymentRow): SimulatedReceipt {
  return {
    reference: row.reference,
    checkoutId: row.checkout_id,
    accountName: row.account_name,
    amountUsd: microsToUsd(row.amount),
    refundedUsd: microsToUsd(row.refunded),
    method: row.is_debit ? "bank_debit" : "card",
    paidAt: row.created_at.toISOString(),
  };
}
