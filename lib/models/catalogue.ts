import * as z from "zod";
import { ModelRates, RATES } from "@/lib/billing/rates";
import { env } from "@/lib/env";

const EMBEDDED_MODEL = "footnote-extract-1";
export const DEFAULT_UPSTREAM_URL = "https://api.openai.com/v1";

const Upstream = z.strictObject({ base_url: z.url(), api_key: z.string().min(1).optional() });

/** One entry of MODELS in JSON form. */
const CatalogueEntry = z.strictObject({
  id: z.string().min(1).max(200),
  upstream: Upstream.optional(),
  /** The model's id at the upstream. */
  upstream_model: z.string().min(1).optional(),
  context_length: z.number().int().min(1).default(128_000),
  max_output_tokens: z.number().int().min(1).default(16_384),
  /** The field for the default output limit; if absent, OpenAI gets the newer name and others the older one. */
  limit_field: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  /** Absent: from the rates table. */
  rates: ModelRates.optional(),
  /** Only before the first byte. */
  retries: z.number().int().min(0).max(5).default(2),
  timeout_ms: z.number().int().min(100).max(600_000).default(120_000),
  /** The model to try when this one fails before the first byte. */
  fallback: z.string().optional(),
});

export interface Model {
  id: string;
  ownedBy: string;
  isDefault: boolean;
  /** Null for the embedded model. */
  upstream: { baseUrl: string; apiKey: string; model: string } | null;
  contextLength: number;
  maxOutputTokens: number;
  limitField: "max_tokens" | "max_completion_tokens";
  rates: ModelRates;
  retries: number;
  timeoutMs: number;
  fallback: string | null;
}

const EMBEDDED: Model = {
  id: EMBEDDED_MODEL,
  ownedBy: "footnote",
  isDefault: true,
  upstream: null,
  contextLength: 128_000,
  maxOutputTokens: 1024,
  limitField: "max_tokens",
  rates: RATES.models.get(EMBEDDED_MODEL) ?? RATES.embedded,
  retries: 0,
  timeoutMs: 30_000,
  fallback: null,
};

const catalogue = readCatalogue(env.MODELS);

/** The default model comes first. */
export function listModels(): readonly Model[] {
  return catalogue;
}

export function findModel(id: string): Model | null {
  return catalogue.find((model) => model.id === id) ?? null;
}

export function defaultModel(): Model {
  return catalogue[0] ?? EMBEDDED;
}

/** The ids a key with this list may call: a key without a list may call the default model. */
export function modelIdsFor(listed: readonly string[]): readonly string[] {
  return listed.length > 0 ? listed : [defaultModel().id];
}

/** Parses MODELS. The first model is the default; the embedded model is always included. */
export function readCatalogue(models: string | undefined): Model[] {
  if (!models) {
    return [EMBEDDED];
  }
  const entries: unknown = models.trimStart().startsWith("[")
    ? JSON.parse(models)
    : models.split(",").map((id) => ({ id: id.trim() }));
  const listed = z.array(CatalogueEntry).min(1).parse(entries);
  const hasEmbedded = listed.some(({ id }) => id === EMBEDDED_MODEL);
  const all = [...listed.map(toModel), ...(hasEmbedded ? [] : [EMBEDDED])];
  return all.map((model, index) => ({ ...model, isDefault: index === 0 }));
}

function toModel(entry: z.output<typeof CatalogueEntry>): Model {
  if (entry.id === EMBEDDED_MODEL) {
    return { ...EMBEDDED, rates: entry.rates ?? EMBEDDED.rates };
  }
  const baseUrl = entry.upstream?.base_url ?? env.OPENAI_BASE_URL ?? DEFAULT_UPSTREAM_URL;
  // OpenAI's newer models reject the older name; other servers often know only that one.
  const defaultField = baseUrl.startsWith(DEFAULT_UPSTREAM_URL)
    ? "max_completion_tokens"
    : "max_tokens";
  return {
    id: entry.id,
    ownedBy: "upstream",
    isDefault: false,
    upstream: {
      baseUrl,
      // Never send the shared key to an entry's own address. A local upstream often needs no key, but one is always sent.
      apiKey: (entry.upstream ? entry.upstream.api_key : env.OPENAI_API_KEY) ?? "none",
      model: entry.upstream_model ?? entry.id,
    },
    contextLength: entry.context_length,
    maxOutputTokens: entry.max_output_tokens,
    limitField: entry.limit_field ?? defaultField,
    rates: entry.rates ?? RATES.models.get(entry.id) ?? RATES.upstream,
    retries: entry.retries,
    timeoutMs: entry.timeout_ms,
    fallback: entry.fallback ?? null,
  };
}
