import { describe, expect, it } from "vitest";
import type { CheckoutSession } from "@/lib/billing/schema";
import { AppError } from "@/lib/errors";
import { faceOf, isUnsettled } from "./checkout-view-state";

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

describe("faceOf", () => {
  it.each([
    ["open", false, "processing"],
    ["open", true, "cancelled"],
    ["processing", true, "processing"],
    ["paid", true, "paid"],
    ["failed", false, "failed"],
    ["expired", false, "expired"],
  ] as const)("shows a session that is %s, cancelled %s, as %s", (status, isCancelled, kind) => {
    expect(faceOf({ session: session(status), error: null, isCancelled }).kind).toBe(kind);
  });

  it("shows a session that cannot be read as unknown, unreadable, or not yet read", () => {
    const of = (error: Error | null) => faceOf({ session: undefined, error, isCancelled: false });
    expect(of(missing).kind).toBe("unknown");
    expect(of(new Error("We couldn’t reach the server.")).kind).toBe("unreadable");
    expect(of(null).kind).toBe("checking");
  });

  it("keeps what it knows when a later look fails", () => {
    const face = faceOf({
      session: session("paid"),
      error: new Error("We couldn’t reach the server."),
      isCancelled: false,
    });
    expect(face.title).toBe("$25.00 added");
  });
});

describe("isUnsettled", () => {
  it("looks again only while the provider may change something", () => {
    expect(isUnsettled(session("open"), false)).toBe(true);
    expect(isUnsettled(session("open"), true)).toBe(false);
    expect(isUnsettled(session("processing"), true)).toBe(true);
    expect(isUnsettled(session("paid"), false)).toBe(false);
    expect(isUnsettled(undefined, false)).toBe(false);
  });
});
