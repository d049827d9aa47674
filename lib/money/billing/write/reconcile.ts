import "server-only";

import { query } from "@/lib/platform/db/client";
import { centsToMicros } from "../checkout";
import type { Micros } from "../money";
import { findCheckoutForSession, type SessionRefusal } from "../read/checkout";
import type { PaymentProviderName } from "../schema";
import type { PaymentProvider, SessionFacts } from "../vendor/port";
import { paymentProvider } from "../vendor/provider";
import { syncCheckoutSession } from "./payments";

/** A session is open for a day and a bank debit takes up to two weeks, so an older session may have been paid since. */
const SESSION_LIFETIME_MS = 15 * 24 * 60 * 60 * 1000;

/** Sessions read at a time: a fraction of what the provider allows. */
const CONCURRENCY = 5;

type DifferenceKind =
  /** Paid at the provider but not credited here. */
  | "missing_credit"
  /** Credited with another amount. */
  | "amount_differs"
  /** A refund or dispute, or its end, is unknown here. */
  | "missing_reversal"
  /** Known here but not debited for lack of funds. */
  | "outstanding"
  /** The ledger entries differ from the payment's credit and debits. */
  | "ledger_differs"
  /** Paid for one of our checkouts, but in a form that can't be credited. */
  | "refused_payment"
  /** Credited here but not paid at the provider. */
  | "unknown_credit";

export interface Difference {
  kind: DifferenceKind;
  checkoutId: string;
  paymentReference: string;
  /** In micro-dollars, according to the provider. */
  expected: Micros;
  /** In micro-dollars. */
  found: Micros;
  isRepaired: boolean;
}

export interface Reconciliation {
  provider: PaymentProviderName;
  /** Sessions compared. */
  compared: number;
  /** Sessions of other deployments at the same provider. */
  foreign: number;
  differences: Difference[];
}

/**
 * Compares the provider's payments, refunds and disputes with the credits and debits here, in both directions. `repair`
 * writes the provider's state; credits unknown to the provider are only reported.
 */
export async function reconcilePayments(options: {
  since: Date;
  repair?: boolean;
}): Promise<Reconciliation> {
  const provider = paymentProvider();
  await requireRealProvider(provider.name, options.since);
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
  const sinceSession = new Date(options.since.getTime() - SESSION_LIFETIME_MS);
  await visitSome(provider.listCompletedSessions(sinceSession), visit);
  await visitSome(provider.listReversedPayments(options.since), async (reference) => {
    for (const sessionId of await provider.findSessions(reference)) {
      await visit(sessionId);
    }
  });
  await visitSome(await listPaymentsSince(provider.name, options.since), async (payment) => {
    // A payment that took days has an older session; one the provider does not know has none.
    if (payment.provider_id === null || !seen.has(payment.provider_id)) {
      const sessions = await provider.findSessions(payment.reference);
      for (const sessionId of sessions) {
        await visit(sessionId);
      }
      if (sessions.length === 0) {
        result.differences.push(unknownCredit(payment.checkout_session_id, payment));
      }
    }
  });
  return result;
}

