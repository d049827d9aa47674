import "server-only";

import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { env } from "@/lib/platform/env";
import { divideUp, type Micros, usdToMicros } from "./money";

/** US dollars for a million input and output tokens; at most three decimal places, so that costs stay exact. */
const usdPerMillion = z.number().min(0).max(10_000).multipleOf(0.001);
const TokenRate = z
  .strictObject({
    input: usdPerMillion,
    output: usdPerMillion,
    /** For prompt tokens that the upstream read from its cache; without it they cost what others do. */
    cached_input: usdPerMillion.optional(),
    /** For those that it wrote to its cache; some upstreams charge more for them. */
    cache_write: usdPerMillion.optional(),
  })
  .refine(({ input, cached_input = 0 }) => cached_input <= input, {
    path: ["cached_input"],
    message: "cached tokens can't cost more than others",
  });

/** A model's rates: `core` without retrieval, `grounded` with it. */
export const ModelRates = z.strictObject({ core: TokenRate, grounded: TokenRate });
export type ModelRates = z.infer<typeof ModelRates>;

export type ChatKind = "core" | "grounded";

/** Whole micro-dollars, so that shown and charged prices are equal. */
const usd = z.number().min(0).max(1000).multipleOf(0.000_001);

/** All rates, with the defaults that RATES_FILE overrides. */
const Rates = z
  .strictObject({
    embedded: ModelRates.default({
      core: { input: 0.02, output: 0.08 },
      grounded: { input: 0.05, output: 0.2 },
    }),
    /** For upstream models without their own rates. */
    upstream: ModelRates.default({
      core: { input: 1, output: 4 },
      grounded: { input: 1.25, output: 5 },
    }),
    /** By model id; takes precedence over the two above. */
    models: z.record(z.string().min(1).max(200), ModelRates).default({}),
    /** One direct knowledge base search. */
    search_usd: usd.default(0.0005),
    /** One citation that `POST /v1/citations/verify` checks, after the free ones of each request. */
    verification_usd_per_citation: usd.default(0.00002),
    verification_free_citations: z.int().min(0).max(10_000).default(10),
    /** `POST /v1/embeddings`. */
    embedding_usd_per_million_tokens: usdPerMillion.default(0.02),
    ingest_usd_per_thousand_tokens: usd.default(0.00002),
    /** A page whose text is recognized in its image. */
    ocr_usd_per_page: usd.default(0.0005),
    /** A document whose parsing exceeds its limits; other failed documents are free. */
    failed_parsing_usd_per_cpu_second: usd.default(0.00001),
  })
  .transform(
    ({
      models,
      search_usd,
      verification_usd_per_citation,
      verification_free_citations,
      embedding_usd_per_million_tokens,
      ingest_usd_per_thousand_tokens,
      ocr_usd_per_page,
      failed_parsing_usd_per_cpu_second,
      ...rates
    }) => ({
      ...rates,
      models: new Map(Object.entries(models)),
      searchUsd: search_usd,
      verificationUsdPerCitation: verification_usd_per_citation,
      verificationFreeCitations: verification_free_citations,
      embeddingUsdPerMillionTokens: embedding_usd_per_million_tokens,
      ingestUsdPerThousandTokens: ingest_usd_per_thousand_tokens,
      ocrUsdPerPage: ocr_usd_per_page,
      failedParsingUsdPerCpuSecond: failed_parsing_usd_per_cpu_second,
    }),
  );

/** All prices: charges, usage records and the pricing page use these. */
export const RATES = resolveRates(env.RATES_FILE);

/** The built-in rates, overridden by a file. Throws a sentence that names file and field. */
export function resolveRates(file: string | undefined): z.output<typeof Rates> {
  const { data, error } = Rates.safeParse(file ? readJson(file) : {});
  if (!error) {
    return data;
  }
  const [issue] = error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const field = [...(issue?.path ?? []), ...unknown].map(String).join(".");
  const what = unknown.length > 0 ? "is not a field of it" : issue?.message;
  throw new Error(
    `The rates in ${file} (RATES_FILE) are not right: ${field ? `'${field}': ` : ""}${what}.`,
  );
}

/** The higher of each rate: a bound on what any of the models charges, whatever is cached or written to a cache. */
export function dearestRates(all: readonly ModelRates[]): ModelRates {
  const dearest = (kind: ChatKind) => ({
    input: Math.max(
      ...all.map(({ [kind]: { input, cache_write = 0 } }) => Math.max(input, cache_write)),
    ),
    output: Math.max(...all.map(({ [kind]: { output } }) => output)),
  });
  return { core: dearest("core"), grounded: dearest("grounded") };
}

