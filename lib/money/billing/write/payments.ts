import "server-only";

import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import type { Action } from "@/lib/platform/audit/schema";
import { recordEvent } from "@/lib/platform/audit/write";
import type { Context } from "@/lib/platform/auth/context";
import { query, type Session, transaction } from "@/lib/platform/db/client";
import { asSystem } from "@/lib/platform/db/tenant-context";
import { toAppError } from "@/lib/platform/http/error-response";
import { consume } from "@/lib/platform/http/rate-limit";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics";
import { processSingleton } from "@/lib/singleton";
import { centsToMicros } from "../checkout";
import { type Micros, microsToUsd } from "../money";
import {
  type CheckoutRow,
  findCheckoutForSession,
  getCheckoutRow,
  type Owner,
  type SessionRefusal,
  toCheckout,
} from "../read/checkout";
import type { CheckoutSession, CheckoutStatus } from "../schema";
import type { PaymentEvent, PaymentProvider, SessionFacts } from "../vendor/port";
import { findPaymentProvider, paymentProvider } from "../vendor/provider";
import { resetLowBalanceAlert } from "./low-balance";
import { mailReversal } from "./reversal-mail";

/** The most ledger entries one call makes; the next call or sweep does the rest. */
const MAX_ENTRIES = 16;
/** Reads of a checkout that ask the provider; beyond it, they return what is stored. */
const READS_PER_MINUTE = 30;
/** Of all accounts: a fraction of what the provider allows, which events and new checkouts need too. */
const ALL_READS_PER_MINUTE = 1200;

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

/** By checkout: concurrent reads of one share a request to the provider. */
const reads = processSingleton("checkout reads", () => new Map<string, Promise<unknown>>());

/**
 * One of the account's checkouts, synchronized and credited if it was paid: the return page doesn't depend on the
 * event arriving first. Returned as stored when the provider is unavailable or was asked often enough. Throws not_found.
 */
export async function refreshCheckout(ctx: Context, id: string): Promise<CheckoutSession> {
  const row = await getCheckoutRow(ctx, id);
  const provider = findPaymentProvider();
  const isPending = row.status === "open" || row.status === "processing";
  if (!isPending || !row.provider_id || provider?.name !== row.provider) {
    return toCheckout(row);
  }
  try {
    await readOnce(provider, { ...row, provider_id: row.provider_id });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) {
      throw thrown;
    }
    log.warn({ err: thrown.cause, checkout: id }, "checkout sync failed");
    return toCheckout(row);
  }
  return toCheckout(await getCheckoutRow(ctx, id));
}

async function readOnce(
  provider: PaymentProvider,
  { id, account_id, provider_id }: Pick<CheckoutRow, "id" | "account_id"> & { provider_id: string },
): Promise<void> {
  if (reads.has(id)) {
    await reads.get(id);
    return;
  }
  const mine = await consume(`checkout_read:${account_id}`, 1, READS_PER_MINUTE);
  const all = mine.isExceeded ? mine : await consume("checkout_read", 1, ALL_READS_PER_MINUTE);
  if (all.isExceeded) {
    return;
  }
  // As for an event, the provider decides which account is credited.
  const reading = asSystem(() => syncCheckoutSession(provider, provider_id));
  reads.set(id, reading);
  await reading.finally(() => reads.delete(id));
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
  if (!facts) {
    await endUnknownSession(provider, sessionId);
    return null;
  }
  const owner = await findCheckoutForSession(provider, facts);
  if ("refusal" in owner) {
    reportRefusal(facts, owner, event);
    return null;
  }
  const { accountId, checkoutId } = owner;
  const result = await transaction(async (tx) => {
    const before = await readOutstanding(tx, accountId);
    const [row] = await tx.query<CheckoutSync>(
      "billing_sync_checkout",
      "SELECT status, credited, debited, outstanding FROM sync_checkout_session($1, $2, $3)",
      [checkoutId, JSON.stringify(toRecord(facts, event)), newEntryIds()],
    );
    if (!row) {
      throw new Error("the checkout was not synchronized");
    }
    await recordBalanceEvent(tx, { accountId, job: provider.name, targetId: checkoutId }, row);
    return { ...row, isReversed: row.debited > 0n || row.outstanding > before };
  });
  logMovement(facts, owner, result);
  if (result.credited !== 0n || result.debited !== 0n) {
    await resetLowBalanceAlert(accountId);
  }
  if (result.isReversed) {
    // Not awaited: a mail server may take longer than the provider waits.
    void mailReversal(accountId, facts, result.debited);
  }
  return result;
}

/** Locks the account first, in a statement of its own: of concurrent synchronizations, only one sees the change. */
async function readOutstanding(tx: Session, accountId: string): Promise<Micros> {
  await tx.query("billing_lock_account", "SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [
    accountId,
  ]);
  const [row] = await tx.query<{ amount: Micros }>(
    "billing_outstanding_before",
    `SELECT coalesce(sum(expected_micros - reversed_micros), 0)::bigint AS amount
       FROM payment_reversal_total WHERE account_id = $1 AND expected_micros > reversed_micros`,
    [accountId],
  );
  return row?.amount ?? 0n;
}

/** One that the provider doesn't know can't be paid. A later reading under the right key would still credit it. */
async function endUnknownSession(provider: PaymentProvider, sessionId: string): Promise<void> {
  const rows = await query<{ id: string }>(
    "billing_end_unknown",
    `UPDATE checkout_session SET status = 'expired', updated_at = now()
      WHERE provider = $1 AND provider_id = $2 AND status IN ('open', 'processing')
        AND expires_at < now() - CASE status WHEN 'open' THEN interval '0' ELSE interval '30 days' END
      RETURNING id`,
    [provider.name, sessionId],
  );
  const fields = { session: sessionId, expired: rows[0]?.id };
  log.info(fields, "ignoring session that the payment provider does not know");
}

/** Money was taken for one of our checkouts but can't be credited: somebody has to look at it. */
function reportRefusal(
  facts: SessionFacts,
  owner: SessionRefusal,
  event: PaymentEvent | undefined,
): void {
  const { refusal, checkoutId } = owner;
  const fields = { session: facts.id, event: event?.id, event_type: event?.type, refusal };
  if (checkoutId === null || facts.status !== "paid") {
    log.info(fields, "ignoring payment that does not belong to this deployment");
    return;
  }
  const payment = { checkout: checkoutId, payment: facts.payment?.reference };
  log.error({ ...fields, ...payment }, "paid checkout was not credited: refund it or correct it");
  metrics()?.refusedPayments.add(1, { reason: refusal });
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
export async function recordBalanceEvent(
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
