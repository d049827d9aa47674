import * as z from "zod";
import { type Micros, microsToUsd } from "@/lib/billing/money";
import type { Charge, ChargePart } from "@/lib/usage/schema";

/** The forms in which records keep the rate they were billed at. `verification`: of a model that checked the answer. */
const Rate = z.object({
  input: z.number().optional(),
  output: z.number().optional(),
  search_usd: z.number().optional(),
  ingest_usd_per_thousand_tokens: z.number().optional(),
  verification: z
    .object({
      input: z.number(),
      output: z.number(),
      prompt_tokens: z.number().int(),
      completion_tokens: z.number().int(),
    })
    .optional(),
});

interface Billed {
  rate: unknown;
  promptTokens: number;
  completionTokens: number;
  costMicros: Micros;
}

/** A rate has at most six decimal places, or three for a million tokens; a price for a thousand has more. */
const PLACES = 12;
const SCALE = 10n ** BigInt(PLACES);

/** How the cost of a request came about, at the rate it was billed at; without parts when that is not known. */
export function chargeOf({ rate, promptTokens, completionTokens, costMicros }: Billed): Charge {
  const { verification, ...known } = Rate.safeParse(rate).data ?? {};
  const parts = [
    part("Input tokens", promptTokens, { usd: known.input, per: 1_000_000 }),
    part("Output tokens", completionTokens, { usd: known.output, per: 1_000_000 }),
    part("Verification input", verification?.prompt_tokens ?? 0, {
      usd: verification?.input,
      per: 1_000_000,
    }),
    part("Verification output", verification?.completion_tokens ?? 0, {
      usd: verification?.output,
      per: 1_000_000,
    }),
    part("Search", 1, { usd: known.search_usd, per: 1 }),
    part("Tokens", promptTokens, { usd: known.ingest_usd_per_thousand_tokens, per: 1000 }),
  ].filter((each) => each !== null);
  return {
    parts: parts.map(({ exact, ...each }) => ({ ...each, usd: toUsd(exact) })),
    exact_usd: toUsd(parts.reduce((sum, { exact }) => sum + exact, 0n)),
    charged_usd: microsToUsd(costMicros),
  };
}

function part(
  name: string,
  quantity: number,
  price: { usd: number | undefined; per: number },
): (Omit<ChargePart, "usd"> & { exact: bigint }) | null {
  if (price.usd === undefined) {
    return null;
  }
  const exact = (BigInt(quantity) * scaled(price.usd)) / BigInt(price.per);
  return { name, quantity, price_usd: toUsd(scaled(price.usd)), per: price.per, exact };
}

/** Exact, because a price has at most nine places that count. */
function scaled(usd: number): bigint {
  return BigInt(Math.round(usd * 1e9)) * 10n ** BigInt(PLACES - 9);
}

/** A decimal string without closing zeros, but with six places at least. */
function toUsd(amount: bigint): string {
  const fraction = String(amount % SCALE).padStart(PLACES, "0");
  return `${amount / SCALE}.${fraction.slice(0, 6)}${fraction.slice(6).replace(/0+$/, "")}`;
}