interface Tokens {
  prompt: number;
  completion: number;
  /** Those of the prompt that the upstream read from its cache, and those that it wrote to it. */
  cached?: number;
  written?: number;
}

/** The price of a completion, rounded up to the next micro-dollar once. */
export function chatCost(rates: ModelRates, kind: ChatKind, tokens: Tokens): Micros {
  return sumCost([{ rates, kind, tokens }]);
}

/** The price of all model calls of one request, rounded up to the next micro-dollar once. */
export function sumCost(
  parts: readonly { rates: ModelRates; kind: ChatKind; tokens: Tokens }[],
): Micros {
  const nanos = parts.reduce(
    (sum, { rates, kind, tokens }) =>
      sum +
      promptNanos(rates[kind], tokens) +
      BigInt(tokens.completion) * nanosPerToken(rates[kind].output),
    0n,
  );
  return divideUp(nanos, 1000n);
}

function promptNanos(
  { input, cached_input = input, cache_write = input }: ModelRates["core"],
  { prompt, cached = 0, written = 0 }: Tokens,
): bigint {
  return (
    BigInt(prompt - cached - written) * nanosPerToken(input) +
    BigInt(cached) * nanosPerToken(cached_input) +
    BigInt(written) * nanosPerToken(cache_write)
  );
}

interface Bounds {
  /** The most tokens the prompt can have. */
  prompt: number;
  /** The most tokens each answer can have. */
  output: number;
  answers: number;
  /** The most that other models can cost. */
  extraMicros: Micros;
}

/** The most a request can cost, and the most tokens each of its answers can have for an amount: 0 when not even one. */
export function boundCost(
  rates: ModelRates,
  kind: ChatKind,
  { prompt, output, answers, extraMicros }: Bounds,
): { worstCaseMicros: Micros; affordableTokens: (availableMicros: Micros) => number } {
  const promptNanos = BigInt(prompt) * nanosPerToken(rates[kind].input);
  const eachNanos = BigInt(answers) * nanosPerToken(rates[kind].output);
  return {
    worstCaseMicros: chatCost(rates, kind, { prompt, completion: output * answers }) + extraMicros,
    affordableTokens: (availableMicros) => {
      const left = (availableMicros - extraMicros) * 1000n - promptNanos;
      if (left < 0n) {
        return 0;
      }
      return eachNanos === 0n ? Number.MAX_SAFE_INTEGER : Number(left / eachNanos);
    },
  };
}

export function searchCost(): Micros {
  return usdToMicros(RATES.searchUsd);
}

/** The citations of a request that cost something. */
export function billedCitations(citations: number): number {
  return Math.max(0, citations - RATES.verificationFreeCitations);
}

/** A text is billed as at least one citation for each so many characters, because reading it takes time as well. */
const CHARACTERS_PER_CITATION = 10_000;

/** What checking a text counts as. */
export function countedCitations(text: string, citations: number): number {
  return Math.max(citations, Math.ceil(text.length / CHARACTERS_PER_CITATION));
}

export function verificationCost(citations: number): Micros {
  return BigInt(billedCitations(citations)) * usdToMicros(RATES.verificationUsdPerCitation);
}

export function embeddingCost(tokens: number): Micros {
  return divideUp(BigInt(tokens) * nanosPerToken(RATES.embeddingUsdPerMillionTokens), 1000n);
}

export function ingestCost(tokens: number): Micros {
  const nanosPerThousand = BigInt(Math.round(RATES.ingestUsdPerThousandTokens * 1_000_000_000));
  return divideUp(BigInt(tokens) * nanosPerThousand, 1_000_000n);
}

/** The price of recognizing the text of pages. */
export function ocrCost(pages: number): Micros {
  return BigInt(pages) * usdToMicros(RATES.ocrUsdPerPage);
}

/** The price of parsing that was given up after `cpuMs` of CPU time. */
export function failedParsingCost(cpuMs: number): Micros {
  return divideUp(
    BigInt(Math.ceil(cpuMs)) * usdToMicros(RATES.failedParsingUsdPerCpuSecond),
    1000n,
  );
}

/** A dollar for a million tokens is a micro-dollar, so a thousand nano-dollars, for one. */
function nanosPerToken(usdForMillion: number): bigint {
  return BigInt(Math.round(usdForMillion * 1000));
}

function readJson(file: string): unknown {
  let isRead = false;
  try {
    const text = readFileSync(path.resolve(/* turbopackIgnore: true */ file), "utf8");
    isRead = true;
    return JSON.parse(text);
  } catch (cause) {
    const what = isRead ? "is not JSON" : "cannot be read";
    throw new Error(`RATES_FILE names ${file}, which ${what}: ${(cause as Error).message}.`, {
      cause,
    });
  }
}
