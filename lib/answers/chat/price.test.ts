import { expect, it } from "vitest";
import { embeddedModel } from "@/lib/models/catalogue";
import { toUsage } from "@/lib/models/message-tokens";
import { SentCalls } from "@/lib/models/sent-call";
import { priceOf } from "./price";

const RATES = {
  core: { input: 2, output: 8, cached_input: 0.5, cache_write: 2.5 },
  grounded: { input: 3, output: 9 },
};
const UPSTREAM = { baseUrl: "http://localhost", apiKey: "", model: "m", api: "chat" as const };
const MODEL = { ...embeddedModel(), upstream: UPSTREAM, rates: RATES };
const MOST = { prompt: 10_000, completion: 1000 };

async function price(kind: "core" | "grounded", details: object, fields: object = {}) {
  const calls = new SentCalls();
  const call = calls.begin(MODEL, { model: "m", messages: [] }, MOST);
  call.report({ ...toUsage(1000, 100), prompt_tokens_details: details, ...fields });
  call.end("answered");
  await calls.close();
  return priceOf(RATES, kind, { answer: calls.bill() });
}

it("bills cached prompt tokens at their own rate, and records how many there were", async () => {
  expect(await price("core", { cached_tokens: 400 })).toEqual({
    cost: BigInt(600 * 2 + 400 * 0.5 + 100 * 8),
    unbilled: 0n,
    rate: { ...RATES.core, cached_tokens: 400 },
  });
});

it.each([
  [{ cached_tokens: 100, cache_write_tokens: 400 }, {}],
  [{ cached_tokens: 100, cache_creation_tokens: 400 }, {}],
  [{}, { cache_read_input_tokens: 100, cache_creation_input_tokens: 400 }],
  [{}, { prompt_cache_hit_tokens: 100, cache_creation_input_tokens: 400 }],
])(
  "bills tokens that were read from and written to a cache, told as %j %j",
  async (details, fields) => {
    expect(await price("core", details, fields)).toMatchObject({
      cost: BigInt(500 * 2 + 100 * 0.5 + 400 * 2.5 + 100 * 8),
      rate: { cached_tokens: 100, cache_write_tokens: 400 },
    });
  },
);

it.each([0, -5, 1.5, "400", null, undefined])(
  "ignores a report of %s cached tokens",
  async (cached) => {
    expect(await price("core", { cached_tokens: cached, cache_write_tokens: cached })).toEqual({
      cost: BigInt(1000 * 2 + 100 * 8),
      unbilled: 0n,
      rate: RATES.core,
    });
  },
);

it("never counts more cached or written tokens than the prompt has", async () => {
  expect((await price("core", { cached_tokens: 5000 })).cost).toBe(BigInt(1000 * 0.5 + 100 * 8));
  expect((await price("core", { cached_tokens: 600, cache_write_tokens: 5000 })).cost).toBe(
    BigInt(600 * 0.5 + 400 * 2.5 + 100 * 8),
  );
});

it("bills cached tokens as others where they have no rate", async () => {
  expect(await price("grounded", { cached_tokens: 400, cache_write_tokens: 9 })).toEqual({
    cost: BigInt(1000 * 3 + 100 * 9),
    unbilled: 0n,
    rate: RATES.grounded,
  });
});
