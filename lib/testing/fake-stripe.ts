import { newId } from "@/lib/id";

export type Params = Record<string, unknown>;

export interface Created {
  id: string;
  created: number;
}

export interface FakeSession extends Created {
  object: "checkout.session";
  mode: string;
  currency: string;
  amount_total: number;
  status: "open" | "complete" | "expired";
  payment_status: "unpaid" | "paid";
  payment_intent: string | null;
  client_reference_id: string | null;
  metadata: Record<string, string>;
  /** As requested: who pays, taxes, invoices. */
  customer: string | null;
  total_details: { amount_tax: number };
  success_url: string;
  cancel_url: string;
  url: string;
  expires_at: number;
}

interface Intent extends Created {
  object: "payment_intent";
  status: string;
  amount: number;
}

export interface FakeCustomer extends Created {
  object: "customer";
  email: string | null;
  metadata: Record<string, string>;
}

export interface FakeRefund extends Created {
  object: "refund";
  amount: number;
  currency: string;
  status: string;
  payment_intent: string;
}

export interface FakeDispute extends FakeRefund {
  balance_transactions: { amount: number; currency: string }[];
}

/** Stripe's state, and the actions of payers, banks and the merchant's dashboard. */
export class StripeWorld {
  readonly sessions = new Map<string, FakeSession>();
  readonly intents = new Map<string, Intent>();
  readonly refunds = new Map<string, FakeRefund>();
  readonly disputes = new Map<string, FakeDispute>();
  readonly customers = new Map<string, FakeCustomer>();

  session(id: string): FakeSession {
    return found(this.sessions, id);
  }

  /** Changes a session without an event. */
  amend(id: string, change: Partial<FakeSession>): FakeSession {
    return Object.assign(this.session(id), change);
  }

  /** Pays by card. */
  pay(id: string): string {
    return this.#complete(id, "succeeded");
  }

  /** Starts a bank debit. */
  payLater(id: string): string {
    return this.#complete(id, "processing");
  }

  /** Settles a session's bank debit. */
  settle(id: string): void {
    const session = this.session(id);
    session.payment_status = "paid";
    found(this.intents, session.payment_intent ?? "").status = "succeeded";
  }

  /** Fails a session's bank debit. */
  decline(id: string): void {
    found(this.intents, this.session(id).payment_intent ?? "").status = "requires_payment_method";
  }

  expire(id: string): void {
    this.session(id).status = "expired";
  }

  refund(paymentReference: string, amount: number, status = "succeeded"): FakeRefund {
    const refund: FakeRefund = {
      ...created("re"),
      object: "refund",
      amount,
      currency: "usd",
      status,
      payment_intent: paymentReference,
    };
    this.refunds.set(refund.id, refund);
    return refund;
  }

  dispute(paymentReference: string, amount: number, status = "needs_response"): FakeDispute {
    const dispute: FakeDispute = {
      ...created("dp"),
      object: "dispute" as never,
      amount,
      currency: "usd",
      status,
      payment_intent: paymentReference,
      balance_transactions: [],
    };
    this.disputes.set(dispute.id, dispute);
    if (!status.startsWith("warning")) {
      this.withdraw(dispute.id);
    }
    return dispute;
  }

  /** Takes a dispute's money from the merchant's balance. */
  withdraw(id: string): void {
    const { balance_transactions: transactions, amount } = found(this.disputes, id);
    transactions.push({ amount: -amount, currency: "usd" });
  }

  /** Closes a dispute. Winning it returns the money. */
  closeDispute(id: string, status: "won" | "lost"): void {
    const dispute = found(this.disputes, id);
    dispute.status = status;
    if (status === "won") {
      dispute.balance_transactions.push({ amount: dispute.amount, currency: "usd" });
    }
  }

  #complete(id: string, status: "succeeded" | "processing"): string {
    const session = this.session(id);
    const intent: Intent = {
      ...created("pi"),
      object: "payment_intent",
      status,
      amount: session.amount_total,
    };
    this.intents.set(intent.id, intent);
    Object.assign(session, {
      status: "complete",
      payment_status: status === "succeeded" ? "paid" : "unpaid",
      payment_intent: intent.id,
    });
    return intent.id;
  }
}

export function created(prefix: string): Created {
  return {
    id: `${prefix}_${newId("ledgerEntry").slice("txn_".length)}`,
    created: Math.floor(Date.now() / 1000),
  };
}

function found<T>(items: Map<string, T>, id: string): T {
  const item = items.get(id);
  if (!item) {
    throw new Error(`the scripted Stripe has no ${id}`);
  }
  return item;
}

export function isBadEmail(email: unknown): boolean {
  return typeof email === "string" && email.endsWith(".invalid");
}

/** Parses `a[b][0]=c` to nested objects. */
export function nestForm(form: URLSearchParams): Params {
  const root: Params = {};
  for (const [name, value] of form) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    let place = root;
    for (const part of path.slice(0, -1)) {
      place[part] ??= {};
      place = place[part] as Params;
    }
    place[path.at(-1) ?? ""] = value;
  }
  return root;
}
