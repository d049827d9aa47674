import { describe, expect, it } from "vitest";
import type { CheckoutSession } from "@/lib/billing/schema";
import { AppError } from "@/lib/errors";
import { isUnsettled, toCheckoutViewState } from "./checkout-view-state";

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
