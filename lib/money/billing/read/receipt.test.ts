import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { AppError } from "@/lib/errors";
import { db, query } from "@/lib/platform/db/client";
import { makeAccount, makeKeyedAccount } from "@/lib/testing/factories";
import { openCheckout, startFakeStripe } from "@/lib/testing/payments";
import { findPaymentProvider, replacePaymentProvider } from "../vendor/provider";
import { stripeProvider } from "../vendor/stripe";
import { newEntryIds, syncCheckoutSession } from "../write/payments";
import { actOnSimulatedCheckout } from "../write/simulated-checkout";
import { listLedger } from "./balance";
import { findReceipt, isReceiptUrl } from "./receipt";

const RECEIPT_URL = "https://pay.stripe.com/receipts/payment/abc?s=ap";

/** An account that paid 25 dollars with Stripe, and Stripe's response to receipt requests. */
async function makePaid(answer: () => Promise<string | null>) {
  const stripe = await startFakeStripe({ retries: 0 });
  const account = await makeKeyedAccount();
  const { sessionId } = await openCheckout(account.key);
  const reference = stripe.pay(sessionId);
  const provider = findPaymentProvider();
  if (!provider) {
    throw new Error("nobody takes payments");
  }
  await syncCheckoutSession(provider, sessionId);
  const asked: string[] = [];
  replacePaymentProvider({
    ...provider,
    findReceiptUrl: (payment) => {
      asked.push(payment);
      return answer();
    },
  });
  return { ...account, reference, asked };
}

/** An account that paid 20 dollars in a simulated checkout. */
async function makeSimulated() {
  replacePaymentProvider(undefined);
  const account = await makeKeyedAccount();
  const { id, sessionId } = await openCheckout(account.key, 2000);
  return { ...account, checkoutId: id, sessionId };
}

describe("the receipt of a Stripe payment", () => {
  it("is the current URL from Stripe", async () => {
    const { ctx, reference, asked } = await makePaid(async () => RECEIPT_URL);
    expect(await findReceipt(ctx, reference)).toEqual({ url: RECEIPT_URL });
    expect(await findReceipt(ctx, reference)).toEqual({ url: RECEIPT_URL });
    expect(asked).toEqual([reference, reference]);
    const { data } = await listLedger(ctx, { limit: 2 });
    expect(data.map(({ kind, payment }) => [kind, payment])).toEqual([
      ["top_up", reference],
      ["grant", null],
    ]);
  });

  it("is reported as missing when Stripe has none or returns a foreign URL", async () => {
    const answers = [null, "https://evil.example/receipts", "not an address"];
    for (const answer of answers) {
      const { ctx, reference } = await makePaid(async () => answer);
      expect(await findReceipt(ctx, reference)).toEqual({
        problem: expect.stringContaining("has no receipt for this payment"),
      });
    }
  });

  it("asks the user to retry when Stripe is unavailable, or contact the operator when it is disabled", async () => {
    const { ctx, reference } = await makePaid(async () => {
      throw new AppError("upstream_timeout", "too late");
    });
    expect(await findReceipt(ctx, reference)).toEqual({
      problem: expect.stringContaining("is not responding"),
    });
    replacePaymentProvider(undefined);
    expect(await findReceipt(ctx, reference)).toEqual({
      problem: expect.stringContaining("Ask its operator"),
    });
  });

  it("is not found for another account, and Stripe is not called", async () => {
    const { reference, asked } = await makePaid(async () => RECEIPT_URL);
    const stranger = await makeAccount();
    expect(await findReceipt(stranger.ctx, reference)).toBeNull();
    expect(await findReceipt(stranger.ctx, "pi_none")).toBeNull();
    expect(await findReceipt(stranger.ctx, "%00' OR true")).toBeNull();
    expect(asked).toEqual([]);
  });

  it("is rate limited", async () => {
    const { ctx, reference, asked } = await makePaid(async () => RECEIPT_URL);
    for (let time = 0; time < 60; time += 1) {
      await findReceipt(ctx, reference);
    }
    expect(await findReceipt(ctx, reference)).toEqual({
      problem: expect.stringContaining("Wait a moment"),
    });
    expect(asked).toHaveLength(60);
  });
});

