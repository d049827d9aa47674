import Stripe from "stripe";
import { AppError } from "@/lib/errors";
import type { CheckoutStatus } from "../schema";
import { readSignedEvent } from "./event";
import type { CustomerFacts, PaymentProvider, PurchaseOrder, Reversal, SessionFacts } from "./port";
import { stripeClient } from "./stripe-client";
import { askStripe, isStripeRefusal } from "./stripe-errors";
import { disputeReversal, refundReversal } from "./stripe-reversals";
import { type CheckoutSettings, toSessionParams } from "./stripe-session";

/** With its retries, less than a payer and Stripe's webhook wait. */
const TIMEOUT_MS = 6000;
const RETRIES = 2;
/** For one call and its retries, whatever the response does. */
const DEADLINE_MS = 25_000;
const PAGE = 100;
/** A dispute takes months from its first to its last movement of money. */
const DISPUTE_SECONDS = 365 * 24 * 60 * 60;

export interface StripeOptions extends Partial<CheckoutSettings> {
  secretKey: string;
  webhookSecret: string;
  /** Another server with Stripe's API. */
  apiBase?: string | undefined;
  timeoutMs?: number;
  retries?: number;
  deadlineMs?: number;
}

/** Stripe with hosted Checkout. */
export function stripeProvider(options: StripeOptions): PaymentProvider {
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES, deadlineMs = DEADLINE_MS } = options;
  const { invoices = false, automaticTax = false, taxIds = false } = options;
  const settings = { invoices, automaticTax, taxIds };
  const stripe = stripeClient({ ...options, timeoutMs, retries });
  const ask = <T>(call: () => Promise<T>) => askStripe(call, deadlineMs);
  return {
    name: "stripe",
    openSession: (order) =>
      ask(() => openSession(stripe, { order, settings, idempotencyKey: order.id })),
    saveCustomer: (customer) => ask(() => saveCustomer(stripe, customer)),
    readSession: (id) => ask(() => readSession(stripe, id)),
    findSessions: (payment) => ask(() => findSessions(stripe, payment)),
    findReceiptUrl: (payment) => ask(() => findReceiptUrl(stripe, payment)),
    findInvoiceUrl: (payment) => ask(() => findInvoiceUrl(stripe, payment)),
    readEvent: (body, signature) => readSignedEvent(body, signature, options.webhookSecret),
    listCompletedSessions: (since) => listCompletedSessions(stripe, since, deadlineMs),
    listReversedPayments: (since) => listReversedPayments(stripe, since, deadlineMs),
  };
}

interface Attempt {
  order: PurchaseOrder;
  settings: CheckoutSettings;
  idempotencyKey: string;
}

/** Without what Stripe doesn't accept of an order, each time under its own idempotency key, so that a retry repeats both. */
async function openSession(
  stripe: Stripe,
  { order, settings, idempotencyKey }: Attempt,
): Promise<Awaited<ReturnType<PaymentProvider["openSession"]>>> {
  try {
    const params = toSessionParams(order, settings);
    return toOpened(await stripe.checkout.sessions.create(params, { idempotencyKey }));
  } catch (thrown) {
    if (order.receipt_email && isStripeRefusal(thrown, "email_invalid")) {
      return openSession(stripe, {
        order: { ...order, receipt_email: null },
        settings,
        idempotencyKey: `${idempotencyKey}.without-receipt`,
      });
    }
    if (order.customer_id && isStripeRefusal(thrown, "resource_missing", "customer")) {
      const opened = await openSession(stripe, {
        order: { ...order, customer_id: null },
        settings,
        idempotencyKey: `${idempotencyKey}.without-customer`,
      });
      return { ...opened, isCustomerUnknown: true };
    }
    throw thrown;
  }
}

function toOpened({ id, url, expires_at }: Stripe.Checkout.Session) {
  if (!url) {
    throw new AppError(
      "upstream_error",
      "Stripe opened a checkout without a payment address. Try again later.",
    );
  }
  return { id, url, expiresAt: new Date(expires_at * 1000), isCustomerUnknown: false };
}

