import { describe, expect, it } from "vitest";
import { db, query } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import type { FakeStripe } from "@/lib/testing/fake-stripe-server";
import { startFakeStripe } from "@/lib/testing/payments";

const PATH = "/v1/billing/checkout-sessions";

function open(key: string, body: unknown, idempotencyKey?: string) {
  const headers = idempotencyKey ? { "idempotency-key": idempotencyKey } : undefined;
  return call("POST", PATH, { key, body, ...(headers && { headers }) });
}

/** Stripe's requests for a session. */
function openings(stripe: FakeStripe) {
  return stripe.seen.filter(({ method, path }) => method === "POST" && path.endsWith("/sessions"));
}

function countCheckouts(accountId: string): Promise<number> {
  return db().checkoutSession.count({ where: { accountId } });
}

describe("POST /v1/billing/checkout-sessions", () => {
  it("creates a hosted checkout with our ids, the receipt's email and the return URLs", async () => {
    const stripe = await startFakeStripe();
    const { key, id, email } = await makeKeyedAccount();
    const { status, json } = await open(key, { amount: 2500 });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^cs_[0-9a-z]{26}$/),
      object: "billing.checkout_session",
      url: expect.stringMatching(/^https:\/\/checkout\.stripe\.example\//),
      status: "open",
      amount: 2500,
      currency: "usd",
      expires_at: expect.stringMatching(/Z$/),
    });
    const metadata = { account_id: id, checkout_session_id: json.id };
    const [customer] = [...stripe.customers.values()];
    expect(customer).toMatchObject({ email, metadata: { account_id: id } });
    expect(openings(stripe)).toEqual([
      {
        method: "POST",
        path: "/v1/checkout/sessions",
        version: "2026-10-28.endive",
        idempotencyKey: json.id,
        params: {
          mode: "payment",
          line_items: {
            0: {
              quantity: "1",
              price_data: {
                currency: "usd",
                unit_amount: "2500",
                product_data: { name: "Footnote balance" },
              },
            },
          },
          adaptive_pricing: { enabled: "false" },
          client_reference_id: id,
          metadata,
          payment_intent_data: { metadata, receipt_email: email },
          customer: customer?.id,
          success_url: `http://localhost:3000/billing?checkout=${json.id}`,
          cancel_url: `http://localhost:3000/billing?checkout=${json.id}&cancelled=1`,
        },
      },
    ]);
  });

  it("accepts the caller's return URLs", async () => {
    const stripe = await startFakeStripe();
    const { key } = await makeKeyedAccount();
    const urls = {
      success_url: "https://shop.example/done?s={CHECKOUT_SESSION_ID}",
      cancel_url: "http://localhost:5173/",
    };
    expect((await open(key, { amount: 500, ...urls })).status).toBe(201);
    expect(openings(stripe)[0]?.params).toMatchObject(urls);
  });

  it("takes null for a return URL that is left out", async () => {
    const stripe = await startFakeStripe();
    const { key } = await makeKeyedAccount();
    const body = { amount: 500, success_url: null, cancel_url: null };
    expect((await open(key, body)).status).toBe(201);
    expect(openings(stripe)[0]?.params.success_url).toContain("/billing?checkout=cs_");
  });

  it("returns the same checkout for the same Idempotency-Key and body, and rejects a different body", async () => {
    const stripe = await startFakeStripe();
    const { key, id } = await makeKeyedAccount();
    const first = await open(key, { amount: 2500 }, "order-1");
    const again = await open(key, { amount: 2500 }, "order-1");
    expect([again.status, again.json]).toEqual([201, first.json]);
    for (const body of [{ amount: 2600 }, { amount: 2500, success_url: "https://a.example/" }]) {
      const { status, json, headers } = await open(key, body, "order-1");
      expect([status, json.error.code]).toEqual([409, "idempotency_conflict"]);
      expect(json.error.param).toBe("idempotency-key");
      expect(headers.get("x-should-retry")).toBe("false");
    }
    const stranger = await makeKeyedAccount();
    expect((await open(stranger.key, { amount: 2600 }, "order-1")).status).toBe(201);
    expect([await countCheckouts(id), openings(stripe).length]).toEqual([1, 2]);
  });

  it("creates one checkout for many parallel requests with the same Idempotency-Key", async () => {
    const stripe = await startFakeStripe();
    const { key, id } = await makeKeyedAccount();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => open(key, { amount: 900 }, "one")),
    );
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    expect([await countCheckouts(id), stripe.sessions.size]).toEqual([1, 1]);
    // The others wait for the first: Stripe refuses parallel requests with one key.
    expect(openings(stripe).length).toBe(1);
  });

  it("answers 503 with retry-after while another process opens the same checkout", async () => {
    const stripe = await startFakeStripe({ retries: 0 });
    const { key } = await makeKeyedAccount();
    await open(key, { amount: 900 });
    stripe.fail(1, { status: 409, error: { type: "idempotency_error", message: "In use." } });
    const { status, headers } = await open(key, { amount: 900 }, "two");
    expect([status, Number(headers.get("retry-after"))]).toEqual([503, 2]);
    expect((await open(key, { amount: 900 }, "two")).status).toBe(201);
  });

  it("uses one customer per account, and makes another when Stripe has lost it", async () => {
    const stripe = await startFakeStripe();
    const { key, email } = await makeKeyedAccount();
    await open(key, { amount: 900 });
    await open(key, { amount: 900 });
    expect(stripe.customers.size).toBe(1);
    stripe.customers.clear();
    expect((await open(key, { amount: 900 })).status).toBe(201);
    expect(openings(stripe).at(-1)?.params.customer_email).toBe(email);
    expect((await open(key, { amount: 900 })).status).toBe(201);
    expect([...stripe.customers.keys()]).toEqual([openings(stripe).at(-1)?.params.customer]);
  });

  it("sends Stripe the owner's new address", async () => {
    const stripe = await startFakeStripe();
    const { key, id } = await makeKeyedAccount();
    await open(key, { amount: 900 });
    const email = `${id}@new.example.org`;
    await db().member.updateMany({ where: { accountId: id }, data: { email } });
    await open(key, { amount: 900 });
    expect([...stripe.customers.values()].map((one) => one.email)).toEqual([email]);
  });

  it("answers 502 when Stripe fails, and resumes the same order on a retry", async () => {
    const stripe = await startFakeStripe();
    const { key, id } = await makeKeyedAccount();
    stripe.fail(9);
    const failed = await open(key, { amount: 2500 }, "order-2");
    expect([failed.status, failed.json.error.code]).toEqual([502, "upstream_error"]);
    stripe.recover();
    expect((await open(key, { amount: 2500 }, "order-2")).status).toBe(201);
    expect(new Set(openings(stripe).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect([await countCheckouts(id), stripe.sessions.size]).toEqual([1, 1]);
  });

  it("finds the session that Stripe created when its response was lost", async () => {
    const stripe = await startFakeStripe();
    const { key, id } = await makeKeyedAccount();
    const first = await open(key, { amount: 2500 }, "order-3");
    await query("test_forget_url", "UPDATE checkout_session SET url = NULL WHERE account_id = $1", [
      id,
    ]);
    expect((await open(key, { amount: 2500 }, "order-3")).json).toEqual(first.json);
    expect(stripe.sessions.size).toBe(1);
  });

  it("answers 504 when Stripe times out", async () => {
    const stripe = await startFakeStripe({ timeoutMs: 50, retries: 0 });
    const { key } = await makeKeyedAccount();
    stripe.fail(9, { isSilent: true });
    const { status, json } = await open(key, { amount: 2500 });
    expect([status, json.error.code]).toEqual([504, "upstream_timeout"]);
  });

  it("doesn't resume an order older than Stripe's idempotency window", async () => {
    const stripe = await startFakeStripe({ retries: 0 });
    const { key, id } = await makeKeyedAccount();
    stripe.fail(9);
    await open(key, { amount: 2500 }, "order-4");
    stripe.recover();
    await query(
      "test_age",
      "UPDATE checkout_session SET expires_at = now() - interval '1 hour' WHERE account_id = $1",
      [id],
    );
    const { status, json } = await open(key, { amount: 2500 }, "order-4");
    expect([status, json.error.code]).toEqual([409, "conflict"]);
    expect(stripe.sessions.size).toBe(0);
  });

  it("names the return URL that Stripe rejects", async () => {
    await startFakeStripe();
    const { key } = await makeKeyedAccount();
    const { status, json } = await open(key, { amount: 2500, success_url: "https://intranet/" });
    expect([status, json.error.code, json.error.param]).toEqual([
      400,
      "invalid_request",
      "success_url",
    ]);
  });

  it.each([
    [{ amount: 499 }, "amount"],
    [{ amount: 500_001 }, "amount"],
    [{ amount: -2500 }, "amount"],
    [{ amount: 0 }, "amount"],
    [{ amount: 2500.5 }, "amount"],
    [{ amount: 1e300 }, "amount"],
    [{ amount: "2500" }, "amount"],
    [{ amount: null }, "amount"],
    [{}, "amount"],
    [{ amount: 2500, currency: "eur" }, "currency"],
    [{ amount: 2500, success_url: "http://shop.example/" }, "success_url"],
    [{ amount: 2500, success_url: "https://user:secret@shop.example/" }, "success_url"],
    [{ amount: 2500, success_url: "javascript:alert(1)" }, "success_url"],
    [{ amount: 2500, success_url: "/billing" }, "success_url"],
    [{ amount: 2500, cancel_url: "http://localhost.evil.example/" }, "cancel_url"],
    [{ amount: 2500, cancel_url: `https://shop.example/${"a".repeat(2000)}` }, "cancel_url"],
    [{ amount: 2500, cancel_url: "https://shop.example/\0" }, "cancel_url"],
    [[], null],
  ])("refuses %j", async (body, param) => {
    const stripe = await startFakeStripe();
    const { key, id } = await makeKeyedAccount();
    const { status, json } = await open(key, body);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", param]);
    expect(json.error.message).toMatch(/\. .+\.$/);
    expect([await countCheckouts(id), stripe.seen.length]).toEqual([0, 0]);
  });

  it("rejects an invalid Idempotency-Key", async () => {
    const { key } = await makeKeyedAccount();
    for (const idempotencyKey of ["a b", "é", "x".repeat(256)]) {
      const { status, json } = await open(key, { amount: 2500 }, idempotencyKey);
      expect([status, json.error.param]).toEqual([400, "idempotency-key"]);
    }
  });

  it("requires the billing:write scope", async () => {
    const { ctx } = await makeAccount();
    const reader = await makeKey(ctx, { scopes: ["billing:read"] });
    expect((await open(reader.secret, { amount: 2500 })).status).toBe(403);
    const { status } = await call("POST", PATH, { body: { amount: 2500 } });
    expect(status).toBe(401);
  });

  it("limits how many checkouts an account creates per minute", async () => {
    await startFakeStripe();
    const { key } = await makeKeyedAccount();
    const statuses: number[] = [];
    for (let index = 0; index < 31; index += 1) {
      statuses.push((await open(key, { amount: 2500 }, `order-${index % 2}`)).status);
    }
    expect([statuses.indexOf(429), statuses.filter((status) => status === 201).length]).toEqual([
      30, 30,
    ]);
  });
});
