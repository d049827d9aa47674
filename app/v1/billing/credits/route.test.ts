import { describe, expect, it } from "vitest";
import { placeHold } from "@/lib/money/billing/write/hold";
import { call } from "@/lib/testing/api";
import { keyContext, makeKeyedAccount } from "@/lib/testing/factories";

describe("GET /v1/billing/credits", () => {
  it("returns the balance, held and available amounts as decimal strings", async () => {
    const { key, keyId, ctx } = await makeKeyedAccount();
    await placeHold(keyContext(ctx, { id: keyId }), 1_250_000n);
    const { status, json } = await call("GET", "/v1/billing/credits", { key });
    expect(status).toBe(200);
    expect(json).toEqual({
      object: "billing.credits",
      currency: "usd",
      balance_usd: "5.000000",
      held_usd: "1.250000",
      available_usd: "3.750000",
      outstanding_usd: "0.000000",
      outstanding_reason: null,
      updated_at: expect.stringMatching(/Z$/),
    });
  });
});
