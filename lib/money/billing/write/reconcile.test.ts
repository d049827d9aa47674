import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db, query } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney, setBalance } from "@/lib/testing/factories";
import { openCheckout, paymentEntries, startFakeStripe } from "@/lib/testing/payments";
import { paymentProvider } from "../vendor/provider";
import { syncCheckoutSession } from "./payments";
import { reconcilePayments } from "./reconcile";

const MINUTE_MS = 60_000;

/** A separate fake Stripe, and an account with an empty balance. */
async function begin() {
  const stripe = await startFakeStripe();
  const { id: accountId, key } = await makeKeyedAccount();
  await setBalance(accountId, 0);
  const since = new Date(Date.now() - MINUTE_MS);
  /** Only this account's differences, because this Stripe doesn't know other tests' payments. */
  const reconcile = async (repair = false) => {
    const { differences, ...counts } = await reconcilePayments({ since, repair });
    const own = await db().checkoutSession.findMany({ where: { accountId }, select: { id: true } });
    const ids = own.map(({ id }) => id);
    const mine = differences.filter(({ checkoutId }) => ids.includes(checkoutId));
    return { ...counts, differences: mine };
  };
  const pay = async (amount = 2500) => {
    const checkout = await openCheckout(key, amount);
    return { ...checkout, payment: stripe.pay(checkout.sessionId) };
  };
  const converge = (sessionId: string) => syncCheckoutSession(paymentProvider(), sessionId);
  return { stripe, accountId, key, reconcile, pay, converge };
}

