import "server-only";

import { centsToMicros } from "../checkout";
import type { Micros } from "../money";
import { findCheckoutForSession } from "../read/checkout-for-session";
import {
  countCheckouts,
  listPaymentsOf,
  listPaymentsSince,
  type PaymentRow,
  type StoredPayment,
} from "../read/payment";
import type { PaymentProviderName } from "../schema";
import type { PaymentProvider, SessionFacts } from "../vendor/port";
import { paymentProvider } from "../vendor/provider";
import { syncCheckoutSession } from "./sync-checkout";

/** A session is open for a day, and a bank debit takes up to two weeks: one made before may have been paid since. */
const SESSION_LIFETIME_MS = 15 * 24 * 60 * 60 * 1000;

/**
 * - `missing_credit`: paid at the provider, not credited here.
 * - `amount_differs`: credited with another amount than was paid.
 * - `missing_reversal`: a refund or dispute, or its end, that is not known here.
 * - `outstanding`: known here, and not debited for want of funds.
 * - `ledger_differs`: the ledger's entries are not what the payment says was credited and debited.
 * - `unknown_credit`: credited here, not paid at the provider.
 */
type DifferenceKind =
  | "missing_credit"
  | "amount_differs"
  | "missing_reversal"
  | "outstanding"
  | "ledger_differs"
  | "unknown_credit";

export interface Difference {
  kind: DifferenceKind;
  checkoutId: string;
  paymentReference: string;
  /** Micro-dollars: what the provider says, or what the payment here should be. */
  expected: Micros;
  /** Micro-dollars: what is so. */
  found: Micros;
  isRepaired: boolean;
}

export interface Reconciliation {
  provider: PaymentProviderName;
  /** Sessions compared. */
  compared: number;
  /** Sessions at the provider that are not for us. */
  foreign: number;
  differences: Difference[];
}

/**
 * Compares what the provider took and gave back since then with what was credited and debited here, in both
 * directions. With `repair` what the provider says is written; what it never knew of is only told.
 */
export async function reconcilePayments(options: {
  since: Date;
  repair?: boolean;
}): Promise<Reconciliation> {
  const provider = paymentProvider();
  await refuseSimulation(provider.name, options.since);
  const result: Reconciliation = {
    provider: provider.name,
    compared: 0,
    foreign: 0,
    differences: [],
  };
  const seen = new Set<string>();
  const visit = async (sessionId: string) => {
    if (!seen.has(sessionId)) {
      seen.add(sessionId);
      await reconcileSession(provider, sessionId, { result, repair: options.repair ?? false });
    }
  };
  for await (const sessionId of listSessions(provider, options.since)) {
    await visit(sessionId);
  }
  for (const payment of await listPaymentsSince(provider.name, options.since)) {
    // One that took days is of a session made long before; one that nobody there knows has none.
    if (payment.sessionId === null || !seen.has(payment.sessionId)) {
      const sessions = await provider.findSessions(payment.reference);
      await Promise.all(sessions.map(visit));
      result.differences.push(...(sessions.length === 0 ? [unknownCredit(payment)] : []));
    }
  }
  return result;
}

/** A shell without the deployment's variables would compare nothing, and say that nothing differs. */
async function refuseSimulation(name: PaymentProviderName, since: Date): Promise<void> {
  const others = name === "simulated" ? await countCheckouts("stripe", since) : 0;
  if (others > 0) {
    throw new Error(
      `${others} checkouts since then are Stripe's, but STRIPE_SECRET_KEY is not set here. Set the variables that the server has, and try again.`,
    );
  }
}

async function* listSessions(provider: PaymentProvider, since: Date): AsyncIterable<string> {
  yield* provider.listCompletedSessions(new Date(since.getTime() - SESSION_LIFETIME_MS));
  for await (const reference of provider.listReversedPayments(since)) {
    yield* await provider.findSessions(reference);
  }
}

function unknownCredit({
  reference,
  checkoutId,
  amountMicros,
}: Omit<StoredPayment, "sessionId">): Difference {
  return {
    kind: "unknown_credit",
    checkoutId,
    paymentReference: reference,
    expected: 0n,
    found: amountMicros,
    isRepaired: false,
  };
}

async function reconcileSession(
  provider: PaymentProvider,
  sessionId: string,
  { result, repair }: { result: Reconciliation; repair: boolean },
): Promise<void> {
  const facts = await provider.readSession(sessionId);
  const owner = facts && (await findCheckoutForSession(provider, facts));
  if (!facts || !owner || "refusal" in owner) {
    result.foreign += 1;
    return;
  }
  result.compared += 1;
  const before = compare(owner.checkoutId, facts, await listPaymentsOf(owner.checkoutId));
  if (repair && before.length > 0) {
    await syncCheckoutSession(provider, sessionId);
    const after = compare(owner.checkoutId, facts, await listPaymentsOf(owner.checkoutId));
    for (const difference of before) {
      difference.isRepaired = !after.some(({ kind }) => kind === difference.kind);
    }
  }
  result.differences.push(...before);
}

function compare(checkoutId: string, facts: SessionFacts, ours: PaymentRow[]): Difference[] {
  const tell = (
    kind: DifferenceKind,
    paymentReference: string,
    [expected, found]: [Micros, Micros],
  ) =>
    expected === found
      ? []
      : [{ kind, checkoutId, paymentReference, expected, found, isRepaired: false }];
  const { payment } = facts;
  if (!payment) {
    // Stays with the provider: a session that was paid never becomes unpaid.
    return ours.map((row) =>
      unknownCredit({ reference: row.reference, checkoutId, amountMicros: row.amount_micros }),
    );
  }
  const { reference } = payment;
  const paid = centsToMicros(payment.amount);
  const row = ours.find((one) => one.reference === reference);
  if (!row) {
    return tell("missing_credit", reference, [paid, 0n]);
  }
  return [
    ...tell("amount_differs", reference, [paid, row.amount_micros]),
    ...tell("missing_reversal", reference, [takenOf(payment), row.target]),
    ...tell("outstanding", reference, [row.target, row.reversed_micros]),
    ...tell("ledger_differs", reference, [row.amount_micros, row.ledger_credited]),
    ...tell("ledger_differs", reference, [row.reversed_micros, row.ledger_reversed]),
  ];
}

/** What the provider has taken back, never more than was paid. */
function takenOf({ amount, reversals }: NonNullable<SessionFacts["payment"]>): Micros {
  const taken = reversals.reduce((sum, one) => sum + (one.isDebited ? one.amount : 0), 0);
  return centsToMicros(Math.min(taken, amount));
}
