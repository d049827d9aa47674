import { describe, expect, it } from "vitest";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import { openCheckout, paymentEntries, startFakeStripe } from "@/lib/testing/payments";

const PATH = "/v1/billing/checkout-sessions";

describe("GET /v1/billing/checkout-sessions/{id}", () => {
  it("follows a checkout until it is paid, and credits it", async () => {
    const stripe = await startFakeStripe();
    const { key, id: accountId } = await makeKeyedAccount();
    const { id, sessionId } = await openCheckout(key);
    const read = () => call("GET", `${PATH}/${id}`, { key });
    expect((await read()).json).toMatchObject({
      id,
      object: "billing.checkout_session",
      status: "open",
    });
    stripe.pay(sessionId);
    expect((await read()).json).toMatchObject({ id, status: "paid", amount: 2500 });
    expect(await paymentEntries(accountId)).toEqual([["top_up", 2500]]);
  });

  it("answers 404 for another account's checkout, and 403 without the scope", async () => {
    await startFakeStripe();
    const { key } = await makeKeyedAccount();
    const { id } = await openCheckout(key);
    const outsider = await makeKeyedAccount();
    expect((await call("GET", `${PATH}/${id}`, { key: outsider.key })).status).toBe(404);
    const { ctx } = await makeAccount();
    const writer = await makeKey(ctx, { scopes: ["billing:write"] });
    expect((await call("GET", `${PATH}/${id}`, { key: writer.secret })).status).toBe(403);
  });
});
