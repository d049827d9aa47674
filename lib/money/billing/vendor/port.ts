import type { CheckoutStatus, PaymentProviderName } from "../schema";

/** A purchase of balance, as stored: a retry repeats it. */
export interface PurchaseOrder {
  /** Of the checkout; also the idempotency key. */
  id: string;
  account_id: string;
  /** Cents. */
  amount: number;
  currency: string;
  success_url: string;
  cancel_url: string;
  receipt_email: string | null;
  /** The account's customer at the provider, if it has one. */
  customer_id: string | null;
}

/** An account, as the provider knows it. */
export interface CustomerFacts {
  /** Null before the first checkout. */
  id: string | null;
  accountId: string;
  email: string | null;
}

/** A refund or a dispute. */
export interface Reversal {
  id: string;
  kind: "refund" | "dispute";
  /** Cents. */
  amount: number;
  state: string;
  /** Increases with each change: of two readings, the lower version is older. */
  version: number;
  /** Whether the money is debited. */
  isDebited: boolean;
}

/** The current state of a checkout session at the provider. */
export interface SessionFacts {
  id: string;
  /** From the session's metadata; null when another product opened it. */
  checkoutId: string | null;
  /** Null when its places disagree, too. */
  accountId: string | null;
  /** Whether it is a one-off payment. */
  isPayment: boolean;
  currency: string | null;
  status: CheckoutStatus;
  expiresAt: Date;
  /** Null until it is paid. */
  payment: { reference: string; amount: number; reversals: Reversal[] } | null;
}

/** Only the object an event is about: its content is never trusted. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** Null for an unrelated event. */
  about: { sessionId: string } | { paymentReference: string } | null;
}

/** A payment service. Failures are AppErrors: upstream_error, upstream_timeout, service_unavailable. */
export interface PaymentProvider {
  name: PaymentProviderName;
  /** Opens a checkout; the same order gives the same session. Throws invalid_request for a URL it refuses. */
  openSession(order: PurchaseOrder): Promise<{
    id: string;
    url: string;
    expiresAt: Date;
    /** Whether the provider no longer knows the order's customer. */
    isCustomerUnknown: boolean;
  }>;
  /** Creates or updates an account's customer and returns its id; null when the provider has no customers. */
  saveCustomer(customer: CustomerFacts): Promise<string | null>;
  /** Null when the provider knows no such session. */
  readSession(id: string): Promise<SessionFacts | null>;
  findSessions(paymentReference: string): Promise<string[]>;
  /** The current receipt of a payment; null when there is none. */
  findReceiptUrl(paymentReference: string): Promise<string | null>;
  /** The page of a payment's invoice; null when there is none. */
  findInvoiceUrl(paymentReference: string): Promise<string | null>;
  /** Verifies the signature over the raw body, at most five minutes old. Throws invalid_request. */
  readEvent(body: Uint8Array, signature: string | null): Promise<PaymentEvent>;
  /** Completed sessions created since then. */
  listCompletedSessions(since: Date): AsyncIterable<string>;
  /** Payments with a refund created since then, or a dispute that may still have changed. */
  listReversedPayments(since: Date): AsyncIterable<string>;
}
