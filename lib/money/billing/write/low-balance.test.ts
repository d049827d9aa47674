import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db, query } from "@/lib/platform/db/client";
import { makeAccount, makeKeyedAccount, setBalance } from "@/lib/testing/factories";
import { startMailbox } from "@/lib/testing/mailbox";
import { openCheckout, startFakeStripe } from "@/lib/testing/payments";
import { findPaymentProvider } from "../vendor/provider";
import { sendLowBalanceAlerts, setLowBalance } from "./low-balance";
import { syncCheckoutSession } from "./payments";

/** An account with 5 dollars and a low-balance alert. */
async function makeCareful(threshold: string) {
  const account = await makeAccount();
  await setLowBalance(account.ctx, { threshold_usd: threshold });
  return account;
}

/** The account as the sweep reads it. */
function stateOf(id: string) {
  return db().account.findUniqueOrThrow({ where: { id } });
}

/** Skips the delay before another attempt after a failed email or a dead process. */
async function letClaimEnd(id: string): Promise<void> {
  await db().account.update({ where: { id }, data: { lowBalanceLeaseUntil: new Date(0) } });
}

describe("the low-balance email", () => {
  it("includes balance, threshold and a link to add funds, and is sent once until the balance recovers", async () => {
    const mails = await startMailbox();
    const { id, email } = await makeCareful("2.50");
    const { name } = await stateOf(id);
    const ofOwner = () => mails.filter(({ to }) => to === email);
    await sendLowBalanceAlerts();
    expect(ofOwner()).toEqual([]);

    await setBalance(id, 1.234_5);
    await sendLowBalanceAlerts();
    await sendLowBalanceAlerts();
    await setBalance(id, 0.5);
    await sendLowBalanceAlerts();
    expect(ofOwner()).toMatchObject([{ subject: "Your Footnote balance is low" }]);
    const text = ofOwner()[0]?.text ?? "";
    expect(text).toContain(`The balance of "${name}" on Footnote is $1.2345. It fell below $2.50`);
    expect(text).toContain("\n\nhttp://localhost:3000/billing\n\n");
    expect(text).toContain('use "Low-balance email"');
  });

  it("says what the account owes for a refund, and why", async () => {
    const mails = await startMailbox();
    const stripe = await startFakeStripe();
    const { id, key, email, ctx } = await makeKeyedAccount();
    await setLowBalance(ctx, { threshold_usd: "2.50" });
    const { sessionId } = await openCheckout(key);
    const provider = findPaymentProvider();
    if (!provider) {
      throw new Error("no payment provider");
    }
    const payment = stripe.pay(sessionId);
    await syncCheckoutSession(provider, sessionId);
    await setBalance(id, 0);
    stripe.refund(payment, 1500);
    await syncCheckoutSession(provider, sessionId);
    await sendLowBalanceAlerts();
    const [mail] = mails.filter(({ to }) => to === email);
    expect(mail?.text).toContain("You owe $15.00 for a refunded payment");
  });

  it("is sent again after a top-up, even if that was spent before the next sweep", async () => {
    const mails = await startMailbox();
    const { id, email } = await makeCareful("5");
    const sent = () => mails.filter(({ to }) => to === email).length;
    await sendLowBalanceAlerts();
    expect(sent()).toBe(0);
    await setBalance(id, 4.999_999);
    await sendLowBalanceAlerts();
    expect(sent()).toBe(1);

    await setBalance(id, 5);
    await sendLowBalanceAlerts();
    expect(sent()).toBe(1);
    await setBalance(id, 4);
    await sendLowBalanceAlerts();
    expect(sent()).toBe(2);

    await setBalance(id, 20);
    await setBalance(id, 3);
    await sendLowBalanceAlerts();
    expect(sent()).toBe(3);
  });

  it("is reset by a payment and by any other increase of the balance", async () => {
    await startMailbox();
    const stripe = await startFakeStripe();
    const { ctx, id, key } = await makeKeyedAccount();
    await setLowBalance(ctx, { threshold_usd: "10" });
    await sendLowBalanceAlerts();
    expect((await stateOf(id)).lowBalanceNotifiedAt).not.toBeNull();
    const { sessionId } = await openCheckout(key);
    stripe.pay(sessionId);
    const provider = findPaymentProvider();
    await (provider && syncCheckoutSession(provider, sessionId));
    expect(await stateOf(id)).toMatchObject({ lowBalanceNotifiedAt: null, lowBalanceAttempts: 0 });

    await setBalance(id, 1);
    await sendLowBalanceAlerts();
    await query("test_credit", "SELECT credit_account($1, $2, 'grant', 11000000, $1, NULL)", [
      newId("ledgerEntry"),
      id,
    ]);
    expect((await stateOf(id)).lowBalanceNotifiedAt).not.toBeNull();
    await sendLowBalanceAlerts();
    expect(await stateOf(id)).toMatchObject({ lowBalanceNotifiedAt: null, lowBalanceAttempts: 0 });
  });

  it("is sent again for a new threshold but not for the same one", async () => {
    const mails = await startMailbox();
    const { ctx, email } = await makeCareful("6");
    const sent = () => mails.filter(({ to }) => to === email).length;
    await sendLowBalanceAlerts();
    await setLowBalance(ctx, { threshold_usd: "6.00" });
    await sendLowBalanceAlerts();
    expect(sent()).toBe(1);
    await setLowBalance(ctx, { threshold_usd: "7" });
    await sendLowBalanceAlerts();
    expect(sent()).toBe(2);
    await setLowBalance(ctx, { threshold_usd: null });
    await sendLowBalanceAlerts();
    expect(sent()).toBe(2);
  });

  it("is sent once to all owners and not to members, however many sweeps run", async () => {
    const mails = await startMailbox();
    const { id } = await makeCareful("6");
    const { name } = await stateOf(id);
    const [second, plain] = ["owner", "member"].map((role) => {
      const memberId = newId("member");
      return { id: memberId, accountId: id, email: `${memberId}@example.org`, role };
    });
    await db().member.createMany({ data: [second, plain].flatMap((row) => row ?? []) });
    await Promise.all([1, 2, 3, 4].map(() => sendLowBalanceAlerts()));
    // The mailbox reports an email's last recipient.
    const told = mails.filter(({ text }) => text.includes(`"${name}"`));
    expect(told.map(({ to }) => to)).toEqual([second?.email]);
  });

  it("is retried when the mail server rejects it, up to a limit", async () => {
    const { id, email } = await makeCareful("6");
    await startMailbox({ refuses: true });
    await sendLowBalanceAlerts();
    expect(await stateOf(id)).toMatchObject({ lowBalanceNotifiedAt: null, lowBalanceAttempts: 1 });
    const mails = await startMailbox();
    const sent = () => mails.filter(({ to }) => to === email).length;
    await sendLowBalanceAlerts();
    expect(sent()).toBe(0);
    await letClaimEnd(id);
    await sendLowBalanceAlerts();
    expect(sent()).toBe(1);
    expect((await stateOf(id)).lowBalanceNotifiedAt).not.toBeNull();
  });

  it("is not sent after the last attempt until the balance is low again", async () => {
    const { id, email } = await makeCareful("6");
    await startMailbox({ refuses: true });
    for (let time = 0; time < 12; time += 1) {
      await letClaimEnd(id);
      await sendLowBalanceAlerts();
    }
    expect(await stateOf(id)).toMatchObject({ lowBalanceNotifiedAt: null, lowBalanceAttempts: 10 });
    const mails = await startMailbox();
    await setBalance(id, 6);
    await setBalance(id, 5);
    await sendLowBalanceAlerts();
    expect(mails.filter(({ to }) => to === email)).toHaveLength(1);
  });

  it("is sent by another process when the claiming one dies", async () => {
    const mails = await startMailbox();
    const { id, email } = await makeCareful("6");
    const sent = () => mails.filter(({ to }) => to === email).length;
    const inAnHour = new Date(Date.now() + 3_600_000);
    await db().account.update({
      where: { id },
      data: { lowBalanceAttempts: 1, lowBalanceLeaseUntil: inAnHour },
    });
    await sendLowBalanceAlerts();
    expect(sent()).toBe(0);
    await letClaimEnd(id);
    await sendLowBalanceAlerts();
    expect(sent()).toBe(1);
  });

  it("is only logged when email is not configured, and never for a closed account", async () => {
    const { id } = await makeCareful("6");
    const closed = await makeCareful("6");
    await db().account.update({ where: { id: closed.id }, data: { closedAt: new Date() } });
    await sendLowBalanceAlerts();
    expect((await stateOf(id)).lowBalanceNotifiedAt).not.toBeNull();
    expect(await stateOf(closed.id)).toMatchObject({
      lowBalanceNotifiedAt: null,
      lowBalanceAttempts: 0,
    });
  });
});
