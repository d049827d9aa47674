import Stripe from "stripe";
import { AppError } from "@/lib/errors";
import { CHECKOUT_CURRENCY } from "../checkout";
import type { CheckoutStatus } from "../schema";
import { readSignedEvent } from "./event";
import type { PaymentProvider, PurchaseOrder, Reversal, SessionFacts } from "./port";

/** Stripe answers in this version, whatever the account's default is. */
const API_VERSION = "2026-10-28.endive";
/** With its retries, less than a payer and Stripe's webhook wait. */
const TIMEOUT_MS = 6000;
const RETRIES = 2;
const PAGE = 100;
const PRODUCT_NAME = "Footnote balance";

export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** Another server with Stripe's API. */
  apiBase?: string | undefined;
  timeoutMs?: number;
  retries?: number;
}

/** Stripe with hosted Checkout. */
export function stripeProvider(options: StripeOptions): PaymentProvider {
  const { secretKey, webhookSecret, apiBase, timeoutMs = TIMEOUT_MS, retries = RETRIES } = options;
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    ...(apiBase && serverOf(apiBase)),
  });
  return {
    name: "stripe",
    openSession: (order) => ask(() => openSession(stripe, order)),
    readSession: (id) => ask(() => readSession(stripe, id)),
    findSessions: (payment) => ask(() => findSessions(stripe, payment)),
    findReceiptUrl: (payment) => ask(() => findReceiptUrl(stripe, payment)),
    readEvent: (body, signature) => readSignedEvent(body, signature, webhookSecret),
    listCompletedSessions: (since) => listCompletedSessions(stripe, since),
    listReversedPayments: (since) => listReversedPayments(stripe, since),
  };
}

function serverOf(url: string): Pick<Stripe.StripeConfig, "host" | "port" | "protocol"> {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === "https:";
  return {
    host: hostname,
    port: port || (isSecure ? 443 : 80),
    protocol: isSecure ? "https" : "http",
  };
}

async function openSession(stripe: Stripe, order: PurchaseOrder) {
  const metadata = { account_id: order.account_id, checkout_session_id: order.id };
  const session = await stripe.checkout.sessions.create(
    {
      mode: "payment",
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: order.currency,
            unit_amount: order.amount,
            product_data: { name: PRODUCT_NAME },
          },
        },
      ],
      // Charge in the currency of the balance, so that refunds and disputes use it too.
      adaptive_pricing: { enabled: false },
      client_reference_id: order.account_id,
      metadata,
      payment_intent_data: {
        metadata,
        ...(order.receipt_email && { receipt_email: order.receipt_email }),
      },
      success_url: order.success_url,
      cancel_url: order.cancel_url,
    },
    { idempotencyKey: order.id },
  );
  if (!session.url) {
    throw new AppError(
      "upstream_error",
      "Stripe opened a checkout without an address to pay at. Try again later.",
    );
  }
  return { id: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
}

async function readSession(stripe: Stripe, id: string): Promise<SessionFacts | null> {
  const expand = ["payment_intent"];
  const session = await orNull(stripe.checkout.sessions.retrieve(id, { expand }));
  if (!session) {
    return null;
  }
  const payment = session.payment_intent;
  const reference = typeof payment === "string" ? payment : payment?.id;
  const isPaid = session.payment_status === "paid" && reference !== undefined;
  const amount = session.amount_total ?? 0;
  return {
    id: session.id,
    checkoutId: session.metadata?.checkout_session_id ?? null,
    accountId: session.client_reference_id,
    isPayment: session.mode === "payment",
    currency: session.currency,
    status: statusOf(session),
    expiresAt: new Date(session.expires_at * 1000),
    payment: isPaid
      ? { reference, amount, reversals: await listReversals(stripe, { reference, amount }) }
      : null,
  };
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (thrown) {
    if (thrown instanceof Stripe.errors.StripeError && thrown.code === "resource_missing") {
      return null;
    }
    throw thrown;
  }
}

function statusOf(session: Stripe.Checkout.Session): CheckoutStatus {
  if (session.payment_status === "paid") {
    return "paid";
  }
  if (session.status !== "complete") {
    return session.status === "expired" ? "expired" : "open";
  }
  // Completed but unpaid: a payment that takes days, unless its intent needs another method.
  const payment = session.payment_intent;
  const state = payment && typeof payment !== "string" ? payment.status : "processing";
  return state === "requires_payment_method" || state === "canceled" ? "failed" : "processing";
}

