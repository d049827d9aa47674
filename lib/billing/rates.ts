import * as z from "zod";
import { env } from "@/lib/env";
import { divideUp, type Micros, usdToMicros } from "./money";
import { readRatesFile } from "./rates-file";

/** US dollars for a million input and output tokens; at most three decimal places, so that costs stay exact. */
const usdPerMillion = z.number().min(0).max(10_000).multipleOf(0.001);
const TokenRate = z.strictObject({ input: usdPerMillion, output: usdPerMillion });

/** What a model costs: `core` without retrieval, `grounded` with it. */
export const ModelRates = z.strictObject({ core: TokenRate, grounded: TokenRate });
export type ModelRates = z.infer<typeof ModelRates>;

export type ChatKind = "core" | "grounded";

/** Whole micro-dollars, so that what is shown is what is charged. */
const usd = z.number().min(0).max(1000).multipleOf(0.000_001);

/** What RATES_FILE may say in place of the table below; a member that is absent leaves it as it is. */
const RatesFile = z.strictObject({
  embedded: ModelRates.optional(),
  upstream: ModelRates.optional(),
  /** By model id; comes before the two above. */
  models: z.record(z.string().min(1).max(200), ModelRates).optional(),
  search_usd: usd.optional(),
  ingest_usd_per_thousand_tokens: usd.optional(),
});

interface Rates {
  /** The embedded extractive model. */
  embedded: ModelRates;
  /** An upstream model that has no rates of its own. */
  upstream: ModelRates;
  models: ReadonlyMap<string, ModelRates>;
  /** One direct knowledge base search. */
  searchUsd: number;
  /** A thousand tokens of an ingested document. */
  ingestUsdPerThousandTokens: number;
}

/** The one place where prices stand: charges, usage records and the pricing page all come from here. */
export const RATES: Rates = resolveRates(env.RATES_FILE);

/** The built-in rates with those of a file in their place. Throws a sentence that names file and field. */
export function resolveRates(file: string | undefined): Rates {
  const own = file ? readRatesFile(file, RatesFile) : {};
  return {
    embedded: own.embedded ?? {
      core: { input: 0.02, output: 0.08 },
      grounded: { input: 0.05, output: 0.2 },
    },
    upstream: own.upstream ?? {
      core: { input: 1, output: 4 },
      grounded: { input: 1.25, output: 5 },
    },
    models: new Map(Object.entries(own.models ?? {})),
    searchUsd: own.search_usd ?? 0.0005,
    ingestUsdPerThousandTokens: own.ingest_usd_per_thousand_tokens ?? 0.00002,
  };
}

interface Tokens {
  prompt: number;
  completion: number;
}

/** The price of a completion, rounded up to the next micro-dollar once. */
export function chatCost(rates: ModelRates, kind: ChatKind, tokens: Tokens): Micros {
  return sumCost([{ rates, kind, tokens }]);
}

/** The price of all that one request asked of models, rounded up to the next micro-dollar once. */
export function sumCost(
  parts: readonly { rates: ModelRates; kind: ChatKind; tokens: Tokens }[],
): Micros {
  const nanos = parts.map(
    ({ rates, kind, tokens }) =>
      BigInt(tokens.prompt) * nanosPerToken(rates[kind].input) +
      BigInt(tokens.completion) * nanosPerToken(rates[kind].output),
  );
  return divideUp(
    nanos.reduce((sum, part) => sum + part, 0n),
    1000n,
  );
}

/** How many tokens each of several answers may have, so that all of the request costs an amount at most; 0 when not one. */
export function affordableTokens(
  rates: ModelRates,
  kind: ChatKind,
  request: { prompt: number; answers: number; availableMicros: Micros },
): number {
  const left =
    request.availableMicros * 1000n - BigInt(request.prompt) * nanosPerToken(rates[kind].input);
  const each = BigInt(request.answers) * nanosPerToken(rates[kind].output);
  if (left < 0n) {
    return 0;
  }
  return each === 0n ? Number.MAX_SAFE_INTEGER : Number(left / each);
}

export function searchCost(): Micros {
  return usdToMicros(RATES.searchUsd);
}

export function ingestCost(tokens: number): Micros {
  const nanosPerThousand = BigInt(Math.round(RATES.ingestUsdPerThousandTokens * 1_000_000_000));
  return divideUp(BigInt(tokens) * nanosPerThousand, 1_000_000n);
}

/** A dollar for a million tokens is a micro-dollar, so a thousand nano-dollars, for one. */
function nanosPerToken(usdForMillion: number): bigint {
  return BigInt(Math.round(usdForMillion * 1000));
}
