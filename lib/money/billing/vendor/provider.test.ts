import { describe, expect, it } from "vitest";
import { readEnv } from "@/lib/platform/env";
import { isReturnUrl } from "../checkout";
import { chooseProvider } from "./provider";
import { disputeReversal, refundReversal } from "./stripe-reversals";

const KEYS = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };

describe("the payment provider", () => {
  it.each([
    [{}, false, "simulated"],
    [{}, true, null],
    [{ PAYMENTS: "simulated" }, true, "simulated"],
    [KEYS, false, "stripe"],
    [KEYS, true, "stripe"],
    [{ ...KEYS, PAYMENTS: "simulated" }, true, "simulated"],
    [{ ...KEYS, PAYMENTS: "stripe" }, false, "stripe"],
  ])("with %j and production %s is %s", (variables, production, name) => {
    expect(chooseProvider(readEnv(variables), production)).toBe(name);
  });

  it("prevents the start when Stripe is only half configured", () => {
    expect(() => readEnv({ STRIPE_SECRET_KEY: "sk_test_1" })).toThrow(/STRIPE_WEBHOOK_SECRET/);
    expect(() => readEnv({ PAYMENTS: "stripe" })).toThrow(/STRIPE_SECRET_KEY/);
    expect(() => readEnv({ PAYMENTS: "free" })).toThrow(/PAYMENTS/);
    expect(() => readEnv({ STRIPE_API_BASE: "stripe" })).toThrow(/STRIPE_API_BASE/);
  });
});

describe("return URLs", () => {
  it.each([
    ["https://shop.example/done?x=1", true, true],
    ["http://localhost:5173/", true, false],
    ["http://127.0.0.1/", true, false],
    ["http://[::1]:80/", true, false],
    ["https://localhost/", true, true],
    ["http://shop.example/", false, false],
    ["http://localhost.shop.example/", false, false],
    ["https://user@shop.example/", false, false],
    ["https://:secret@shop.example/", false, false],
    ["http://user@localhost/", false, false],
    ["ftp://shop.example/", false, false],
    ["data:text/html,x", false, false],
    ["//shop.example", false, false],
    ["", false, false],
  ])("at %s are allowed locally: %s, elsewhere: %s", (url, locally, elsewhere) => {
    expect(isReturnUrl(url, { mayBeLocal: true })).toBe(locally);
    expect(isReturnUrl(url, { mayBeLocal: false })).toBe(elsewhere);
  });
});

describe("refunds and disputes of a payment", () => {
  it.each([
    ["pending", true],
    ["requires_action", true],
    ["succeeded", true],
    ["failed", false],
    ["canceled", false],
    [null, true],
  ])("counts a refund that is %s: %s", (status, isDebited) => {
    expect(refundReversal({ id: "re_1", amount: 100, status }).isDebited).toBe(isDebited);
  });

  const out = { amount: -100, currency: "usd" };
  const back = { amount: 100, currency: "usd" };

  it.each([
    ["warning_needs_response", [], false],
    ["warning_closed", [], false],
    ["needs_response", [out], true],
    ["needs_response", [], false],
    ["under_review", [out], true],
    ["appeal_under_review", [out], true],
    ["lost", [out], true],
    ["won", [out], true],
    ["won", [out, back], false],
    ["prevented", [], false],
    ["prevented", [out], true],
  ])("counts a dispute that is %s with transactions %j: %s", (status, transactions, isDebited) => {
    const dispute = { id: "dp_1", amount: 100, currency: "usd", status };
    expect(disputeReversal({ ...dispute, balance_transactions: transactions }, 2500)).toMatchObject(
      { isDebited, amount: 100 },
    );
  });

  it("debits what the balance transactions took, when they are in the balance's currency", () => {
    const dispute = { id: "dp_1", amount: 2500, currency: "usd", status: "lost" };
    const partly = [
      { amount: -2500, currency: "usd" },
      { amount: 1000, currency: "usd" },
    ];
    expect(disputeReversal({ ...dispute, balance_transactions: partly }, 2500).amount).toBe(1500);
  });

  it("debits the whole payment for a dispute in a foreign currency", () => {
    const dispute = { id: "dp_1", amount: 99_000, currency: "jpy", status: "lost" };
    const taken = [{ amount: -99_000, currency: "jpy" }];
    expect(disputeReversal({ ...dispute, balance_transactions: taken }, 2500).amount).toBe(2500);
  });

  it("orders two readings, even with failed refunds and won appeals", () => {
    const refunds = ["pending", "succeeded", "failed"].map(
      (status) => refundReversal({ id: "re_1", amount: 1, status }).version,
    );
    const withdrawn = [out];
    const disputes = [
      { status: "warning_needs_response", balance_transactions: [] },
      { status: "needs_response", balance_transactions: withdrawn },
      { status: "lost", balance_transactions: withdrawn },
      { status: "won", balance_transactions: [...withdrawn, back] },
      { status: "prevented", balance_transactions: [...withdrawn, back] },
    ].map(
      (dispute) =>
        disputeReversal({ id: "dp_1", amount: 1, currency: "usd", ...dispute }, 1).version,
    );
    for (const versions of [refunds, disputes]) {
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    }
  });
});
