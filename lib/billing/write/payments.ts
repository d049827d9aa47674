import "server-only";

import type { Action } from "@/lib/audit/schema";
import { recordEvent } from "@/lib/audit/write";
import type { MemberContext } from "@/lib/auth/context";
import { query, type Session, transaction } from "@/lib/db/client";
import { asSystem } from "@/lib/db/tenant-context";
import { AppError } from "@/lib/errors";
import { toAppError } from "@/lib/http/error-response";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { centsToMicros } from "../checkout";
import { type Micros, microsToUsd } from "../money";
import { findCheckoutForSession, getCheckoutRow, type Owner, toCheckout } from "../read/checkout";
import type { CheckoutSession, CheckoutStatus } from "../schema";
import type { PaymentEvent, PaymentProvider, SessionFacts } from "../vendor/port";
import { findPaymentProvider, paymentProvider } from "../vendor/provider";
import { resetLowBalanceAlert } from "./low-balance";

/** The most ledger entries one call makes; the next call or sweep does the rest. */
const MAX_ENTRIES = 16;
/** A payer takes minutes and the event follows at once, so an older checkout may have lost its event. */
const STALE_SECONDS = 15 * 60;
/** Checkouts that one sweep reads back: each asks the provider. */
const CHECKOUTS_PER_SWEEP = 20;
const ACCOUNTS_PER_SWEEP = 100;

/** The changes of one synchronization, in micro-dollars. */
interface CheckoutSync extends Record<string, unknown> {
  status: CheckoutStatus;
  credited: Micros;
  debited: Micros;
  /** The part of a refund or dispute that the free balance did not cover. */
  outstanding: Micros;
}

/** Synchronizes the sessions an event is about, if any. Fails with internal_error, so that the provider sends it again. */
export async function receivePaymentEvent(event: PaymentEvent): Promise<{ received: true }> {
  try {
    const provider = paymentProvider();
    for (const sessionId of await sessionsOf(provider, event)) {
      await syncCheckoutSession(provider, sessionId, event);
    }
  } catch (thrown) {
    throw toAppError(
      thrown instanceof AppError ? (thrown.cause ?? new Error(thrown.message)) : thrown,
    );
  }
  return { received: true };
}

async function sessionsOf(provider: PaymentProvider, { about }: PaymentEvent): Promise<string[]> {
  if (!about) {
    return [];
  }
  return "sessionId" in about ? [about.sessionId] : provider.findSessions(about.paymentReference);
}

/**
 * One of the account's checkouts, synchronized and credited if it was paid: the return page doesn't depend on the
 * event arriving first. Returned as stored when the provider is unavailable. Throws not_found.
 */
export async function refreshCheckout(ctx: MemberContext, id: string): Promise<CheckoutSession> {
  const row = await getCheckoutRow(ctx, id);
  const provider = findPaymentProvider();
  const isPending = row.status === "open" || row.status === "processing";
  if (!isPending || !row.provider_id || provider?.name !== row.provider) {
    return toCheckout(row);
  }
  try {
    // As for an event, the provider decides which account is credited.
    const { provider_id } = row;
    await asSystem(() => syncCheckoutSession(provider, provider_id));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) {
      throw thrown;
    }
    log.warn({ err: thrown.cause, checkout: id }, "checkout sync failed");
    return toCheckout(row);
  }
  return toCheckout(await getCheckoutRow(ctx, id));
}

/**
 * Reads a session from the provider and writes its status, its credit and its refunds and disputes. Safe to call any
 * number of times, in any order. Returns null, and moves nothing, for a session of another deployment.
 */
export async function syncCheckoutSession(
  provider: PaymentProvider,
  sessionId: string,
  event?: PaymentEvent,
): Promise<CheckoutSync | null> {
  // Outside a transaction: the embedded database has one connection.
  const facts = await provider.readSession(sessionId);
  const owner = facts
    ? await findCheckoutForSession(provider, facts)
    : { refusal: "unknown session" };
  if (!facts || "refusal" in owner) {
    const fields = { session: sessionId, event: event?.id, event_type: event?.type, ...owner };
    log.info(fields, "ignoring payment that does not belong to this deployment");
    return null;
  }
  const { accountId, checkoutId } = owner;
  const result = await transaction(async (tx) => {
    const [row] = await tx.query<CheckoutSync>(
      "billing_sync_checkout",
      "SELECT status, credited, debited, outstanding FROM sync_checkout_session($1, $2, $3)",
      [checkoutId, JSON.stringify(toRecord(facts, event)), newEntryIds()],
    );
    if (!row) {
      throw new Error("the checkout was not synchronized");
    }
    await recordBalanceEvent(tx, { accountId, job: provider.name, targetId: checkoutId }, row);
    return row;
  });
  logMovement(facts, owner, result);
  if (result.credited !== 0n || result.debited !== 0n) {
    await resetLowBalanceAlert(accountId);
  }
  return result;
}

