import * as z from "zod";
import { divideUp, type Micros, usdToMicros } from "./money";

/** US dollars for a million input and output tokens; at most three decimal places, so that costs stay exact. */
const usdPerMillion = z.number().min(0).max(10_000).multipleOf(0.001);
const TokenRate = z.strictObject({ input: usdPerMillion, output: usdPerMillion });

/** What a model costs: `core` without retrieval, `grounded` with it. */
export const ModelRates = z.strictObject({ core: TokenRate, grounded: TokenRate });
export type ModelRates = z.infer<typeof ModelRates>;

export type ChatKind = "core" | "grounded";

/** The one place where prices stand: charges, usage records and the pricing page all come from here. */
export const RATES = {
  /** The embedded extractive model. */
  embedded: { core: { input: 0.02, output: 0.08 }, grounded: { input: 0.05, output: 0.2 } },
  /** An upstream model whose catalogue entry names no rates. */
  upstream: { core: { input: 1, output: 4 }, grounded: { input: 1.25, output: 5 } },
  /** One direct knowledge base search. */
  searchUsd: 0.0005,
  /** A thousand tokens of an ingested document. */
  ingestUsdPerThousandTokens: 0.00002,
} as const satisfies { embedded: ModelRates; upstream: ModelRates } & Record<string, unknown>;

/** The price of a completion, rounded up to the next micro-dollar once. */
export function chatCost(
  rates: ModelRates,
  kind: ChatKind,
  tokens: { prompt: number; completion: number },
): Micros {
  const nanos =
    BigInt(tokens.prompt) * nanosPerToken(rates[kind].input) +
    BigInt(tokens.completion) * nanosPerToken(rates[kind].output);
  return divideUp(nanos, 1000n);
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
