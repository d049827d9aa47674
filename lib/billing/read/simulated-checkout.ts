import "server-only";

import { query } from "@/lib/db/client";
import type { CheckoutStatus, SimulatedCheckout } from "../schema";
import { paymentProviderName } from "../vendor/provider";

interface Row extends Record<string, unknown> {
  id: string;
  amount: number;
  currency: string;
  state: CheckoutStatus;
  success_url: string;
  cancel_url: string;
  expires_at: Date;
  account_name: string;
}

/** The simulated checkout with this id; null when there is none, or when payments here are real. */
export async function findSimulatedCheckout(id: string): Promise<SimulatedCheckout | null> {
  if (paymentProviderName() !== "simulated") {
    return null;
  }
  const [row] = await query<Row>(
    "billing_find_simulated",
    `SELECT s.id, s.amount, s.currency, s.success_url, s.cancel_url, s.expires_at, a.name AS account_name,
            CASE WHEN s.state = 'open' AND s.expires_at <= now() THEN 'expired' ELSE s.state END AS state
       FROM simulated_checkout s JOIN account a ON a.id = s.account_id WHERE s.id = $1`,
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
        accountName: row.account_name,
        expiresAt: row.expires_at.toISOString(),
      }
    : null;
}
