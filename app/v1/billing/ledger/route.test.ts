import { describe, expect, it } from "vitest";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import { deliver, openCheckout, startFakeStripe } from "@/lib/testing/payments";

const PATH = "/v1/billing/ledger";

describe("GET /v1/billing/ledger", () => {
  it("lists a top-up and its refund, newest first, page by page", async () => {
    const stripe = await startFakeStripe();
    const { key } = await makeKeyedAccount();
    const { sessionId } = await openCheckout(key);
    const payment = stripe.pay(sessionId);
    stripe.refund(payment, 1000);
    await deliver(stripe.event("checkout.session.completed", { id: sessionId }));
    const first = await call("GET", `${PATH}?limit=1`, { key });
    expect(first.json).toMatchObject({
      object: "list",
      has_more: true,
      data: [{ kind: "refund", amount_usd: "-10.000000", description: "Payment refunded" }],
    });
    const second = await call("GET", `${PATH}?limit=1&after=${first.json.next_cursor}`, { key });
    expect(second.json.data).toMatchObject([{ kind: "top_up", amount_usd: "25.000000", payment }]);
  });

  it("answers 400 for a wrong limit or cursor, and 403 without the scope", async () => {
    const { key } = await makeKeyedAccount();
    for (const after of ["x", "upload_1"]) {
      const { status, json } = await call("GET", `${PATH}?after=${after}`, { key });
      expect([status, json.error?.param]).toEqual([400, "after"]);
    }
    expect((await call("GET", `${PATH}?limit=0`, { key })).json.error.param).toBe("limit");
    const { ctx } = await makeAccount();
    const writer = await makeKey(ctx, { scopes: ["billing:write"] });
    expect((await call("GET", PATH, { key: writer.secret })).status).toBe(403);
  });
});