describe("the invoice of a Stripe payment", () => {
  const HOSTED = "https://invoice.stripe.com/i/acct_1/live_abc";

  it("is Stripe's page of it, or a problem that names the receipt", async () => {
    const { ctx, reference } = await makePaid(async () => RECEIPT_URL);
    expect(await findReceipt(ctx, reference, "invoice")).toEqual({
      problem: expect.stringContaining("made no invoice"),
    });
    const stripe = findPaymentProvider();
    if (stripe) {
      replacePaymentProvider({ ...stripe, findInvoiceUrl: async () => HOSTED });
    }
    expect(await findReceipt(ctx, reference, "invoice")).toEqual({ url: HOSTED });
  });

  it("is found by the payment's checkout", async () => {
    const stripe = await startFakeStripe({ retries: 0 });
    const account = await makeKeyedAccount();
    const { sessionId } = await openCheckout(account.key);
    const reference = stripe.pay(sessionId);
    const provider = findPaymentProvider();
    expect(await provider?.findInvoiceUrl(reference)).toBeNull();
    const session = stripe.sessions.get(sessionId);
    Object.assign(session ?? {}, { invoice: { id: "in_1", hosted_invoice_url: HOSTED } });
    expect(await provider?.findInvoiceUrl(reference)).toBe(HOSTED);
    expect(stripe.seen.at(-1)?.params).toMatchObject({ expand: { 0: "data.invoice" } });
  });
});

describe("the Stripe provider", () => {
  it("requests the receipt of a payment's latest charge", async () => {
    const seen: (string | undefined)[] = [];
    let answer: object = {};
    const server = createServer((request, response) => {
      seen.push(request.url);
      const isError = "error" in answer;
      response.writeHead(isError ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { findReceiptUrl } = stripeProvider({
      secretKey: "sk_test_1",
      webhookSecret: "whsec_1",
      apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      retries: 0,
    });
    const ask = (next: object) => {
      answer = next;
      return findReceiptUrl("pi_1");
    };
    const charge = { id: "ch_1", object: "charge", receipt_url: RECEIPT_URL };
    expect(await ask({ id: "pi_1", latest_charge: charge })).toBe(RECEIPT_URL);
    expect(decodeURIComponent(seen[0] ?? "")).toMatch(
      /^\/v1\/payment_intents\/pi_1\?expand\[\d*\]=latest_charge$/,
    );
    expect(await ask({ id: "pi_1", latest_charge: null })).toBeNull();
    expect(await ask({ id: "pi_1", latest_charge: "ch_1" })).toBeNull();
    const missing = { type: "invalid_request_error", code: "resource_missing", message: "none" };
    expect(await ask({ error: missing })).toBeNull();
    await expect(ask({ error: { type: "api_error" } })).rejects.toMatchObject({
      code: "upstream_error",
    });
  });

  it.each([
    [RECEIPT_URL, true],
    ["https://stripe.com/receipts/1", true],
    ["http://pay.stripe.com/receipts/1", false],
    ["https://evilstripe.com/", false],
    ["https://stripe.com.evil.example/", false],
    ["https://pay.stripe.com:8443/", false],
    ["https://user@pay.stripe.com/", false],
    ["javascript:alert(1)//stripe.com", false],
    ["//pay.stripe.com/", false],
    ["", false],
  ])("accepts %j as a receipt URL: %s", (url, isOwn) => {
    expect(isReceiptUrl(url)).toBe(isOwn);
  });
});

describe("the receipt of a simulated payment", () => {
  it("shows amount, time, payer and method", async () => {
    const { ctx, id, checkoutId, sessionId } = await makeSimulated();
    const reference = sessionId.replace("cs_", "pi_");
    expect(await findReceipt(ctx, reference)).toBeNull();
    await actOnSimulatedCheckout(sessionId, "pay");
    const { name } = await db().account.findUniqueOrThrow({ where: { id } });
    expect(await findReceipt(ctx, reference)).toEqual({
      simulated: {
        reference,
        checkoutId,
        accountName: name,
        amountUsd: "20.000000",
        refundedUsd: "0.000000",
        method: "card",
        paidAt: expect.stringMatching(/Z$/),
      },
    });
    const stranger = await makeAccount();
    expect(await findReceipt(stranger.ctx, reference)).toBeNull();
  });

  it("shows a bank debit and later refunds", async () => {
    const { ctx, id, sessionId } = await makeSimulated();
    const reference = sessionId.replace("cs_", "pi_");
    await actOnSimulatedCheckout(sessionId, "pay_later");
    expect(await findReceipt(ctx, reference)).toBeNull();
    await actOnSimulatedCheckout(sessionId, "settle");
    await db().paymentReversal.create({
      data: {
        id: `re_${reference}`,
        paymentReference: reference,
        kind: "refund",
        amountMicros: 7_500_000n,
        state: "succeeded",
        version: 1,
        isDebited: true,
      },
    });
    await query("test_collect", "SELECT collect_outstanding($1, $2)", [id, newEntryIds()]);
    expect(await findReceipt(ctx, reference)).toMatchObject({
      simulated: { method: "bank_debit", amountUsd: "20.000000", refundedUsd: "7.500000" },
    });
  });
});