async function listReversals(stripe: Stripe, payment: { reference: string; amount: number }) {
  const query = { payment_intent: payment.reference, limit: PAGE };
  const [refunds, disputes] = await Promise.all([
    all(stripe.refunds.list(query)),
    all(stripe.disputes.list(query)),
  ]);
  return [
    ...refunds.map(refundReversal),
    ...disputes.map((dispute) => disputeReversal(dispute, payment.amount)),
  ];
}

async function findSessions(stripe: Stripe, paymentReference: string): Promise<string[]> {
  const query = { payment_intent: paymentReference, limit: PAGE };
  return (await all(stripe.checkout.sessions.list(query))).map(({ id }) => id);
}

async function findReceiptUrl(stripe: Stripe, paymentReference: string): Promise<string | null> {
  const expand = ["latest_charge"];
  const payment = await orNull(stripe.paymentIntents.retrieve(paymentReference, { expand }));
  const charge = payment?.latest_charge;
  return charge && typeof charge !== "string" ? charge.receipt_url : null;
}

async function* listCompletedSessions(stripe: Stripe, since: Date): AsyncIterable<string> {
  const query = { created: { gte: toSeconds(since) }, status: "complete" as const, limit: PAGE };
  yield* (await ask(() => all(stripe.checkout.sessions.list(query)))).map(({ id }) => id);
}

async function* listReversedPayments(stripe: Stripe, since: Date): AsyncIterable<string> {
  const query = { created: { gte: toSeconds(since) }, limit: PAGE };
  const refunds = await ask(() => all(stripe.refunds.list(query)));
  const disputes = await ask(() => all(stripe.disputes.list(query)));
  for (const { payment_intent: payment } of [...refunds, ...disputes]) {
    const reference = typeof payment === "string" ? payment : payment?.id;
    if (reference) {
      yield reference;
    }
  }
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** A refund may fail after it succeeded, never the other way round. */
const REFUND_VERSIONS: Record<string, number> = {
  pending: 1,
  requires_action: 1,
  succeeded: 2,
  failed: 3,
  canceled: 3,
};

export function refundReversal(refund: Pick<Stripe.Refund, "id" | "amount" | "status">): Reversal {
  const state = refund.status ?? "pending";
  return {
    id: refund.id,
    kind: "refund",
    amount: refund.amount,
    state,
    version: REFUND_VERSIONS[state] ?? 1,
    isDebited: state !== "failed" && state !== "canceled",
  };
}

/** Inquiries and prevented disputes debit nothing, and `won` gives the money back. */
const NOT_TAKEN = [
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "prevented",
  "won",
];
const CLOSED = ["won", "lost", "prevented", "warning_closed"];
/** More than the status changes of a dispute between two movements of its money. */
const STEPS = 10;

/**
 * A lost dispute may be appealed and won, so the status alone does not order two readings: the number of movements of
 * its money, which only grows, comes first.
 */
export function disputeReversal(
  dispute: Pick<Stripe.Dispute, "id" | "amount" | "currency" | "status"> & {
    balance_transactions?: readonly unknown[];
  },
  paidAmount: number,
): Reversal {
  const step = CLOSED.includes(dispute.status) ? 3 : dispute.status.startsWith("warning") ? 1 : 2;
  return {
    id: dispute.id,
    kind: "dispute",
    // In a foreign currency the debited amount is unknown: at most the whole payment.
    amount: dispute.currency === CHECKOUT_CURRENCY ? dispute.amount : paidAmount,
    state: dispute.status,
    version: (dispute.balance_transactions?.length ?? 0) * STEPS + step,
    isDebited: !NOT_TAKEN.includes(dispute.status),
  };
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) {
    items.push(item);
  }
  return items;
}

async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw thrown instanceof Stripe.errors.StripeError ? toAppError(thrown) : thrown;
  }
}

/** The return addresses are the only input of the caller that Stripe validates. */
function toAppError(cause: Stripe.errors.StripeError): AppError {
  const param = ["success_url", "cancel_url"].find((name) => name === cause.param);
  if (cause.type === "StripeInvalidRequestError" && param) {
    return new AppError(
      "invalid_request",
      `Stripe does not take '${param}' as an address to return to. Use a complete https address.`,
      { param, cause },
    );
  }
  // `detail` holds the connection error.
  const { detail } = cause;
  const isTimeout = detail instanceof Error && Reflect.get(detail, "code") === "ETIMEDOUT";
  const what = isTimeout
    ? "did not answer in time. Try again"
    : "could not do this. Try again later";
  return new AppError(
    isTimeout ? "upstream_timeout" : "upstream_error",
    `The payment provider ${what}; with the same Idempotency-Key nothing is done twice.`,
    { cause },
  );
}
