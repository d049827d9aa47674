import { describe, expect, it } from "vitest";
import { sweepPayments } from "@/lib/money/billing/write/payment-sweep";
import { db, query } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, readMoney } from "@/lib/testing/factories";
import { browserOf, paymentEntries, startFakeStripe } from "@/lib/testing/payments";

const PATH = "/api/billing/checkout-sessions";

/** A member with an open checkout of 25 dollars. */
async function begin() {
  const stripe = await startFakeStripe({ retries: 0 });
  const { ctx, id: accountId, email } = await makeAccount();
  const headers = await browserOf(ctx);
  const { json } = await call("POST", PATH, { body: { amount: 2500 }, headers });
  const { providerId } = await db().checkoutSession.findUniqueOrThrow({ where: { id: json.id } });
  const look = async () => (await call("GET", `${PATH}/${json.id}`, { headers })).json;
  return { stripe, accountId, email, headers, id: json.id, sessionId: providerId ?? "", look };
}

describe("the console's endpoints to checkouts", () => {
  it("open one for the member, with a receipt to them", async () => {
    const { stripe, email, look } = await begin();
    expect(stripe.seen.at(-1)?.params).toMatchObject({
      payment_intent_data: { receipt_email: email },
    });
    expect(await look()).toMatchObject({ status: "open", amount: 2500 });
  });

  it("credits a payment when the payer returns before the webhook event", async () => {
    const { stripe, accountId, sessionId, look } = await begin();
    stripe.pay(sessionId);
    expect(await look()).toMatchObject({ status: "paid" });
    expect(await look()).toMatchObject({ status: "paid" });
    expect(await paymentEntries(accountId)).toEqual([["top_up", 2500]]);
    expect((await readMoney(accountId)).balance).toBe(30_000_000n);
  });

  it("returns the stored status while Stripe is unavailable", async () => {
    const { stripe, accountId, sessionId, look } = await begin();
    stripe.pay(sessionId);
    stripe.fail(9);
    expect(await look()).toMatchObject({ status: "open" });
    stripe.recover();
    expect(await look()).toMatchObject({ status: "paid" });
    expect(await paymentEntries(accountId)).toEqual([["top_up", 2500]]);
  });

  it("asks Stripe only so often, and then returns the stored status", async () => {
    const { stripe, look } = await begin();
    const seen = stripe.seen.length;
    for (let reads = 0; reads < 40; reads += 1) {
      expect(await look()).toMatchObject({ status: "open" });
    }
    expect(stripe.seen.length - seen).toBe(30);
  });

  it("asks Stripe once for concurrent reads", async () => {
    const { stripe, look } = await begin();
    const seen = stripe.seen.length;
    await Promise.all(Array.from({ length: 10 }, look));
    expect(stripe.seen.length - seen).toBeLessThan(10);
  });

  it("expires a checkout whose session Stripe doesn't know, once its time is over", async () => {
    const { stripe, id, look } = await begin();
    stripe.sessions.clear();
    expect(await look()).toMatchObject({ status: "open" });
    await db().checkoutSession.update({ where: { id }, data: { expiresAt: new Date(0) } });
    expect(await look()).toMatchObject({ status: "expired" });
  });

  it("eventually reports a checkout that never reached Stripe as expired", async () => {
    const { id, look } = await begin();
    await db().checkoutSession.update({
      where: { id },
      data: { providerId: null, url: null, expiresAt: new Date(0) },
    });
    expect(await look()).toMatchObject({ status: "expired" });
  });

  it("answers 404 for another account's checkout without querying Stripe", async () => {
    const { stripe, id, sessionId, accountId } = await begin();
    stripe.pay(sessionId);
    const seen = stripe.seen.length;
    const outsider = await makeAccount();
    const { status, json } = await call("GET", `${PATH}/${id}`, {
      headers: await browserOf(outsider.ctx),
    });
    expect([status, json.error.code, stripe.seen.length]).toEqual([404, "not_found", seen]);
    expect(await paymentEntries(accountId)).toEqual([]);
  });

  it("answers 401 without a session and rejects cross-site requests", async () => {
    const { stripe, accountId, headers, id } = await begin();
    expect((await call("GET", `${PATH}/${id}`)).status).toBe(401);
    expect((await call("POST", PATH, { body: { amount: 2500 } })).status).toBe(401);
    const { status, json } = await call("POST", PATH, {
      body: { amount: 2500 },
      headers: { ...headers, origin: "https://evil.example" },
    });
    expect([status, json.error.code]).toEqual([403, "insufficient_scope"]);
    expect([
      await db().checkoutSession.count({ where: { accountId } }),
      stripe.sessions.size,
    ]).toEqual([1, 1]);
  });

  it("rejects what the API rejects", async () => {
    const { headers } = await begin();
    const { status, json } = await call("POST", PATH, { body: { amount: "2500" }, headers });
    expect([status, json.error.param]).toEqual([400, "amount"]);
  });

  it("credits a payment without any event, through the reconciliation job", async () => {
    const { stripe, accountId, sessionId } = await begin();
    stripe.pay(sessionId);
    await sweepPayments();
    expect(await paymentEntries(accountId)).toEqual([]);
    await query(
      "test_age_checkout",
      "UPDATE checkout_session SET updated_at = now() - interval '1 hour' WHERE account_id = $1",
      [accountId],
    );
    expect((await sweepPayments()).read).toBeGreaterThanOrEqual(1);
    expect(await paymentEntries(accountId)).toEqual([["top_up", 2500]]);
  });
});
