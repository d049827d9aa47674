import { microsToUsd, usdToMicros } from "@/lib/money/billing/money";
import { type ModelRates, RATES } from "@/lib/money/billing/rates";
import type { Rates } from "@/lib/money/billing/schema";
import { env } from "@/lib/platform/env";
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
    verification_usd_per_citation: usd(RATES.verificationUsdPerCitation),
    verification_free_citations: RATES.verificationFreeCitations,
    embedding_model: env.EMBEDDING_MODEL ?? null,
    embedding_usd_per_million_tokens: usd(RATES.embeddingUsdPerMillionTokens),
    ingest_usd_per_thousand_tokens: usd(RATES.ingestUsdPerThousandTokens),
    ocr_usd_per_page: usd(RATES.ocrUsdPerPage),
    failed_parsing_usd_per_cpu_second: usd(RATES.failedParsingUsdPerCpuSecond),
  };
}

function pricesOf(rate: ModelRates["core"]): Rates["models"][number]["core"] {
  return {
    input_usd_per_million: usd(rate.input),
    output_usd_per_million: usd(rate.output),
    ...(rate.cached_input !== undefined && {
      cached_input_usd_per_million: usd(rate.cached_input),
    }),
    ...(rate.cache_write !== undefined && {
      cache_write_usd_per_million: usd(rate.cache_write),
    }),
  };
}

function usd(amount: number): string {
  return microsToUsd(usdToMicros(amount));
}
