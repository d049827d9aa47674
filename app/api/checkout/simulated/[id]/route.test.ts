import { describe, expect, it } from "vitest";
import { findSimulatedCheckout } from "@/lib/money/billing/read/checkout";
import type { SimulatedAction } from "@/lib/money/billing/schema";
import { paymentProvider } from "@/lib/money/billing/vendor/provider";
import { db, query } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { breakableDatabase } from "@/lib/testing/database-failure";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { deliver, openCheckout, paymentEntries, startFakeStripe } from "@/lib/testing/payments";

/** An account with an open simulated checkout of 25 dollars. */
async function begin() {
  const account = await makeKeyedAccount();
  const { id, sessionId } = await openCheckout(account.key);
  const act = (action: SimulatedAction | string, headers: Record<string, string> = {}) =>
    call("POST", `/api/checkout/simulated/${sessionId}`, { body: { action }, headers });
  const entries = () => paymentEntries(account.id);
  const status = async () =>
    (await db().checkoutSession.findUniqueOrThrow({ where: { id } })).status;
  return { ...account, accountId: account.id, checkoutId: id, sessionId, act, entries, status };
}

describe("the simulated checkout", () => {
  it("is hosted by this server and shows the order", async () => {
    const { checkoutId, sessionId } = await begin();
    const { url } = await db().checkoutSession.findUniqueOrThrow({ where: { id: checkoutId } });
    expect(url).toBe(`http://localhost:3000/checkout/simulated/${sessionId}`);
    const back = `http://localhost:3000/billing?checkout=${checkoutId}`;
    expect(await findSimulatedCheckout(sessionId)).toMatchObject({
      id: sessionId,
      amount: 2500,
      currency: "usd",
      status: "open",
      paymentStatus: "unpaid",
      successUrl: back,
      cancelUrl: `${back}&cancelled=1`,
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(await findSimulatedCheckout("cs_simulated_none")).toBeNull();
  });

  it("pays once, however often it is submitted", async () => {
    const { act, entries, accountId, sessionId, checkoutId, status } = await begin();
    const paid = await act("pay");
    expect([paid.status, paid.json]).toEqual([
      200,
      {
        object: "simulated_checkout",
        id: sessionId,
        status: "paid",
        payment_status: "paid",
        return_url: `http://localhost:3000/billing?checkout=${checkoutId}`,
        declined: false,
      },
    ]);
    expect((await act("pay")).status).toBe(200);
    expect([await entries(), await status()]).toEqual([[["top_up", 2500]], "paid"]);
    expect((await readMoney(accountId)).balance).toBe(30_000_000n);
  });

  it("stays open when the payment is declined", async () => {
    const { act, entries, status } = await begin();
    expect((await act("decline")).json).toMatchObject({ status: "open", declined: true });
    expect([await entries(), await status()]).toEqual([[], "open"]);
    await act("pay");
    expect(await entries()).toEqual([["top_up", 2500]]);
    expect((await act("decline")).status).toBe(409);
  });

  it("pays later, and then settles or fails", async () => {
    const settling = await begin();
    expect((await settling.act("settle")).status).toBe(409);
    expect((await settling.act("pay_later")).json).toMatchObject({
      status: "processing",
      payment_status: "unpaid",
    });
    expect([await settling.entries(), await settling.status()]).toEqual([[], "processing"]);
    await settling.act("settle");
    expect([await settling.entries(), await settling.status()]).toEqual([
      [["top_up", 2500]],
      "paid",
    ]);
    const failing = await begin();
    await failing.act("pay_later");
    await failing.act("fail");
    expect([await failing.entries(), await failing.status()]).toEqual([[], "failed"]);
    expect((await failing.act("settle")).status).toBe(409);
  });

  it("expires by hand or by time, and then accepts no payment", async () => {
    const byHand = await begin();
    await byHand.act("expire");
    expect(await byHand.status()).toBe("expired");
    const byTime = await begin();
    await query(
      "test_expire_simulated",
      "UPDATE simulated_checkout SET expires_at = now() - interval '1 second' WHERE id = $1",
      [byTime.sessionId],
    );
    for (const { act, entries } of [byHand, byTime]) {
      const { status, json } = await act("pay");
      expect([status, json.error.code, json.error.param]).toEqual([409, "conflict", "action"]);
      expect(await entries()).toEqual([]);
    }
    expect(await findSimulatedCheckout(byTime.sessionId)).toMatchObject({ status: "expired" });
  });

  it("delivers webhook events: a failed delivery is a 500, and repeating the payment retries it", async () => {
    const database = await breakableDatabase();
    const { act, entries, accountId } = await begin();
    await database.arm(accountId, "commit");
    expect((await act("pay")).status).toBe(500);
    await database.disarm();
    expect((await act("pay")).status).toBe(200);
    expect(await entries()).toEqual([["top_up", 2500]]);
  });

  it("signs its events, and the webhook accepts no others", async () => {
    const { sessionId, entries } = await begin();
    await query(
      "test_pay_simulated",
      "UPDATE simulated_checkout SET state = 'paid' WHERE id = $1",
      [sessionId],
    );
    const raw = JSON.stringify({
      id: "evt_forged",
      type: "checkout.session.completed",
      data: { object: { id: sessionId } },
    });
    const forged = await deliver({ raw, headers: { "stripe-signature": "t=1,v1=00" } });
    expect([forged.status, await entries()]).toEqual([400, []]);
    expect(paymentProvider().name).toBe("simulated");
  });

  it("rejects unknown actions, unknown checkouts and cross-site requests", async () => {
    const { act, entries } = await begin();
    const unknown = await act("refund");
    expect([unknown.status, unknown.json.error.param]).toEqual([400, "action"]);
    const path = "/api/checkout/simulated/cs_simulated_none";
    expect((await call("POST", path, { body: { action: "pay" } })).status).toBe(404);
    expect((await act("pay", { origin: "https://evil.example" })).status).toBe(403);
    expect(await entries()).toEqual([]);
  });

  it("doesn't exist when Stripe is configured", async () => {
    const { act, entries, sessionId } = await begin();
    await startFakeStripe();
    expect((await act("pay")).status).toBe(404);
    expect(await findSimulatedCheckout(sessionId)).toBeNull();
    expect(await entries()).toEqual([]);
  });
});
