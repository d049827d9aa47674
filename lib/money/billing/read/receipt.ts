import "server-only";

import { AppError } from "@/lib/errors";
import type { MemberContext } from "@/lib/platform/auth/context";
import { getAccountName } from "@/lib/platform/auth/read";
import { query } from "@/lib/platform/db/client";
import { consume } from "@/lib/platform/http/rate-limit";
import { log } from "@/lib/platform/log";
import { type Micros, microsToUsd } from "../money";
import type { PaymentProviderName, SimulatedReceipt } from "../schema";
import { findPaymentProvider } from "../vendor/provider";

/** Each asks the provider. */
const RECEIPTS_PER_MINUTE = 60;

const NO_PROVIDER =
  "This payment was made with Stripe, which this server no longer uses. Ask its operator for the receipt.";
const NO_RECEIPT =
  "The payment provider has no receipt for this payment. The ledger on the billing page has its amount, time and reference.";
const NO_INVOICE =
  "The payment provider made no invoice for this payment. Its receipt is on the billing page.";
const NO_ANSWER =
  "The payment provider is not responding. The payment itself is safe. Try again in a moment.";
const TOO_MANY = "Too many receipts were opened within a minute. Wait a moment and try again.";

export type Receipt = { url: string } | { simulated: SimulatedReceipt } | { problem: string };

interface PaymentRow extends Record<string, unknown> {
  reference: string;
  provider: PaymentProviderName;
  account_id: string;
  checkout_id: string;
  amount: Micros;
  refunded: Micros;
  is_debit: boolean;
  created_at: Date;
}

/** What a provider has about a payment. */
export type PaymentPaper = "receipt" | "invoice";

/**
 * The receipt or invoice of one of the account's payments, or null. Read from the provider each time, so that a receipt
 * includes refunds.
 */
export async function findReceipt(
  ctx: MemberContext,
  reference: string,
  paper: PaymentPaper = "receipt",
): Promise<Receipt | null> {
  if (!/^\w{1,255}$/.test(reference)) {
    return null;
  }
  const [row] = await query<PaymentRow>(
    "billing_find_receipt",
    // Only a debit that took days has this event.
    `SELECT d.reference, d.account_id, d.amount_micros AS amount, d.expected_micros AS refunded, d.created_at, c.provider,
            c.id AS checkout_id,
            EXISTS (SELECT 1 FROM payment_event e WHERE e.checkout_session_id = c.id
                       AND e.type = 'checkout.session.async_payment_succeeded') AS is_debit
       FROM payment_reversal_total d JOIN payment p ON p.reference = d.reference AND p.account_id = d.account_id
            JOIN checkout_session c ON c.id = p.checkout_session_id AND c.account_id = p.account_id
      WHERE d.reference = $1 AND d.account_id = $2`,
    [reference, ctx.account.id],
  );
  if (!row) {
    return null;
  }
  return row.provider === "simulated" ? { simulated: await toReceipt(row) } : askFor(paper, row);
}

/** Whether an address from the provider is Stripe's own: browsers are redirected to it. */
export function isReceiptUrl(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, host, username, password } = new URL(text);
  const isStripe = host === "stripe.com" || host.endsWith(".stripe.com");
  return protocol === "https:" && isStripe && username === "" && password === "";
}

async function askFor(
  paper: PaymentPaper,
  row: PaymentRow,
): Promise<{ url: string } | { problem: string }> {
  const provider = findPaymentProvider();
  if (provider?.name !== row.provider) {
    return { problem: NO_PROVIDER };
  }
  const { isExceeded } = await consume(`receipt:${row.account_id}`, 1, RECEIPTS_PER_MINUTE);
  if (isExceeded) {
    return { problem: TOO_MANY };
  }
  try {
    const isInvoice = paper === "invoice";
    const url = await (isInvoice
      ? provider.findInvoiceUrl(row.reference)
      : provider.findReceiptUrl(row.reference));
    const problem = isInvoice ? NO_INVOICE : NO_RECEIPT;
    return url !== null && isReceiptUrl(url) ? { url } : { problem };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) {
      throw thrown;
    }
    log.warn({ err: thrown.cause, payment: row.reference }, "receipt lookup failed");
    return { problem: NO_ANSWER };
  }
}

async function toReceipt(row: PaymentRow): Promise<SimulatedReceipt> {
  return {
    reference: row.reference,
    checkoutId: row.checkout_id,
    accountName: await getAccountName(row.account_id),
    amountUsd: microsToUsd(row.amount),
    refundedUsd: microsToUsd(row.refunded),
    method: row.is_debit ? "bank_debit" : "card",
    paidAt: row.created_at.toISOString(),
  };
}