/** The input of sync_checkout_session. Amounts are text: they may exceed the integers of JSON. */
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
      reversals: payment.reversals.map(({ amount, isDebited, ...reversal }) => ({
        ...reversal,
        amount_micros: String(centsToMicros(amount)),
        is_debited: isDebited,
      })),
    },
  };
}

/** Made here, because a ledger's ids sort by time. */
export function newEntryIds(): string[] {
  return Array.from({ length: MAX_ENTRIES }, () => newId("ledgerEntry"));
}

function logMovement(facts: SessionFacts, owner: Owner, result: CheckoutSync): void {
  const fields = {
    account_id: owner.accountId,
    checkout: owner.checkoutId,
    payment: facts.payment?.reference,
  };
  if (facts.payment && facts.payment.amount !== owner.amount) {
    const amounts = { paid: facts.payment.amount, requested: owner.amount };
    log.warn({ ...fields, ...amounts }, "paid amount differs from the requested amount");
  }
  if (result.credited !== 0n || result.debited !== 0n) {
    const { credited, debited, outstanding } = result;
    const moved = { credited: `${credited}`, debited: `${debited}`, outstanding: `${outstanding}` };
    log.info({ ...fields, ...moved }, "payment moved the balance");
  }
}

/** Records the movement of an account's balance as an audit event, in the transaction that moved it. */
async function recordBalanceEvent(
  tx: Session,
  /** `job`: the provider, or `footnote`; the target: the checkout, or the account for several. */
  { accountId, job, targetId }: { accountId: string; job: string; targetId: string },
  { credited, debited }: { credited: Micros; debited: Micros },
): Promise<void> {
  const author = {
    account: { id: accountId },
    actor: { kind: "system", job },
    requestId: null,
  } as const;
  const movements: [Action, Micros][] = [
    ["funds.added", credited],
    ["funds.refunded", debited],
    ["funds.restored", -debited],
  ];
  for (const [action, micros] of movements) {
    if (micros > 0n) {
      const details = { amount_usd: microsToUsd(micros) };
      await recordEvent(tx, author, { action, target: { id: targetId }, details });
    }
  }
}

/** Does what no event triggers: reads back stale checkouts, and collects outstanding refunds and disputes from new funds. */
export async function sweepPayments(): Promise<{ read: number; collected: number }> {
  return { collected: await collectOutstanding(), read: await readStale() };
}

async function collectOutstanding(): Promise<number> {
  const accounts = await query<{ account_id: string }>(
    "billing_list_outstanding",
    `SELECT DISTINCT d.account_id FROM payment_reversal_total d JOIN account a ON a.id = d.account_id
      WHERE d.expected_micros < d.reversed_micros OR d.expected_micros > d.reversed_micros AND a.balance_micros > a.held_micros
      LIMIT $1`,
    [ACCOUNTS_PER_SWEEP],
  );
  for (const { account_id: accountId } of accounts) {
    await transaction(async (tx) => {
      const [row] = await tx.query<{ debited: Micros }>(
        "billing_collect_outstanding",
        "SELECT collect_outstanding($1, $2) AS debited",
        [accountId, newEntryIds()],
      );
      const source = { accountId, job: "footnote", targetId: accountId };
      await recordBalanceEvent(tx, source, { credited: 0n, debited: row?.debited ?? 0n });
    });
  }
  return accounts.length;
}

async function readStale(): Promise<number> {
  const provider = findPaymentProvider();
  if (!provider) {
    return 0;
  }
  // Marked before they are read: a failing one doesn't hold up the others, and concurrent sweeps claim different ones.
  const rows = await query<{ provider_id: string }>(
    "billing_claim_stale",
    `UPDATE checkout_session SET updated_at = now()
      WHERE id IN (SELECT id FROM checkout_session
                    WHERE status IN ('open', 'processing') AND provider = $1 AND provider_id IS NOT NULL
                      AND updated_at < now() - make_interval(secs => $2)
                    ORDER BY updated_at LIMIT $3 FOR UPDATE SKIP LOCKED)
      RETURNING provider_id`,
    [provider.name, STALE_SECONDS, CHECKOUTS_PER_SWEEP],
  );
  for (const { provider_id } of rows) {
    await syncCheckoutSession(provider, provider_id).catch((cause: unknown) =>
      log.warn({ err: cause, session: provider_id }, "checkout sync failed"),
    );
  }
  return rows.length;
}