/** Without the address when Stripe doesn't accept it. */
async function saveCustomer(
  stripe: Stripe,
  { id, accountId, email }: CustomerFacts,
): Promise<string> {
  const metadata = { account_id: accountId };
  const params = { metadata, ...(email && { email }) };
  try {
    return id
      ? (await stripe.customers.update(id, params)).id
      : (await stripe.customers.create(params)).id;
  } catch (thrown) {
    if (email && isStripeRefusal(thrown, "email_invalid")) {
      return saveCustomer(stripe, { id, accountId, email: null });
    }
    if (id && isStripeRefusal(thrown, "resource_missing")) {
      return saveCustomer(stripe, { id: null, accountId, email });
    }
    throw thrown;
  }
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
  const total = session.amount_total ?? 0;
  // Tax is the payer's, and never part of the balance.
  const amount = total - (session.total_details?.amount_tax ?? 0);
  return {
    id: session.id,
    checkoutId: session.metadata?.checkout_session_id ?? null,
    accountId: accountOf(session),
    isPayment: session.mode === "payment",
    currency: session.currency,
    status: statusOf(session),
    expiresAt: new Date(session.expires_at * 1000),
    payment: isPaid
      ? { reference, amount, reversals: await listReversals(stripe, { reference, amount, total }) }
      : null,
  };
}

/** Both places that name the account must agree. */
function accountOf({ client_reference_id: id, metadata }: Stripe.Checkout.Session): string | null {
  return metadata?.account_id === id ? id : null;
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

async function listReversals(
  stripe: Stripe,
  payment: { reference: string; amount: number; total: number },
) {
  const query = { payment_intent: payment.reference, limit: PAGE };
  const [refunds, disputes] = await Promise.all([
    all(stripe.refunds.list(query)),
    all(stripe.disputes.list(query)),
  ]);
  // Stripe lists the newest first. In the order they were made, a later one changes no earlier amount.
  const reversals = [
    ...refunds.toReversed().map(refundReversal),
    ...disputes.toReversed().map((dispute) => disputeReversal(dispute, payment.total)),
  ];
  return withoutTax(reversals, payment);
}

/** The amounts without the tax that they include in proportion: their sum is rounded, not each. */
function withoutTax(
  reversals: readonly Reversal[],
  { amount, total }: { amount: number; total: number },
): Reversal[] {
  let reversed = 0;
  const debited = () => (total > 0 ? Math.round((reversed * amount) / total) : reversed);
  return reversals.map((one) => {
    const before = debited();
    reversed += one.amount;
    return { ...one, amount: debited() - before };
  });
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

async function findInvoiceUrl(stripe: Stripe, paymentReference: string): Promise<string | null> {
  const query = { payment_intent: paymentReference, limit: 1, expand: ["data.invoice"] };
  const { data } = await stripe.checkout.sessions.list(query);
  const invoice = data[0]?.invoice;
  return invoice && typeof invoice !== "string" ? (invoice.hosted_invoice_url ?? null) : null;
}

async function* listCompletedSessions(stripe: Stripe, since: Date, deadlineMs: number) {
  const query = { created: { gte: toSeconds(since) }, status: "complete" as const, limit: PAGE };
  for await (const { id } of inTime(stripe.checkout.sessions.list(query), deadlineMs)) {
    yield id;
  }
}

async function* listReversedPayments(stripe: Stripe, since: Date, deadlineMs: number) {
  const gte = toSeconds(since);
  const refunds = stripe.refunds.list({ created: { gte }, limit: PAGE });
  const disputed = { gte: gte - DISPUTE_SECONDS };
  const disputes = stripe.disputes.list({ created: disputed, limit: PAGE });
  for (const list of [refunds, disputes]) {
    for await (const { payment_intent: payment } of inTime<Stripe.Refund | Stripe.Dispute>(
      list,
      deadlineMs,
    )) {
      const reference = typeof payment === "string" ? payment : payment?.id;
      if (reference) {
        yield reference;
      }
    }
  }
}

/** A list of any length, with a deadline for each of its pages. */
async function* inTime<T>(list: AsyncIterable<T>, deadlineMs: number): AsyncIterable<T> {
  const items = list[Symbol.asyncIterator]();
  for (;;) {
    const next = await askStripe(() => items.next(), deadlineMs);
    if (next.done) {
      return;
    }
    yield next.value;
  }
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) {
    items.push(item);
  }
  return items;
}
