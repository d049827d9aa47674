import { microsToUsd, usdToMicros } from "@/lib/billing/money";
import { type ModelRates, RATES } from "@/lib/billing/rates";
import type { Rates } from "@/lib/billing/schema";
import { listModels } from "./catalogue";

/** This deployment's rates, for charges, the pricing page and `checkout-config`. */
export function listRates(): Rates {
  return {
    models: listModels().map(({ id, rates }) => ({
      id,
      core: pricesOf(rates.core),
      grounded: pricesOf(rates.grounded),
    })),
    search_usd: usd(RATES.searchUsd),
    ingest_usd_per_thousand_tokens: usd(RATES.ingestUsdPerThousandTokens),
  };
}

function pricesOf(rate: ModelRates["core"]): Rates["models"][number]["core"] {
  return { input_usd_per_million: usd(rate.input), output_usd_per_million: usd(rate.output) };
}

function usd(amount: number): string {
  return microsToUsd(usdToMicros(amount));
}
