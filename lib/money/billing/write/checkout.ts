import "server-only";

import { createHash } from "node:crypto";
import { AppError, conflict, invalidRequest } from "@/lib/errors";
import { newId } from "@/lib/id";
import { recordEvent } from "@/lib/platform/audit/write";
import type { Context } from "@/lib/platform/auth/context";
import { accountPurge } from "@/lib/platform/db/account-purge";
import { db, query, transaction } from "@/lib/platform/db/client";
import { env, isProduction } from "@/lib/platform/env";
import { consume, rejectWhenExceeded } from "@/lib/platform/http/rate-limit";
import { processSingleton } from "@/lib/singleton";
import { CHECKOUT_CURRENCY, centsToMicros, isLoopback, isReturnUrl } from "../checkout";
import { microsToUsd } from "../money";
import { CHECKOUT_COLUMNS, type CheckoutRow, toCheckout } from "../read/checkout";
import type { CheckoutSession, CreateCheckout } from "../schema";
import type { PaymentProvider } from "../vendor/port";
import { paymentProvider } from "../vendor/provider";

/** Each asks the provider. */
const CHECKOUTS_PER_MINUTE = 30;
/** The provider remembers an idempotency key for a day; after that, a retry could open a second checkout. */
const RETRY_SECONDS = 23 * 60 * 60;

/**
 * Opens a checkout that adds funds. The same idempotency key and input return the same one, even after a partial failure.
 * Throws invalid_request, idempotency_conflict, conflict, rate_limit_exceeded, upstream_error or upstream_timeout.
 */
export async function createCheckout(
  ctx: Context,
  input: CreateCheckout & { idempotencyKey: string | null },
): Promise<CheckoutSession> {
  checkReturnUrls(input);
  const provider = paymentProvider();
  await limitCheckouts(ctx.account.id);
  const requestHash = hashOf(input);
  const row = await insertOrFind(ctx, provider, { ...input, requestHash });
  if (row.request_hash !== requestHash) {
    throw new AppError(
      "idempotency_conflict",
      "This Idempotency-Key was already used with a different body. Send the same body again, or use another key.",
      { param: "idempotency-key" },
    );
  }
  return toCheckout(row.url ? row : await openOnce(ctx, provider, row));
}

function checkReturnUrls(input: CreateCheckout): void {
  // A local installation may use local addresses, even in production.
  const mayBeLocal = !isProduction || isLoopback(env.APP_URL);
  for (const param of ["success_url", "cancel_url"] as const) {
    const url = input[param];
    if (url !== undefined && !isReturnUrl(url, { mayBeLocal })) {
      throw invalidRequest(
        `'${param}' isn't a valid return URL. Use a complete https URL without a user name or password.`,
        param,
      );
    }
  }
}

async function limitCheckouts(accountId: string): Promise<void> {
  const state = await consume(`checkout:${accountId}`, 1, CHECKOUTS_PER_MINUTE);
  rejectWhenExceeded(state, "Too many checkouts were opened for this account just now.");
}

/** Of the caller's input alone, so that a changed default does not look like another request. */
function hashOf({ amount, success_url, cancel_url }: CreateCheckout): string {
  const text = JSON.stringify([amount, success_url ?? null, cancel_url ?? null]);
  return createHash("sha256").update(text).digest("hex");
}

/** The row comes first, so that we know of every session at the provider. */
async function insertOrFind(
  ctx: Context,
  provider: PaymentProvider,
  input: CreateCheckout & { idempotencyKey: string | null; requestHash: string },
): Promise<CheckoutRow> {
  const id = newId("checkout");
  const back = new URL(`/billing?checkout=${id}`, env.APP_URL).href;
  const [row] = await query<CheckoutRow>(
    "billing_insert_checkout",
    `INSERT INTO checkout_session (id, account_id, provider, amount, currency, success_url, cancel_url,
                                   receipt_email, idempotency_key, request_hash, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11))
     ON CONFLICT (account_id, idempotency_key) DO NOTHING RETURNING ${CHECKOUT_COLUMNS}`,
    [
      id,
      ctx.account.id,
      provider.name,
      input.amount,
      CHECKOUT_CURRENCY,
      input.success_url ?? back,
      input.cancel_url ?? `${back}&cancelled=1`,
      await receiptEmail(ctx),
      input.idempotencyKey,
      input.requestHash,
      RETRY_SECONDS,
    ],
  );
  if (row) {
    return row;
  }
  const [known] = await query<CheckoutRow>(
    "billing_checkout_by_key",
    `SELECT ${CHECKOUT_COLUMNS} FROM checkout_session WHERE account_id = $1 AND idempotency_key = $2`,
    [ctx.account.id, input.idempotencyKey],
  );
  if (!known) {
    throw new Error("a checkout was neither inserted nor found");
  }
  return known;
}

