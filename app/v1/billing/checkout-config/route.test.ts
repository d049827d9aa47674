import { describe, expect, it } from "vitest";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import { startFakeStripe } from "@/lib/testing/payments";

const PATH = "/v1/billing/checkout-config";

describe("GET /v1/billing/checkout-config", () => {
  it("returns the payment settings and all prices as decimal strings", async () => {
    const { key } = await makeKeyedAccount();
    const { status, json } = await call("GET", PATH, { key });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: "billing.checkout_config",
      provider: "simulated",
      currency: "usd",
      min_amount: 500,
      max_amount: 500_000,
      presets: [1000, 2500, 5000, 10_000],
      rates: {
        search_usd: "0.000500",
        ingest_usd_per_thousand_tokens: "0.000020",
        ocr_usd_per_page: "0.000500",
        failed_parsing_usd_per_cpu_second: "0.000010",
      },
    });
    expect(json.rates.models[0]).toEqual({
      id: "footnote-extract-1",
      core: { input_usd_per_million: "0.020000", output_usd_per_million: "0.080000" },
      grounded: { input_usd_per_million: "0.050000", output_usd_per_million: "0.200000" },
    });
  });

  it("returns stripe as the provider when Stripe is configured", async () => {
    await startFakeStripe();
    const { key } = await makeKeyedAccount();
    expect((await call("GET", PATH, { key })).json.provider).toBe("stripe");
  });

  it("requires the billing:read scope", async () => {
    const { ctx } = await makeAccount();
    const writer = await makeKey(ctx, { scopes: ["billing:write"] });
    expect((await call("GET", PATH, { key: writer.secret })).status).toBe(403);
    expect((await call("GET", PATH)).status).toBe(401);
  });
});
