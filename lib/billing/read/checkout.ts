import "server-only";

import type { Context } from "@/lib/auth/context";
import { query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { CHECKOUT_CURRENCY, MAX_AMOUNT, MIN_AMOUNT, PRESET_AMOUNTS } from "../checkout";
import type {
  CheckoutConfig,
  CheckoutSession,
  CheckoutStatus,
  PaymentProviderName,
} from "../schema";
import { paymentProviderName } from "../vendor/provider";

export interface CheckoutRow extends Record<string, unknown> {
  id: string;
  account_id: string;
  provider: PaymentProviderName;
  provider_id: string | null;
  amount: number;
  currency: string;
  status: CheckoutStatus;
  url: string | null;
  success_url: string;
  cancel_url: string;
  receipt_email: string | null;
  request_hash: string;
  expires_at: Date;
}

export const CHECKOUT_COLUMNS =
  "id, account_id, provider, provider_id, amount, currency, status, url, success_url, cancel_url, receipt_email, request_hash, expires_at";

/** How funds are added here; what they buy is the models' to say. */
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

/** One of the account's checkouts, as it is stored. Throws not_found. */
export async function getCheckoutRow(ctx: Context, id: string): Promise<CheckoutRow> {
  const [row] = await query<CheckoutRow>(
    "billing_get_checkout",
    `SELECT ${CHECKOUT_COLUMNS} FROM checkout_session WHERE id = $1 AND account_id = $2`,
    [id, ctx.account.id],
  );
  if (!row) {
    throw new AppError(
      "not_found",
      "There is no such checkout in this account. Look at the billing page.",
    );
  }
  return row;
}

export function toCheckout(row: CheckoutRow): CheckoutSession {
  // One that never reached the provider ends unseen.
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
