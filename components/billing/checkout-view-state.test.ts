import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import type { CheckoutSession, LedgerEntry } from "@/lib/money/billing/schema";
import { findCollected, isUnsettled, toCheckoutViewState } from "./checkout-view-state";

function session(status: CheckoutSession["status"]): CheckoutSession {
  return {
    id: "cs_1",
    object: "billing.checkout_session",
    url: "http://localhost:3000/checkout/simulated/cs_1",
    status,
    amount: 2500,
    currency: "usd",
    expires_at: "2026-11-22T00:00:00.000Z",
  };
}

const missing = new AppError("not_found", "There is no such checkout. Check its id.");

describe("findCollected", () => {
  const entry = (change: Partial<LedgerEntry>): LedgerEntry => ({
    id: "txn_1",
    kind: "refund",
    amount_usd: "-15.000000",
    balance_after_usd: "0.000000",
    description: null,
    reference: "refund:pi_old:1",
    payment: null,
    request: null,
    created_at: "2026-11-22T10:00:00.000Z",
    ...change,
  });
  const topUp = entry({ kind: "top_up", amount_usd: "30.000000", payment: "pi_new" });

  it("sums what a top-up paid for earlier payments at once", () => {
    const other = entry({ reference: "refund:pi_older:1", amount_usd: "-0.500000" });
    expect(findCollected(3000, [other, entry({}), topUp])).toBe("15.500000");
  });

  it.each([
    ["nothing was outstanding", [topUp]],
    ["the refund came at another time", [entry({ created_at: "2026-11-22T11:00:00.000Z" }), topUp]],
    ["the refund is of the payment itself", [entry({ reference: "refund:pi_new:1" }), topUp]],
    ["the top-up is another one", [entry({}), { ...topUp, amount_usd: "20.000000" }]],
    ["the ledger is empty", []],
  ])("finds nothing when %s", (_, entries) => {
    expect(findCollected(3000, entries)).toBeNull();
  });
});

describe("toCheckoutViewState", () => {
  it.each([
    ["open", false, "processing"],
    ["open", true, "cancelled"],
    ["processing", true, "processing"],
    ["paid", true, "paid"],
    ["failed", false, "failed"],
    ["expired", false, "expired"],
  ] as const)("shows a session that is %s, cancelled %s, as %s", (status, isCancelled, kind) => {
    expect(toCheckoutViewState({ session: session(status), error: null, isCancelled }).kind).toBe(
      kind,
    );
  });

  it("distinguishes an unknown session, a failed request and a pending one", () => {
    const of = (error: Error | null) =>
      toCheckoutViewState({ session: undefined, error, isCancelled: false });
    expect(of(missing).kind).toBe("unknown");
    expect(of(new Error("We couldn’t reach the server.")).kind).toBe("unreadable");
    expect(of(null).kind).toBe("checking");
  });

  it("keeps the last known state when a later poll fails", () => {
    const view = toCheckoutViewState({
      session: session("paid"),
      error: new Error("We couldn’t reach the server."),
      isCancelled: false,
    });
    expect(view.title).toBe("$25.00 added");
  });
});

describe("isUnsettled", () => {
  it("is true only while the provider may still report a change", () => {
    expect(isUnsettled(session("open"), false)).toBe(true);
    expect(isUnsettled(session("open"), true)).toBe(false);
    expect(isUnsettled(session("processing"), true)).toBe(true);
    expect(isUnsettled(session("paid"), false)).toBe(false);
    expect(isUnsettled(undefined, false)).toBe(false);
  });
});
