import { describe, expect, it, vi } from "vitest";
import { audit } from "@/lib/money/billing/read/audit";
import { placeHold } from "@/lib/money/billing/write/hold";
import { sweepPayments } from "@/lib/money/billing/write/payment-sweep";
import { db } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { call } from "@/lib/testing/api";
import {
  keyContext,
  makeAccount,
  makeKeyedAccount,
  readMoney,
  setBalance,
} from "@/lib/testing/factories";
import { startMailbox } from "@/lib/testing/mailbox";
import { deliver, openCheckout, paymentEntries, startFakeStripe } from "@/lib/testing/payments";

/** An account with an open checkout of 25 dollars, and the fake Stripe behind it. */
async function begin(amount = 2500) {
  const stripe = await startFakeStripe();
  const account = await makeKeyedAccount();
  await setBalance(account.id, 0);
  const checkout = await openCheckout(account.key, amount);
  const sendEvent = (type: string, object: object) => deliver(stripe.event(type, object));
  const pay = async () => {
    const payment = stripe.pay(checkout.sessionId);
    await sendEvent("checkout.session.completed", { id: checkout.sessionId });
    return payment;
  };
  const entries = () => paymentEntries(account.id);
  return { stripe, ...account, ...checkout, accountId: account.id, sendEvent, pay, entries };
}

async function statusOf(id: string): Promise<string> {
  return (await db().checkoutSession.findUniqueOrThrow({ where: { id } })).status;
}

/** In cents. Also checks that the ledger sums to the balance. */
async function balanceOf(accountId: string): Promise<number> {
  const { balance, ledgerSum } = await readMoney(accountId);
  expect(ledgerSum).toBe(balance);
  return Number(balance) / 10_000;
}