describe("reconciliation", () => {
  it("finds no differences in correct books, on all pages, and ignores other deployments", async () => {
    const { stripe, key, reconcile, pay, converge } = await begin();
    stripe.pageSize = 2;
    for (let index = 0; index < 5; index += 1) {
      const { payment, sessionId } = await pay();
      stripe.refund(payment, 100);
      await converge(sessionId);
    }
    await openCheckout(key);
    const foreign = await pay();
    stripe.amend(foreign.sessionId, { metadata: {} });
    expect(await reconcile()).toEqual({
      provider: "stripe",
      compared: 5,
      foreign: 1,
      differences: [],
    });
  });

  it("finds a payment for one of our checkouts that was refused, and can't repair it", async () => {
    const { stripe, reconcile, pay } = await begin();
    const { id, sessionId, payment } = await pay();
    stripe.amend(sessionId, { currency: "eur" });
    const refused = { kind: "refused_payment", checkoutId: id, paymentReference: payment };
    for (const repair of [false, true]) {
      expect((await reconcile(repair)).differences).toEqual([
        expect.objectContaining({
          ...refused,
          expected: 25_000_000n,
          found: 0n,
          isRepaired: false,
        }),
      ]);
    }
  });

  it("finds the end of a dispute that began long before the first day", async () => {
    const { stripe, reconcile, pay, converge, accountId } = await begin();
    const { sessionId, payment } = await pay();
    const dispute = stripe.dispute(payment, 2500);
    await converge(sessionId);
    const MONTHS_SECONDS = 100 * 24 * 60 * 60;
    dispute.created -= MONTHS_SECONDS;
    stripe.session(sessionId).created -= MONTHS_SECONDS;
    stripe.closeDispute(dispute.id, "won");
    await query("test_age_payment", "UPDATE payment SET created_at = $2 WHERE account_id = $1", [
      accountId,
      new Date(dispute.created * 1000),
    ]);
    expect((await reconcile(true)).differences).toMatchObject([
      { kind: "missing_reversal", isRepaired: true },
    ]);
  });

  it("finds a missing credit and repairs it on request", async () => {
    const { accountId, reconcile, pay } = await begin();
    const { id, payment } = await pay();
    const missing = {
      kind: "missing_credit",
      checkoutId: id,
      paymentReference: payment,
      expected: 25_000_000n,
      found: 0n,
      isRepaired: false,
    };
    expect((await reconcile()).differences).toEqual([missing]);
    expect(await paymentEntries(accountId)).toEqual([]);
    expect((await reconcile(true)).differences).toEqual([{ ...missing, isRepaired: true }]);
    expect(await paymentEntries(accountId)).toEqual([["top_up", 2500]]);
    expect((await reconcile()).differences).toEqual([]);
  });

  it("finds missing and outstanding refunds and disputes", async () => {
    const { stripe, accountId, reconcile, pay, converge } = await begin();
    const { payment, sessionId } = await pay();
    await converge(sessionId);
    stripe.refund(payment, 1000);
    stripe.dispute(payment, 500);
    expect((await reconcile()).differences).toMatchObject([
      { kind: "missing_reversal", expected: 15_000_000n, found: 0n },
    ]);
    await setBalance(accountId, 4);
    expect((await reconcile(true)).differences).toMatchObject([
      { kind: "missing_reversal", isRepaired: true },
    ]);
    expect((await readMoney(accountId)).balance).toBe(0n);
    expect((await reconcile(true)).differences).toMatchObject([
      { kind: "outstanding", expected: 15_000_000n, found: 4_000_000n, isRepaired: false },
    ]);
    await setBalance(accountId, 50);
    expect((await reconcile(true)).differences).toMatchObject([
      { kind: "outstanding", isRepaired: true },
    ]);
    expect((await readMoney(accountId)).balance).toBe(39_000_000n);
  });

  it("finds a refund of a payment made long before", async () => {
    const { stripe, accountId, reconcile, pay, converge } = await begin();
    const { payment, sessionId } = await pay();
    await converge(sessionId);
    stripe.amend(sessionId, { created: 1 });
    await query("test_age_payment", "UPDATE payment SET created_at = $2 WHERE account_id = $1", [
      accountId,
      new Date(0),
    ]);
    stripe.refund(payment, 700);
    expect((await reconcile()).differences).toMatchObject([{ kind: "missing_reversal" }]);
  });

  it("finds an unknown credit and one with a different amount, and repairs neither", async () => {
    const { stripe, accountId, reconcile, pay, converge } = await begin();
    const other = await pay();
    await converge(other.sessionId);
    stripe.amend(other.sessionId, { amount_total: 9900 });
    const unknown = await pay();
    await converge(unknown.sessionId);
    stripe.sessions.delete(unknown.sessionId);
    const before = await paymentEntries(accountId);
    expect((await reconcile(true)).differences).toMatchObject([
      { kind: "amount_differs", expected: 99_000_000n, found: 25_000_000n, isRepaired: false },
      { kind: "unknown_credit", expected: 0n, found: 25_000_000n, isRepaired: false },
    ]);
    expect(await paymentEntries(accountId)).toEqual(before);
  });

  it("finds ledger entries that differ from their payment", async () => {
    const { accountId, reconcile, pay, converge } = await begin();
    const { payment, sessionId } = await pay();
    await converge(sessionId);
    // Change the balance too, so that only the payment differs. Restored below, because all tests share the books.
    const stray = (amountMicros: bigint, number: number) =>
      query("test_stray_entry", "SELECT credit_account($1, $2, 'refund', $3, $4, NULL)", [
        newId("ledgerEntry"),
        accountId,
        amountMicros,
        `refund:${payment}:${number}`,
      ]);
    await stray(-1n, 9);
    expect((await reconcile(true)).differences).toMatchObject([
      { kind: "ledger_differs", expected: 0n, found: 1n, isRepaired: false },
    ]);
    await stray(1n, 10);
    expect((await reconcile()).differences).toEqual([]);
  });

  it("compares the simulated checkout too", async () => {
    // Must be last: the simulated provider rejects the Stripe checkouts of other tests.
    const since = new Date();
    const { key } = await makeKeyedAccount();
    const { sessionId, id } = await openCheckout(key);
    const path = `/api/checkout/simulated/${sessionId}`;
    await call("POST", path, { body: { action: "pay" } });
    const { provider, differences } = await reconcilePayments({ since });
    expect(provider).toBe("simulated");
    expect(differences.filter(({ checkoutId }) => checkoutId === id)).toEqual([]);
  });

  it("refuses to compare Stripe's checkouts with the simulated provider", async () => {
    const { key } = await makeKeyedAccount();
    const { id } = await openCheckout(key);
    await db().checkoutSession.update({ where: { id }, data: { provider: "stripe" } });
    const since = new Date(Date.now() - MINUTE_MS);
    await expect(reconcilePayments({ since })).rejects.toThrow(/STRIPE_SECRET_KEY is not set/);
  });
});
