import { expect, it } from "vitest";
import { toUsage } from "@/lib/models/message-tokens";
import { priceOf } from "./price";

const RATES = {
  core: { input: 2, output: 8, cached_input: 0.5 },
  grounded: { input: 3, output: 9 },
};

function price(kind: "core" | "grounded", cached: unknown) {
  const usage = { ...toUsage(1000, 100), prompt_tokens_details: { cached_tokens: cached } };
  return priceOf(RATES, { kind, usage }, {});
}

it("bills cached prompt tokens at their own rate, and records how many there were", () => {
  expect(price("core", 400)).toEqual({
    cost: BigInt(600 * 2 + 400 * 0.5 + 100 * 8),
    rate: { ...RATES.core, cached_tokens: 400 },
  });
});

it.each([0, -5, 1.5, "400", null, undefined])("ignores a report of %s cached tokens", (cached) => {
  expect(price("core", cached)).toEqual({
    cost: BigInt(1000 * 2 + 100 * 8),
    rate: RATES.core,
  });
});

it("never counts more cached tokens than the prompt has", () => {
  expect(price("core", 5000).cost).toBe(BigInt(1000 * 0.5 + 100 * 8));
});

it("bills cached tokens as others where they have no rate", () => {
  expect(price("grounded", 400)).toEqual({
    cost: BigInt(1000 * 3 + 100 * 9),
    rate: RATES.grounded,
  });
});
