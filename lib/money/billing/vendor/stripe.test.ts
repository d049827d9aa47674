import { describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/platform/log";
import type { FakeStripe } from "@/lib/testing/fake-stripe-server";
import { startFakeStripe } from "@/lib/testing/payments";
import { paymentProvider } from "./provider";
import { type StripeOptions, stripeProvider } from "./stripe";

async function failureOf(call: Promise<unknown>): Promise<AppError> {
  const thrown = await call.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(thrown).toBeInstanceOf(AppError);
  return thrown as AppError;
}

/** What a read throws and logs when Stripe fails in this way. */
async function readAfter(
  failure: Parameters<FakeStripe["fail"]>[1],
  options: Partial<StripeOptions> = {},
) {
  const stripe = await startFakeStripe({ retries: 0, ...options });
  const logs = {
    warn: vi.spyOn(log, "warn").mockImplementation(() => {}),
    error: vi.spyOn(log, "error").mockImplementation(() => {}),
  };
  stripe.fail(1, failure);
  const error = await failureOf(paymentProvider().readSession("cs_1"));
  const lines = { warn: logs.warn.mock.calls, error: logs.error.mock.calls };
  vi.restoreAllMocks();
  return { error, lines };
}

const refusal = (type: string, message: string) => ({ type, message, code: "some_code" });

describe("calls to Stripe", () => {
  it.each([
    [401, "error", /STRIPE_SECRET_KEY: check/, 502],
    [403, "error", /lacks a permission/, 502],
    [429, "warn", /rate limit/, 503],
    [409, "warn", /request failed/, 503],
    [500, "warn", /request failed/, 502],
  ] as const)("log a %s with Stripe's words", async (status, level, message, answer) => {
    const error = { ...refusal("invalid_request_error", "You did something."), param: "thing" };
    const { error: thrown, lines } = await readAfter({ status, error });
    expect(thrown.status).toBe(answer);
    expect(thrown.message).not.toMatch(/You did something|Idempotency-Key nothing/);
    expect(lines[level]).toEqual([
      [
        {
          stripe: {
            status,
            type: "invalid_request_error",
            code: "some_code",
            param: "thing",
            message: "You did something.",
            request_id: expect.any(String),
          },
        },
        expect.stringMatching(message),
      ],
    ]);
  });

  it("pass on when to come back after Stripe's rate limit", async () => {
    const error = refusal("rate_limit_error", "Too many requests.");
    const named = await readAfter({ status: 429, error, headers: { "retry-after": "7" } });
    expect(named.error.headers).toEqual({ "retry-after": "7" });
    const unnamed = await readAfter({ status: 429, error });
    expect(Number(unnamed.error.headers["retry-after"])).toBeGreaterThan(0);
  });

  it("log neither keys nor addresses", async () => {
    const message = "Invalid API Key sk_live_abc123 or email mallory@example.org";
    const { lines } = await readAfter({ status: 401, error: refusal("x", message) });
    expect(JSON.stringify(lines)).not.toMatch(/abc123|mallory/);
  });

  it("end at our deadline, whatever Stripe does", async () => {
    const { error } = await readAfter({ isSilent: true }, { timeoutMs: 600_000, deadlineMs: 50 });
    expect(error.code).toBe("upstream_timeout");
  });

  it.each(["text", 1, null])("fail when Stripe responds with %j", async (body) => {
    const { error } = await readAfter({ body });
    expect(error.code).toBe("upstream_error");
  });

  it("keep the path of STRIPE_API_BASE", async () => {
    const stripe = await startFakeStripe();
    const provider = stripeProvider({
      secretKey: "sk_test_scripted",
      webhookSecret: "whsec_1",
      apiBase: `${stripe.url}/proxy/`,
    });
    await failureOf(provider.readSession("cs_1"));
    expect(stripe.seen.map(({ path }) => path)).toEqual(["/proxy/v1/checkout/sessions/cs_1"]);
  });
});

describe("a checkout at Stripe", () => {
  const order = {
    id: "cs_order",
    account_id: "acct_1",
    amount: 2500,
    currency: "usd",
    success_url: "https://shop.example/",
    cancel_url: "https://shop.example/",
    receipt_email: "payer@example.org",
    customer_id: null,
  };

  it("has an invoice, tax and tax ids when the deployment wants them", async () => {
    const stripe = await startFakeStripe({ invoices: true, automaticTax: true, taxIds: true });
    const id = await paymentProvider().saveCustomer({
      id: null,
      accountId: "acct_1",
      email: "owner@example.org",
    });
    await paymentProvider().openSession({ ...order, customer_id: id });
    expect(stripe.customers.get(id ?? "")).toMatchObject({
      email: "owner@example.org",
      metadata: { account_id: "acct_1" },
    });
    expect(stripe.seen.at(-1)?.params).toMatchObject({
      customer: id,
      customer_update: { address: "auto", name: "auto" },
      invoice_creation: { enabled: "true" },
      automatic_tax: { enabled: "true" },
      tax_id_collection: { enabled: "true" },
      line_items: { 0: { price_data: { tax_behavior: "exclusive" } } },
    });
  });

  it("opens without a receipt when Stripe doesn't accept the address, the same for a retry", async () => {
    const stripe = await startFakeStripe();
    const odd = { ...order, receipt_email: "a@b.invalid" };
    const first = await paymentProvider().openSession(odd);
    expect(await paymentProvider().openSession(odd)).toEqual(first);
    expect(stripe.sessions.size).toBe(1);
  });

  it("opens without a customer that Stripe doesn't know, and says so", async () => {
    await startFakeStripe();
    const lost = { ...order, customer_id: "cus_lost" };
    expect(await paymentProvider().openSession(lost)).toMatchObject({ isCustomerUnknown: true });
    expect(await paymentProvider().openSession(order)).toMatchObject({ isCustomerUnknown: false });
  });

  it("counts neither the tax of a payment nor that of its refunds", async () => {
    const stripe = await startFakeStripe();
    const { id } = await paymentProvider().openSession(order);
    const payment = stripe.pay(id);
    stripe.amend(id, { amount_total: 2975, total_details: { amount_tax: 475 } });
    stripe.refund(payment, 1190);
    stripe.dispute(payment, 1785);
    const facts = await paymentProvider().readSession(id);
    expect(facts?.payment?.amount).toBe(2500);
    expect(facts?.payment?.reversals.map(({ amount }) => amount)).toEqual([1000, 1500]);
  });

  it.each([
    [60, 10, 504],
    [297, 10, 2496],
    [17, 175, 2500],
  ])("takes %i refunds of %i cents as their sum without its tax, %i", async (count, cents, sum) => {
    const stripe = await startFakeStripe();
    const { id } = await paymentProvider().openSession(order);
    const payment = stripe.pay(id);
    stripe.amend(id, { amount_total: 2975, total_details: { amount_tax: 475 } });
    const before: (readonly [string, number])[] = [];
    for (let made = 0; made < count; made += 1) {
      stripe.refund(payment, cents);
      if (made === 2) {
        before.push(...(await refundsOf(id)));
      }
    }
    const all = await refundsOf(id);
    expect(all.reduce((total, [, amount]) => total + amount, 0)).toBe(sum);
    // A later refund changes no earlier one, which may already be in the ledger.
    expect(before.length).toBe(3);
    expect(new Map(all)).toEqual(new Map([...all, ...before]));
  });
});

async function refundsOf(id: string) {
  const facts = await paymentProvider().readSession(id);
  return (facts?.payment?.reversals ?? []).map((one) => [one.id, one.amount] as const);
}