/** The member's; for a key, that of the account's first member. */
async function receiptEmail({ account, actor }: Context): Promise<string | null> {
  if (actor.kind === "member") {
    return actor.email;
  }
  const owner = await db().member.findFirst({
    where: { accountId: account.id },
    orderBy: { id: "asc" },
    select: { email: true },
  });
  return owner?.email ?? null;
}

/** By checkout: parallel requests with one Idempotency-Key wait for the first. */
const openings = processSingleton(
  "checkout openings",
  () => new Map<string, Promise<CheckoutRow>>(),
);

function openOnce(ctx: Context, provider: PaymentProvider, row: CheckoutRow): Promise<CheckoutRow> {
  const opening =
    openings.get(row.id) ?? open(ctx, provider, row).finally(() => openings.delete(row.id));
  openings.set(row.id, opening);
  return opening;
}

async function open(
  ctx: Context,
  provider: PaymentProvider,
  row: CheckoutRow,
): Promise<CheckoutRow> {
  if (row.provider !== provider.name || row.expires_at.getTime() <= Date.now()) {
    throw conflict(
      "The first request with this Idempotency-Key never reached the payment provider and is now too old to resume. Send it again with another key.",
      "idempotency-key",
    );
  }
  const order = await withCustomer(ctx, provider, row);
  const session = await provider.openSession(order);
  if (session.isCustomerUnknown) {
    await forgetCustomer(ctx.account.id, order.customer_id);
  }
  return storeOpened(ctx, order, session);
}

/** The same customer for every attempt at an order. */
async function withCustomer(
  ctx: Context,
  provider: PaymentProvider,
  row: CheckoutRow,
): Promise<CheckoutRow> {
  if (row.customer_id) {
    return row;
  }
  const [changed] = await query<CheckoutRow>(
    "billing_set_customer",
    `UPDATE checkout_session SET customer_id = coalesce(customer_id, $2) WHERE id = $1 RETURNING ${CHECKOUT_COLUMNS}`,
    [row.id, await ensureCustomer(ctx, provider)],
  );
  return changed ?? row;
}

function storeOpened(
  ctx: Context,
  row: CheckoutRow,
  session: { id: string; url: string; expiresAt: Date },
): Promise<CheckoutRow> {
  return transaction(async (tx) => {
    // Of concurrent requests with one Idempotency-Key, the first starts the checkout.
    const [before] = await tx.query<{ provider_id: string | null }>(
      "billing_lock_checkout",
      "SELECT provider_id FROM checkout_session WHERE id = $1 FOR UPDATE",
      [row.id],
    );
    const [opened] = await tx.query<CheckoutRow>(
      "billing_open_checkout",
      `UPDATE checkout_session
          SET provider_id = coalesce(provider_id, $2), url = $3, expires_at = $4, updated_at = now()
        WHERE id = $1 RETURNING ${CHECKOUT_COLUMNS}`,
      [row.id, session.id, session.url, session.expiresAt],
    );
    if (!opened) {
      throw new Error("an opened checkout has disappeared");
    }
    if (!before?.provider_id) {
      const amount_usd = microsToUsd(centsToMicros(row.amount));
      await recordEvent(tx, ctx, {
        action: "checkout.started",
        target: { id: row.id },
        details: { amount_usd },
      });
    }
    return opened;
  });
}

/** Payments stay; only the addresses that receipts and invoices went to are removed. */
export const purgeAccountReceipts = accountPurge({
  billing_purge_receipts:
    "UPDATE checkout_session SET receipt_email = NULL WHERE account_id = $1 AND receipt_email IS NOT NULL",
  billing_purge_customer: "DELETE FROM payment_customer WHERE account_id = $1",
});

/** The account's customer at the provider, with its first owner's address; null when the provider has none. */
async function ensureCustomer(
  { account }: Context,
  provider: PaymentProvider,
): Promise<string | null> {
  const [known] = await query<{ provider_id: string; email: string | null }>(
    "billing_get_customer",
    "SELECT provider_id, email FROM payment_customer WHERE account_id = $1 AND provider = $2",
    [account.id, provider.name],
  );
  const owner = await db().member.findFirst({
    where: { accountId: account.id, role: "owner" },
    orderBy: { id: "asc" },
    select: { email: true },
  });
  const email = owner?.email ?? null;
  if (known && known.email === email) {
    return known.provider_id;
  }
  const id = known?.provider_id ?? null;
  const saved = await provider.saveCustomer({ id, accountId: account.id, email });
  if (saved) {
    await query(
      "billing_save_customer",
      `INSERT INTO payment_customer (account_id, provider, provider_id, email) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, provider) DO UPDATE SET provider_id = excluded.provider_id, email = excluded.email`,
      [account.id, provider.name, saved, email],
    );
  }
  return saved;
}

/** After the provider lost it, or another of its accounts is used: the next checkout makes a new one. */
async function forgetCustomer(accountId: string, providerId: string | null): Promise<void> {
  await query(
    "billing_forget_customer",
    "DELETE FROM payment_customer WHERE account_id = $1 AND provider_id = $2",
    [accountId, providerId],
  );
}
