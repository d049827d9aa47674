import "server-only";

import { transaction } from "@/lib/db/client";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { centsToMicros } from "../checkout";
import type { Micros } from "../money";
import { findCheckoutForSession, type Owner } from "../read/checkout-for-session";
import type { CheckoutStatus } from "../schema";
import type { PaymentEvent, PaymentProvider, SessionFacts } from "../vendor/port";
import { recordBalanceEvent } from "./balance-event";
import { resetLowBalanceAlert } from "./low-balance";

/** Ledger entries that one call may make; what needs more is done by the next call, or the sweep. */
const ENTRIES = 16;

/** What a reading changed, in micro-dollars. */
export interface CheckoutSync extends Record<string, unknown> {
  status: CheckoutStatus;
  credited: Micros;
  debited: Micros;
  /** What the account's free balance did not cover. */
  outstanding: Micros;
}

/**
 * Reads a session back from the provider and writes what is true: its status, its credit, what was taken back
 * of it. Any number of times and in any order. Null, and nothing moves, for a session that is not ours.
 */
export async function syncCheckoutSession(
  provider: PaymentProvider,
  sessionId: string,
  event?: PaymentEvent,
): Promise<CheckoutSync | null> {
  // No transaction is open while the provider is asked: the embedded database has one connection.
  const facts = await provider.readSession(sessionId);
  const owner = facts
    ? await findCheckoutForSession(provider, facts)
    : { refusal: "it is not known there" };
  if (!facts || "refusal" in owner) {
    const line = { session: sessionId, event: event?.id, event_type: event?.type, ...owner };
    log.info(line, "a payment was not taken for ours");
    return null;
  }
  const result = await write(provider, owner, { facts, event });
  logMovement(facts, owner, result);
  if (result.credited !== 0n || result.debited !== 0n) {
    await resetLowBalanceAlert(owner.accountId);
  }
  return result;
}

function write(
  provider: PaymentProvider,
  { accountId, checkoutId }: Owner,
  { facts, event }: { facts: SessionFacts; event: PaymentEvent | undefined },
): Promise<CheckoutSync> {
  return transaction(async (tx) => {
    const [row] = await tx.query<CheckoutSync>(
      "billing_sync_checkout",
      "SELECT status, credited, debited, outstanding FROM sync_checkout_session($1, $2, $3)",
      [checkoutId, JSON.stringify(toRecord(facts, event)), newEntryIds()],
    );
    if (!row) {
      throw new Error("the checkout was not converged");
    }
    const by = { accountId, provider: provider.name, targetId: checkoutId };
    await recordBalanceEvent(tx, by, row);
    return row;
  });
}

/** The form that sync_checkout_session takes. Amounts are text: JSON's numbers end before money does. */
function toRecord(facts: SessionFacts, event: PaymentEvent | undefined): object {
  const { payment } = facts;
  return {
    account: facts.accountId,
    provider_id: facts.id,
    status: facts.status,
    expires_at: facts.expiresAt.toISOString(),
    event: event ? { id: event.id, type: event.type } : null,
    payment: payment && {
      reference: payment.reference,
      amount_micros: String(centsToMicros(payment.amount)),
      reversals: payment.reversals.map(({ id, kind, amount, state, version, isDebited }) => ({
        id,
        kind,
        amount_micros: String(centsToMicros(amount)),
        state,
        version,
        is_debited: isDebited,
      })),
    },
  };
}

/** They are made here so that a ledger's ids sort by time, whoever writes it. */
export function newEntryIds(): string[] {
  return Array.from({ length: ENTRIES }, () => newId("ledgerEntry"));
}

function logMovement(facts: SessionFacts, owner: Owner, result: CheckoutSync): void {
  const line = {
    account_id: owner.accountId,
    checkout: owner.checkoutId,
    payment: facts.payment?.reference,
  };
  if (facts.payment && facts.payment.amount !== owner.amount) {
    const amounts = { paid: facts.payment.amount, asked: owner.amount };
    log.warn({ ...line, ...amounts }, "another amount was paid than asked for");
  }
  if (result.credited !== 0n || result.debited !== 0n) {
    const { credited, debited, outstanding } = result;
    const moved = { credited: `${credited}`, debited: `${debited}`, outstanding: `${outstanding}` };
    log.info({ ...line, ...moved }, "a payment moved the balance");
  }
}
