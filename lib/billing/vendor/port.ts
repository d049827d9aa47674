import type { CheckoutStatus, PaymentProviderName } from "../schema";

/** A purchase of balance, as it is put to the provider; all of it is kept, so that a retry says the same. */
export interface PurchaseOrder {
  /** Ours; the provider keeps it as its idempotency key too. */
  checkoutId: string;
  accountId: string;
  /** Cents. */
  amount: number;
  currency: string;
  successUrl: string;
  cancelUrl: string;
  receiptEmail: string | null;
}

export interface OpenedSession {
  id: string;
  url: string;
  expiresAt: Date;
}

/** A refund or a dispute. */
export interface Reversal {
  id: string;
  kind: "refund" | "dispute";
  /** Cents. */
  amount: number;
  state: string;
  /** Rises with what the provider says of it: of two readings the one with the lower version is older. */
  version: number;
  /** Whether the money is away. */
  isDebited: boolean;
}

/** A checkout session as the provider has it now. */
export interface SessionFacts {
  id: string;
  /** What the session says of whom it is for; null when it was not made by us. */
  checkoutId: string | null;
  accountId: string | null;
  /** Whether it is a one-off payment. */
  isPayment: boolean;
  currency: string | null;
  status: CheckoutStatus;
  expiresAt: Date;
  /** Null until it is paid. */
  payment: { reference: string; amount: number; reversals: Reversal[] } | null;
}

/** What is read of an event: never more than which object it tells of. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** Null for an event that moves no money of ours. */
  about: { sessionId: string } | { paymentReference: string } | null;
}

/** What outside of us takes payments. Failures are AppErrors: upstream_error, upstream_timeout. */
export interface PaymentProvider {
  name: PaymentProviderName;
  /** Opens a checkout; the same order gives the same session. Throws invalid_request for a URL it refuses. */
  openSession(order: PurchaseOrder): Promise<OpenedSession>;
  /** Null when the provider knows no such session. */
  readSession(id: string): Promise<SessionFacts | null>;
  /** The sessions that a payment was made in. */
  findSessions(paymentReference: string): Promise<string[]>;
  /** Where the payer finds the receipt of a payment, as it stands now; null when the provider has none. */
  findReceiptUrl(paymentReference: string): Promise<string | null>;
  /** An event whose signature over the raw body is right and not older than five minutes. Throws invalid_request. */
  readEvent(body: Uint8Array, signature: string | null): Promise<PaymentEvent>;
  /** Sessions made since then that were completed. */
  listCompletedSessions(since: Date): AsyncIterable<string>;
  /** Payments with a refund or a dispute made since then. */
  listReversedPayments(since: Date): AsyncIterable<string>;
}