/** Several loops over one list, so that it isn't read far ahead. */
async function visitSome<T>(
  items: AsyncIterable<T> | Iterable<T>,
  visit: (item: T) => Promise<void>,
): Promise<void> {
  async function* each() {
    yield* items;
  }
  const queue = each();
  const work = async () => {
    for (let next = await queue.next(); !next.done; next = await queue.next()) {
      await visit(next.value);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** Without the deployment's variables, the comparison would find nothing to compare and report no differences. */
async function requireRealProvider(name: PaymentProviderName, since: Date): Promise<void> {
  if (name !== "simulated") {
    return;
  }
  const [row] = await query<{ count: number }>(
    "billing_count_checkouts",
    "SELECT count(*)::int AS count FROM checkout_session WHERE provider = $1 AND created_at >= $2",
    ["stripe", since],
  );
  if (row && row.count > 0) {
    throw new Error(
      `${row.count} checkouts since then are Stripe's, but STRIPE_SECRET_KEY is not set here. Set the variables that the server has, and try again.`,
    );
  }
}

function difference(
  kind: DifferenceKind,
  { checkoutId, reference }: { checkoutId: string; reference: string },
  [expected, found]: [Micros, Micros],
): Difference {
  return { kind, checkoutId, paymentReference: reference, expected, found, isRepaired: false };
}

function unknownCredit(
  checkoutId: string,
  { reference, amount_micros }: Pick<PaymentRow, "reference" | "amount_micros">,
): Difference {
  return difference("unknown_credit", { checkoutId, reference }, [0n, amount_micros]);
}

/** None when the session isn't ours or wasn't paid. */
function refusedPayments(facts: SessionFacts, { checkoutId }: SessionRefusal): Difference[] {
  if (checkoutId === null || facts.status !== "paid") {
    return [];
  }
  const reference = facts.payment?.reference ?? facts.id;
  const paid = centsToMicros(facts.payment?.amount ?? 0);
  return [difference("refused_payment", { checkoutId, reference }, [paid, 0n])];
}

async function reconcileSession(
  provider: PaymentProvider,
  sessionId: string,
  { result, repair }: { result: Reconciliation; repair: boolean },
): Promise<void> {
  const facts = await provider.readSession(sessionId);
  if (!facts) {
    result.foreign += 1;
    return;
  }
  const owner = await findCheckoutForSession(provider, facts);
  if ("refusal" in owner) {
    const refused = refusedPayments(facts, owner);
    result.foreign += refused.length === 0 ? 1 : 0;
    result.differences.push(...refused);
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
  const { payment } = facts;
  if (!payment) {
    // A paid session never becomes unpaid.
    return ours.map((row) => unknownCredit(checkoutId, row));
  }
  const { reference } = payment;
  const paid = centsToMicros(payment.amount);
  const row = ours.find((one) => one.reference === reference);
  const pairs: [kind: DifferenceKind, expected: Micros, found: Micros][] = row
    ? [
        ["amount_differs", paid, row.amount_micros],
        ["missing_reversal", debitedOf(payment), row.target],
        ["outstanding", row.target, row.reversed_micros],
        ["ledger_differs", row.amount_micros, row.ledger_credited],
        ["ledger_differs", row.reversed_micros, row.ledger_reversed],
      ]
    : [["missing_credit", paid, 0n]];
  return pairs
    .filter(([, expected, found]) => expected !== found)
    .map(([kind, ...amounts]) => difference(kind, { checkoutId, reference }, amounts));
}

/** The refunds and disputes at the provider, at most the payment. */
function debitedOf({ amount, reversals }: NonNullable<SessionFacts["payment"]>): Micros {
  const taken = reversals.reduce((sum, one) => sum + (one.isDebited ? one.amount : 0), 0);
  return centsToMicros(Math.min(taken, amount));
}

/** A stored payment and its ledger sums. */
interface PaymentRow extends Record<string, unknown> {
  reference: string;
  amount_micros: Micros;
  /** The known refunds and disputes. */
  target: Micros;
  reversed_micros: Micros;
  ledger_credited: Micros;
  ledger_reversed: Micros;
}

/** The payments of a checkout: one, or none yet. */
function listPaymentsOf(checkoutId: string): Promise<PaymentRow[]> {
  return query<PaymentRow>(
    "billing_payments_of",
    `SELECT d.reference, d.amount_micros, d.expected_micros AS target, d.reversed_micros,
            coalesce((SELECT sum(e.amount_micros) FROM ledger_entry e
                       WHERE e.reference = 'top_up:' || d.reference), 0)::bigint AS ledger_credited,
            coalesce((SELECT -sum(e.amount_micros) FROM ledger_entry e
                       WHERE e.account_id = d.account_id AND e.kind = 'refund'
                         AND starts_with(e.reference, 'refund:' || d.reference || ':')), 0)::bigint AS ledger_reversed
       FROM payment_reversal_total d JOIN payment p ON p.reference = d.reference WHERE p.checkout_session_id = $1`,
    [checkoutId],
  );
}

/** Payments of this provider that were credited since then. */
function listPaymentsSince(provider: PaymentProviderName, since: Date) {
  return query<{
    reference: string;
    checkout_session_id: string;
    provider_id: string | null;
    amount_micros: Micros;
  }>(
    "billing_payments_since",
    `SELECT p.reference, p.checkout_session_id, c.provider_id, p.amount_micros
       FROM payment p JOIN checkout_session c ON c.id = p.checkout_session_id
      WHERE p.created_at >= $1 AND c.provider = $2 ORDER BY p.created_at`,
    [since, provider],
  );
}
