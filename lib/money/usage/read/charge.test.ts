import { describe, expect, it } from "vitest";
import {
  chatCost,
  failedParsingCost,
  ingestCost,
  RATES,
  searchCost,
} from "@/lib/money/billing/rates";
import { chargeOf } from "./request";

function used(prompt_tokens: number, completion_tokens: number, cost_micros: bigint) {
  return { prompt_tokens, completion_tokens, cost_micros };
}

describe("the breakdown of a charge", () => {
  it("adds up to the charge of a completion", () => {
    const rate = { input: 0.05, output: 0.2 };
    const tokens = { prompt: 2417, completion: 283 };
    const costMicros = chatCost({ core: rate, grounded: rate }, "grounded", tokens);
    expect(chargeOf(rate, used(2417, 283, costMicros))).toEqual({
      parts: [
        {
          name: "Input tokens",
          quantity: 2417,
          price_usd: "0.050000",
          per: 1e6,
          usd: "0.00012085",
        },
        { name: "Output tokens", quantity: 283, price_usd: "0.200000", per: 1e6, usd: "0.0000566" },
      ],
      exact_usd: "0.00017745",
      charged_usd: "0.000178",
    });
  });

  it("includes verification by a model", () => {
    const rate = {
      ...{ input: 1, output: 4 },
      verification: {
        model: "judge",
        input: 2,
        output: 8,
        prompt_tokens: 500,
        completion_tokens: 50,
      },
    };
    const charge = chargeOf(rate, used(100, 10, 1540n));
    expect(charge.parts.map(({ name, usd }) => [name, usd])).toEqual([
      ["Input tokens", "0.000100"],
      ["Output tokens", "0.000040"],
      ["Verification input", "0.001000"],
      ["Verification output", "0.000400"],
    ]);
    expect(charge).toMatchObject({ exact_usd: "0.001540", charged_usd: "0.001540" });
  });

  it("covers a search and an ingested document", () => {
    const search = { search_usd: RATES.searchUsd };
    expect(chargeOf(search, used(0, 0, searchCost()))).toMatchObject({
      parts: [{ name: "Search", quantity: 1, per: 1, usd: "0.000500" }],
      charged_usd: "0.000500",
    });
    const rate = { ingest_usd_per_thousand_tokens: RATES.ingestUsdPerThousandTokens };
    const costMicros = ingestCost(12_345);
    expect(chargeOf(rate, used(12_345, 0, costMicros))).toMatchObject({
      parts: [{ name: "Tokens", quantity: 12_345, price_usd: "0.000020", per: 1000 }],
      exact_usd: "0.0002469",
      charged_usd: "0.000247",
    });
  });

  it("covers a document that was too complex to parse", () => {
    const rate = {
      failed_parsing_usd_per_cpu_second: RATES.failedParsingUsdPerCpuSecond,
      cpu_ms: 12_345,
    };
    expect(chargeOf(rate, used(0, 0, failedParsingCost(12_345)))).toMatchObject({
      parts: [{ name: "CPU milliseconds", quantity: 12_345, price_usd: "0.000010", per: 1000 }],
      exact_usd: "0.00012345",
      charged_usd: "0.000124",
    });
  });

  it.each([[{}], [null], ["free"], [{ input: "1" }]])(
    "has no parts for the invalid rate %j",
    (rate) => {
      expect(chargeOf(rate, used(1, 1, 7n))).toEqual({
        parts: [],
        exact_usd: "0.000000",
        charged_usd: "0.000007",
      });
    },
  );
});
