import { newId } from "@/lib/id";
import { query } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import type { CheckoutStatus } from "../schema";
import { readSignedEvent, signEvent } from "./event";
import type { PaymentEvent, PaymentProvider, PurchaseOrder, SessionFacts } from "./port";

const LIFETIME_SECONDS = 24 * 60 * 60;

/** A provider whose state is a table and whose checkout is a console page. No money moves. */
export interface SimulatedProvider extends PaymentProvider {
  /** An event about a session, signed and verified as if Stripe had sent it. */
  makeEvent(sessionId: string, type: string): Promise<PaymentEvent>;
}

export function simulatedProvider(secret: string): SimulatedProvider {
  return {
    name: "simulated",
    openSession,
    saveCustomer: async () => null,
    readSession,
    findSessions,
    // The console shows its own receipt.
    findReceiptUrl: async () => null,
    findInvoiceUrl: async () => null,
    readEvent: (body, signature) => readSignedEvent(body, signature, secret),
    listCompletedSessions,
    listReversedPayments: async function* () {
      // Simulated payments are never refunded.
    },
    makeEvent: async (sessionId, type) => {
      const body = JSON.stringify({
        id: `evt_${sessionId}_${type.replace("checkout.session.", "")}`,
        object: "event",
        type,
        livemode: false,
        created: Math.floor(Date.now() / 1000),
        data: { object: { id: sessionId, object: "checkout.session" } },
      });
      return readSignedEvent(Buffer.from(body), await signEvent(body, secret), secret);
    },
  };
}

async function openSession(order: PurchaseOrder) {
  const id = newId("simulatedCheckout");
  // As Stripe does.
  const successUrl = order.success_url.replaceAll("{CHECKOUT_SESSION_ID}", id);
  const [row] = await query<{ id: string; expires_at: Date }>(
    "billing_open_simulated",
    `INSERT INTO simulated_checkout (id, checkout_session_id, account_id, amount, currency, success_url, cancel_url, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))
     ON CONFLICT (checkout_session_id) DO UPDATE SET checkout_session_id = excluded.checkout_session_id
     RETURNING id, expires_at`,
    [
      id,
      order.id,
      order.account_id,
      order.amount,
      order.currency,
      successUrl,
      order.cancel_url,
      LIFETIME_SECONDS,
    ],
  );
  if (!row) {
    throw new Error("the simulated checkout was not stored");
  }
  return {
    id: row.id,
    url: new URL(`/checkout/simulated/${row.id}`, env.APP_URL).href,
    expiresAt: row.expires_at,
    isCustomerUnknown: false,
  };
}

type SimulatedRow = Pick<PurchaseOrder, "account_id" | "amount" | "currency"> & {
  checkout_session_id: string;
  state: CheckoutStatus;
  expires_at: Date;
};

async function readSession(id: string): Promise<SessionFacts | null> {
  const [row] = await query<SimulatedRow>(
    "billing_read_simulated",
    `SELECT checkout_session_id, account_id, amount, currency, expires_at,
            CASE WHEN state = 'open' AND expires_at <= now() THEN 'expired' ELSE state END AS state
       FROM simulated_checkout WHERE id = $1`,
    [id],
  );
  if (!row) {
    return null;
  }
  return {
    id,
    checkoutId: row.checkout_session_id,
    accountId: row.account_id,
    isPayment: true,
    currency: row.currency,
    status: row.state,
    expiresAt: row.expires_at,
    payment:
      row.state === "paid"
        ? { reference: referenceOf(id), amount: row.amount, reversals: [] }
        : null,
  };
}

async function* listCompletedSessions(since: Date): AsyncIterable<string> {
  const rows = await query<{ id: string }>(
    "billing_list_simulated",
    "SELECT id FROM simulated_checkout WHERE created_at >= $1 AND state = 'paid' ORDER BY id",
    [since],
  );
  yield* rows.map(({ id }) => id);
}

/** One payment per session, so each id determines the other. */
function referenceOf(sessionId: string): string {
  return sessionId.replace(/^cs_/, "pi_");
}

async function findSessions(reference: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    "billing_simulated_of_payment",
    "SELECT id FROM simulated_checkout WHERE id = $1 AND state = 'paid'",
    [reference.replace(/^pi_/, "cs_")],
  );
  return rows.map(({ id }) => id);
}
