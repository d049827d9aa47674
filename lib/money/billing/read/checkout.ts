import "server-only";

import { notFound } from "@/lib/errors";
import type { Context } from "@/lib/platform/auth/context";
import { getAccountName } from "@/lib/platform/auth/read";
import { query } from "@/lib/platform/db/client";
import { CHECKOUT_CURRENCY, MAX_AMOUNT, MIN_AMOUNT, PRESET_AMOUNTS } from "../checkout";
import type {
  CheckoutConfig,
  CheckoutSession,
  CheckoutStatus,
  PaymentProviderName,
  SimulatedCheckout,
} from "../schema";
import type { PaymentProvider, PurchaseOrder, SessionFacts } from "../vendor/port";
import { paymentProviderName } from "../vendor/provider";

export interface CheckoutRow extends PurchaseOrder, Record<string, unknown> {
  provider: PaymentProviderName;
  provider_id: string | null;
  status: CheckoutStatus;
  url: string | null;
  request_hash: string;
  expires_at: Date;
}

export const CHECKOUT_COLUMNS =
  "id, account_id, provider, provider_id, amount, currency, status, url, success_url, cancel_url, receipt_email, customer_id, request_hash, expires_at";

/** Without rates, which lib/models adds. */
export function getCheckoutConfig(): Omit<CheckoutConfig, "rates"> {
  return {
    object: "billing.checkout_config",
    provider: paymentProviderName(),
    currency: CHECKOUT_CURRENCY,
    min_amount: MIN_AMOUNT,
    max_amount: MAX_AMOUNT,
    presets: [...PRESET_AMOUNTS],
  };
}

/** One of the account's checkouts, as stored. Throws not_found. */
export async function getCheckoutRow(ctx: Context, id: string): Promise<CheckoutRow> {
  const [row] = await query<CheckoutRow>(
    "billing_get_checkout",
    `SELECT ${CHECKOUT_COLUMNS} FROM checkout_session WHERE id = $1 AND account_id = $2`,
    [id, ctx.account.id],
  );
  if (!row) {
    throw notFound("There is no such checkout in this account. Check its id.", "id");
  }
  return row;
}

export function toCheckout(row: CheckoutRow): CheckoutSession {
  // A checkout that never reached the provider expires here.
  const isOver = row.provider_id === null && row.expires_at.getTime() <= Date.now();
  return {
    id: row.id,
    object: "billing.checkout_session",
    url: row.url ?? row.cancel_url,
    status: row.status === "open" && isOver ? "expired" : row.status,
    amount: row.amount,
    currency: CHECKOUT_CURRENCY,
    expires_at: row.expires_at.toISOString(),
  };
}

type SimulatedRow = Omit<PurchaseOrder, "receipt_email" | "customer_id"> & {
  state: CheckoutStatus;
  expires_at: Date;
};

/** Null when there is no such checkout, or payments are real. */
export async function findSimulatedCheckout(id: string): Promise<SimulatedCheckout | null> {
  if (paymentProviderName() !== "simulated") {
    return null;
  }
  const [row] = await query<SimulatedRow>(
    "billing_find_simulated",
    `SELECT id, account_id, amount, currency, success_url, cancel_url, expires_at,
            CASE WHEN state = 'open' AND expires_at <= now() THEN 'expired' ELSE state END AS state
       FROM simulated_checkout WHERE id = $1`,
    [id],
  );
  return row
    ? {
        id: row.id,
        amount: row.amount,
        currency: row.currency,
        status: row.state,
        paymentStatus: row.state === "paid" ? "paid" : "unpaid",
        successUrl: row.success_url,
        cancelUrl: row.cancel_url,
        accountName: await getAccountName(row.account_id),
        expiresAt: row.expires_at.toISOString(),
      }
    : null;
}

/** The checkout for which a provider's session was opened. */
export interface Owner {
  checkoutId: string;
  accountId: string;
  /** Requested, in cents. */
  amount: number;
}

/** Why nothing may move for a session. */
export interface SessionRefusal {
  refusal: "unknown checkout" | "another account" | "another mode" | "another currency";
  /** The checkout it names here, if any: such a session was meant for this deployment. */
  checkoutId: string | null;
}

/** A session's checkout, or why it isn't credited: most are other products' at the same provider. */
export async function findCheckoutForSession(
  provider: PaymentProvider,
  facts: SessionFacts,
): Promise<Owner | SessionRefusal> {
  const [row] = await query<{ id: string; account_id: string; amount: number }>(
    "billing_find_checkout",
    "SELECT id, account_id, amount FROM checkout_session WHERE id = $1 AND provider = $2",
    [facts.checkoutId, provider.name],
  );
  if (!row) {
    return { refusal: "unknown checkout", checkoutId: null };
  }
  const refusal = refusalOf(row.account_id, facts);
  return refusal
    ? { refusal, checkoutId: row.id }
    : { checkoutId: row.id, accountId: row.account_id, amount: row.amount };
}

function refusalOf(accountId: string, facts: SessionFacts): SessionRefusal["refusal"] | null {
  if (facts.accountId !== accountId) {
    return "another account";
  }
  if (!facts.isPayment) {
    return "another mode";
  }
  return facts.currency === CHECKOUT_CURRENCY ? null : "another currency";
}