describe("POST /api/webhooks/stripe", () => {
  it("credits a paid checkout once, however often its event arrives, and stores the event", async () => {
    const { stripe, sessionId, id, accountId, entries } = await begin();
    stripe.pay(sessionId);
    const event = stripe.event("checkout.session.completed", { id: sessionId });
    for (let times = 0; times < 3; times += 1) {
      const { status, json } = await deliver(event);
      expect([status, json]).toEqual([200, { received: true }]);
    }
    expect(await entries()).toEqual([["top_up", 2500]]);
    expect([await balanceOf(accountId), await statusOf(id)]).toEqual([2500, "paid"]);
    expect(await db().paymentEvent.count({ where: { checkoutSessionId: id } })).toBe(1);
  });

  it("credits once when the event arrives ten times concurrently", async () => {
    const { stripe, sessionId, accountId, entries } = await begin();
    stripe.pay(sessionId);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        deliver(stripe.event("checkout.session.completed", { id: sessionId })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await entries()).toEqual([["top_up", 2500]]);
    expect(await balanceOf(accountId)).toBe(2500);
  });

  it("believes Stripe's session and not the event's", async () => {
    const { stripe, sessionId, id, sendEvent, entries } = await begin();
    const lie = { id: sessionId, payment_status: "paid", amount_total: 999_999 };
    expect((await sendEvent("checkout.session.completed", lie)).status).toBe(200);
    expect([await entries(), await statusOf(id)]).toEqual([[], "open"]);
    stripe.expire(sessionId);
    await sendEvent("checkout.session.expired", { id: sessionId });
    expect(await statusOf(id)).toBe("expired");
  });

  it("waits for a payment that takes days, and credits it when it succeeds", async () => {
    const { stripe, sessionId, id, sendEvent, entries } = await begin();
    stripe.payLater(sessionId);
    await sendEvent("checkout.session.completed", { id: sessionId });
    expect([await entries(), await statusOf(id)]).toEqual([[], "processing"]);
    stripe.settle(sessionId);
    await sendEvent("checkout.session.async_payment_succeeded", { id: sessionId });
    expect([await entries(), await statusOf(id)]).toEqual([[["top_up", 2500]], "paid"]);
  });

  it("credits nothing when such a payment fails", async () => {
    const { stripe, sessionId, id, sendEvent, entries } = await begin();
    stripe.payLater(sessionId);
    stripe.decline(sessionId);
    await sendEvent("checkout.session.async_payment_failed", { id: sessionId });
    expect([await entries(), await statusOf(id)]).toEqual([[], "failed"]);
  });

  it("debits refunds, and gives back one that fails", async () => {
    const { stripe, pay, sendEvent, entries, accountId } = await begin();
    const payment = await pay();
    const refund = stripe.refund(payment, 1000, "pending");
    await sendEvent("charge.refunded", { id: "ch_1", payment_intent: payment });
    refund.status = "succeeded";
    await sendEvent("refund.updated", { id: refund.id, payment_intent: payment });
    expect(await balanceOf(accountId)).toBe(1500);
    refund.status = "failed";
    await sendEvent("refund.failed", { id: refund.id, payment_intent: payment });
    expect(await entries()).toEqual([
      ["top_up", 2500],
      ["refund", -1000],
      ["refund", 1000],
    ]);
    expect(await balanceOf(accountId)).toBe(2500);
  });

  it("debits a dispute while it is open, keeps it when it is lost, and gives it back when it is won", async () => {
    const { stripe, pay, sendEvent, accountId, entries } = await begin();
    const payment = await pay();
    const dispute = stripe.dispute(payment, 2500);
    await sendEvent("charge.dispute.created", { id: dispute.id, payment_intent: payment });
    expect(await balanceOf(accountId)).toBe(0);
    stripe.closeDispute(dispute.id, "lost");
    await sendEvent("charge.dispute.closed", { id: dispute.id, payment_intent: payment });
    expect(await balanceOf(accountId)).toBe(0);
    // After an appeal.
    stripe.closeDispute(dispute.id, "won");
    await sendEvent("charge.dispute.funds_reinstated", { id: dispute.id, payment_intent: payment });
    expect(await entries()).toEqual([
      ["top_up", 2500],
      ["refund", -2500],
      ["refund", 2500],
    ]);
  });

  it("leaves the money while a dispute is but an inquiry", async () => {
    const { stripe, pay, sendEvent, accountId } = await begin();
    const payment = await pay();
    const dispute = stripe.dispute(payment, 2500, "warning_needs_response");
    await sendEvent("charge.dispute.created", { id: dispute.id, payment_intent: payment });
    expect(await balanceOf(accountId)).toBe(2500);
    dispute.status = "needs_response";
    stripe.withdraw(dispute.id);
    await sendEvent("charge.dispute.updated", { id: dispute.id, payment_intent: payment });
    expect(await balanceOf(accountId)).toBe(0);
  });

  it("debits a prevented dispute that took the money, and leaves one that took none", async () => {
    const { stripe, pay, sendEvent, accountId } = await begin();
    const payment = await pay();
    const dispute = stripe.dispute(payment, 2500, "warning_needs_response");
    dispute.status = "prevented";
    await sendEvent("charge.dispute.created", { id: dispute.id, payment_intent: payment });
    expect(await balanceOf(accountId)).toBe(2500);
    stripe.withdraw(dispute.id);
    await sendEvent("charge.dispute.closed", { id: dispute.id, payment_intent: payment });
    expect(await balanceOf(accountId)).toBe(0);
  });

  it("names refunds and disputes apart in the ledger", async () => {
    const { stripe, pay, sendEvent, accountId } = await begin();
    const payment = await pay();
    const about = { id: "any", payment_intent: payment };
    const refund = stripe.refund(payment, 1000);
    const dispute = stripe.dispute(payment, 1500);
    await sendEvent("charge.dispute.created", about);
    refund.status = "failed";
    stripe.closeDispute(dispute.id, "won");
    await sendEvent("charge.dispute.closed", about);
    const entries = await db().ledgerEntry.findMany({
      where: { accountId, kind: "refund" },
      orderBy: { id: "asc" },
    });
    expect(entries.map((one) => [one.description, Number(one.amountMicros) / 10_000])).toEqual([
      ["Payment disputed", -1500],
      ["Payment refunded", -1000],
      ["Dispute won", 1500],
      ["Refund failed", 1000],
    ]);
    expect((await audit({ accountId }, () => {})).differences).toBe(0);
  });

  it("emails the owners about a refund and a dispute, once each, with what they owe", async () => {
    const mails = await startMailbox();
    const { stripe, pay, sendEvent, accountId, email } = await begin();
    const about = { id: "any", payment_intent: await pay() };
    stripe.refund(about.payment_intent, 1000);
    await sendEvent("charge.refunded", about);
    await vi.waitFor(() => expect(mails.length).toBe(1));
    await sendEvent("refund.updated", about);
    await setBalance(accountId, 0);
    stripe.dispute(about.payment_intent, 1500);
    await sendEvent("charge.dispute.created", about);
    await vi.waitFor(() => expect(mails.length).toBe(2));
    expect(mails).toMatchObject([
      { to: email, subject: "A Footnote payment was refunded" },
      { to: email, subject: "A Footnote payment was disputed" },
    ]);
    expect(mails[0]?.text).toContain("$10.00 was taken from your balance");
    expect(mails[1]?.text).toContain("You owe $15.00 for a disputed payment");
  });

  it("shows what an account owes, and why", async () => {
    const { stripe, pay, sendEvent, accountId, key } = await begin();
    const owed = async () => {
      const { json } = await call("GET", "/v1/billing/credits", { key });
      return [json.outstanding_usd, json.outstanding_reason];
    };
    const payment = await pay();
    expect(await owed()).toEqual(["0.000000", null]);
    await setBalance(accountId, 0);
    stripe.refund(payment, 1000);
    await sendEvent("charge.refunded", { id: "ch_1", payment_intent: payment });
    expect(await owed()).toEqual(["10.000000", "refund"]);
    const dispute = stripe.dispute(payment, 500);
    await sendEvent("charge.dispute.created", { id: dispute.id, payment_intent: payment });
    expect(await owed()).toEqual(["15.000000", "refund_and_dispute"]);
  });

  it("never debits more than was paid, by refund and dispute together", async () => {
    const { stripe, pay, sendEvent, accountId } = await begin();
    const payment = await pay();
    await setBalance(accountId, 100);
    stripe.refund(payment, 2000);
    stripe.dispute(payment, 2500);
    await sendEvent("charge.dispute.funds_withdrawn", { id: "dp_1", payment_intent: payment });
    expect(await balanceOf(accountId)).toBe(7500);
  });

  it("takes what the free balance has, leaves holds alone, and collects the rest from the next funds", async () => {
    const { stripe, pay, sendEvent, accountId, ctx, keyId, key } = await begin();
    const payment = await pay();
    await setBalance(accountId, 15);
    await placeHold(keyContext(ctx, { id: keyId }), 10_000_000n);
    stripe.refund(payment, 2500);
    await sendEvent("charge.refunded", { id: "ch_1", payment_intent: payment });
    expect(await readMoney(accountId)).toMatchObject({ balance: 10_000_000n, held: 10_000_000n });
    const next = await openCheckout(key, 1500);
    stripe.pay(next.sessionId);
    await sendEvent("checkout.session.completed", { id: next.sessionId });
    expect(await balanceOf(accountId)).toBe(1000);
    // The rest is collected from any later funds.
    await setBalance(accountId, 30);
    await sweepPayments();
    expect(await balanceOf(accountId)).toBe(2500);
    await sweepPayments();
    expect(await balanceOf(accountId)).toBe(2500);
  });

  it("finds a checkout whose session's id was lost with its process", async () => {
    const { stripe, sessionId, id, sendEvent, entries } = await begin();
    await db().checkoutSession.update({ where: { id }, data: { providerId: null, url: null } });
    stripe.pay(sessionId);
    await sendEvent("checkout.session.completed", { id: sessionId });
    expect(await entries()).toEqual([["top_up", 2500]]);
  });

  it("credits the amount paid when it differs from the order", async () => {
    const { stripe, sessionId, pay, entries } = await begin();
    stripe.amend(sessionId, { amount_total: 2000 });
    await pay();
    expect(await entries()).toEqual([["top_up", 2000]]);
  });

  it("answers 200 to what does not concern it", async () => {
    const { sendEvent, entries, id } = await begin();
    for (const [type, object] of [
      ["invoice.paid", { id: "in_1" }],
      ["checkout.session.completed", { id: "cs_unknown" }],
      ["checkout.session.completed", {}],
      ["charge.refunded", { id: "ch_1", payment_intent: null }],
      ["charge.refunded", { id: "ch_1", payment_intent: "pi_unknown" }],
    ] as const) {
      expect((await sendEvent(type, object)).json).toEqual({ received: true });
    }
    expect([await entries(), await statusOf(id)]).toEqual([[], "open"]);
  });

  it.each([
    ["of another mode", { mode: "subscription" }],
    ["in another currency", { currency: "eur" }],
    ["of an unknown account", { client_reference_id: "acct_unknown" }],
    ["of an unknown checkout", { metadata: { checkout_session_id: "cs_unknown" } }],
    ["without our ids", { metadata: {}, client_reference_id: null }],
  ])("moves nothing for a session %s", async (_, change) => {
    const { stripe, sessionId, id, pay, entries } = await begin();
    stripe.amend(sessionId, change);
    await pay();
    expect([await entries(), await statusOf(id)]).toEqual([[], "open"]);
  });

  it.each([
    ["another mode", { mode: "subscription" }],
    ["another currency", { currency: "eur" }],
    ["another account", { client_reference_id: "acct_unknown" }],
    ["another account", { metadata: { account_id: "acct_unknown" } }],
  ])("logs an error for a paid checkout with %s", async (refusal, change) => {
    const { stripe, sessionId, id, pay, entries } = await begin();
    const { metadata } = stripe.session(sessionId);
    const changed =
      "metadata" in change ? { metadata: { ...metadata, ...change.metadata } } : change;
    stripe.amend(sessionId, changed);
    const alarm = vi.spyOn(log, "error").mockImplementation(() => {});
    const payment = await pay();
    expect(alarm.mock.calls).toEqual([
      [
        expect.objectContaining({ refusal, checkout: id, session: sessionId, payment }),
        expect.stringMatching(/not credited/),
      ],
    ]);
    alarm.mockRestore();
    expect([await entries(), await statusOf(id)]).toEqual([[], "open"]);
  });

  it("never credits an account other than the checkout's", async () => {
    const { stripe, sessionId, pay, entries } = await begin();
    const outsider = await makeAccount();
    stripe.amend(sessionId, { client_reference_id: outsider.id });
    await pay();
    expect([await entries(), await paymentEntries(outsider.id)]).toEqual([[], []]);
  });

  it.each([
    ["a thin event", { id: "evt_1", object: "v2.core.event", type: "v1.billing.meter.no" }],
    ["an event without its object", { id: "evt_2", type: "invoice.paid" }],
    ["a list", []],
    ["a word", "hello"],
  ])("ignores %s with a valid signature, and logs it", async (_, body) => {
    const { stripe } = await begin();
    const warning = vi.spyOn(log, "warn").mockImplementation(() => {});
    const answer = await deliver(stripe.signed(JSON.stringify(body)));
    expect([answer.status, answer.json]).toEqual([200, { received: true }]);
    expect(warning.mock.calls.length).toBe(1);
    warning.mockRestore();
    expect((await deliver(stripe.signed("{}", { secret: "whsec_another" }))).status).toBe(400);
  });

  it("rejects a missing, wrong, mismatched or expired signature", async () => {
    const { stripe, sessionId, id, entries } = await begin();
    stripe.pay(sessionId);
    const session = { id: sessionId };
    const type = "checkout.session.completed";
    const good = stripe.event(type, session);
    const old = Math.floor(Date.now() / 1000) - 301;
    for (const event of [
      { raw: good.raw, headers: {} },
      { raw: good.raw, headers: { "stripe-signature": "nonsense" } },
      { raw: `${good.raw} `, headers: good.headers },
      stripe.event(type, session, { secret: "whsec_another" }),
      stripe.event(type, session, { timestamp: old }),
    ]) {
      const { status, json } = await deliver(event);
      expect([status, json.error.code, json.error.param]).toEqual([
        400,
        "invalid_request",
        "stripe-signature",
      ]);
    }
    expect([await entries(), await statusOf(id)]).toEqual([[], "open"]);
    expect((await deliver(good)).status).toBe(200);
    expect(await entries()).toEqual([["top_up", 2500]]);
  });

  it("answers 500 while Stripe is away, so that the event comes again", async () => {
    const { stripe, sessionId, sendEvent, entries } = await begin();
    stripe.pay(sessionId);
    stripe.fail(9);
    const failed = await sendEvent("checkout.session.completed", { id: sessionId });
    expect([failed.status, failed.json.error.code]).toEqual([500, "internal_error"]);
    expect(failed.json.error.message).not.toMatch(/Stripe's end/);
    stripe.recover();
    await sendEvent("checkout.session.completed", { id: sessionId });
    expect(await entries()).toEqual([["top_up", 2500]]);
  });

  it("answers 405 to other methods and 400 to an invalid event", async () => {
    const { stripe } = await begin();
    expect((await call("GET", "/api/webhooks/stripe")).status).toBe(405);
    const event = stripe.event("", {});
    const { status } = await deliver({ ...event, raw: "" });
    expect(status).toBe(400);
  });
});
