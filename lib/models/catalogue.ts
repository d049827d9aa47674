import * as z from "zod";
import { ModelRates, RATES } from "@/lib/money/billing/rates";
import type { KeyContext } from "@/lib/platform/auth/context";
import { ALL_MODELS } from "@/lib/platform/auth/schema";
import { EMBEDDED_MODEL, env, httpUrl } from "@/lib/platform/env";
import { AllowedField } from "./restricted-fields";

export const DEFAULT_UPSTREAM_URL = "https://api.openai.com/v1";
/** GPT-4o mini bills 2,833 tokens and 5,667 for each of up to 8 tiles, more than any other model with a published price. */
const MAX_IMAGE_TOKENS = 2833 + 8 * 5667;

const partTokens = z.int().min(0).max(10_000_000);

/** One entry of MODELS in JSON form. */
const CatalogueEntry = z.strictObject({
  id: z.string().min(1).max(200),
  upstream: z.strictObject({ base_url: httpUrl, api_key: z.string().min(1).optional() }).optional(),
  /** Which of OpenAI's APIs the upstream is asked through. */
  api: z.enum(["chat", "responses"]).default("chat"),
  /** The model's id at the upstream. */
  upstream_model: z.string().min(1).optional(),
  context_length: z.int().min(1).default(128_000),
  max_output_tokens: z.int().min(1).default(16_384),
  /** The field for the output limit that the upstream obeys; if absent, OpenAI gets the newer name and others the older one. */
  limit_field: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  /** The most tokens the upstream bills for an image; a recording or file without a number may fill the context. */
  image_tokens: partTokens.default(MAX_IMAGE_TOKENS),
  audio_tokens: partTokens.optional(),
  file_tokens: partTokens.optional(),
  /** Whether it generates text that its answers don't show. */
  reasoning: z.boolean().default(false),
  /** Fields that change price or routing and are sent all the same. */
  allow_fields: z.array(AllowedField).default([]),
  /** Absent: from the rates table. */
  rates: ModelRates.optional(),
  /** Only before the first byte. */
  retries: z.int().min(0).max(5).default(2),
  timeout_ms: z.int().min(100).max(600_000).default(120_000),
  /** The model to try when this one fails before the first byte. */
  fallback: z.string().optional(),
});

export interface Model {
  id: string;
  ownedBy: string;
  isDefault: boolean;
  /** Null for the embedded model. */
  upstream: {
    baseUrl: string;
    apiKey: string;
    model: string;
    /** Which of OpenAI's APIs it is asked through. */
    api: "chat" | "responses";
  } | null;
  contextLength: number;
  maxOutputTokens: number;
  limitField: "max_tokens" | "max_completion_tokens";
  /** The most tokens of one part of a message; null: as many as the context has. */
  partTokens: { image: number | null; audio: number | null; file: number | null };
  reasons: boolean;
  allowFields: readonly string[];
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
  // It reads text only.
  partTokens: { image: 0, audio: 0, file: 0 },
  reasons: false,
  allowFields: [],
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

/** A model and its fallback, if it has one: those that may answer, and be billed for, a request. */
export type Candidates = readonly [Model, ...Model[]];

export function withFallbackOf(model: Model): Candidates {
  const fallback = model.fallback ? findModel(model.fallback) : null;
  return fallback ? [model, fallback] : [model];
}

export function defaultModel(): Model {
  return catalogue[0] ?? EMBEDDED;
}

/** Needs no upstream; always in the catalog. */
export function embeddedModel(): Model {
  return catalogue.find(({ upstream }) => !upstream) ?? EMBEDDED;
}

/** The ids a key with this list may call: a key without a list may call the default model. */
export function modelIdsFor(listed: readonly string[]): readonly string[] {
  if (listed.includes(ALL_MODELS)) {
    return catalogue.map(({ id }) => id);
  }
  return listed.length > 0 ? listed : [defaultModel().id];
}

/**
 * Parses MODELS. The first model is the default; the embedded model is always included. Throws a sentence that names
 * MODELS, and never its text: it may contain keys.
 */
export function readCatalogue(models: string | undefined): Model[] {
  if (!models) {
    return [EMBEDDED];
  }
  const listed = readEntries(models);
  const hasEmbedded = listed.some(({ id }) => id === EMBEDDED_MODEL);
  const all = [...listed.map(toModel), ...(hasEmbedded ? [] : [EMBEDDED])];
  checkIds(all);
  return all.map((model, index) => ({ ...model, isDefault: index === 0 }));
}

function readEntries(models: string): z.output<typeof CatalogueEntry>[] {
  const entries = models.trimStart().startsWith("[")
    ? parseJson(models)
    : models.split(",").map((id) => ({ id: id.trim() }));
  const { data, error } = z.array(CatalogueEntry).min(1).safeParse(entries);
  if (data) {
    return data;
  }
  const [issue] = error.issues;
  const [index, ...field] = issue?.path ?? [];
  const entry = index === undefined ? "" : `entry ${Number(index) + 1}: `;
  const name = field.length > 0 ? `'${field.map(String).join(".")}': ` : "";
  throw new Error(`MODELS is not right: ${entry}${name}${issue?.message}.`);
}

function parseJson(models: string): unknown {
  try {
    return JSON.parse(models);
  } catch {
    throw new Error(
      "MODELS begins like a JSON array but is not valid JSON. Check its quotes, commas and brackets.",
    );
  }
}

function checkIds(models: readonly Model[]): void {
  const ids = new Set<string>();
  for (const { id } of models) {
    if (ids.has(id)) {
      throw new Error(`MODELS has two entries with the id '${id}'. Rename or remove one.`);
    }
    ids.add(id);
  }
  for (const { id, fallback } of models) {
    if (fallback !== null && (fallback === id || !ids.has(fallback))) {
      throw new Error(
        `MODELS names '${fallback}' as the fallback of '${id}', which is ${fallback === id ? "the same model" : "not one of its models"}. Name another id of MODELS, or ${EMBEDDED_MODEL}.`,
      );
    }
  }
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
      api: entry.api,
    },
    contextLength: entry.context_length,
    maxOutputTokens: entry.max_output_tokens,
    limitField: entry.limit_field ?? defaultField,
    partTokens: {
      image: entry.image_tokens,
      audio: entry.audio_tokens ?? null,
      file: entry.file_tokens ?? null,
    },
    reasons: entry.reasoning,
    allowFields: entry.allow_fields,
    rates: entry.rates ?? RATES.models.get(entry.id) ?? RATES.upstream,
    retries: entry.retries,
    timeoutMs: entry.timeout_ms,
    fallback: entry.fallback ?? null,
  };
}

/** 2026-01-01: OpenAI's shape has a creation time, and the catalogue has none. */
const CREATED = 1_767_225_600;

/** Upstream ids may contain slashes, so the id is the rest of the path. */
export const ModelParams = z.object({
  model: z
    .array(z.string())
    .transform((parts) => parts.map(decode).join("/"))
    .describe("The model's id, which may contain slashes."),
});

/** A malformed escape stays as it is; no model has such an id. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const ListedModel = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.number(),
  owned_by: z.string(),
  /** True for the model that a key without a list may call. */
  default: z.boolean(),
  context_length: z.number(),
  max_output_tokens: z.number(),
  preset_of: z
    .string()
    .optional()
    .describe("Only for a preset of the account: the model that answers."),
});
export type ListedModel = z.infer<typeof ListedModel>;

export const ModelList = z.object({ object: z.literal("list"), data: z.array(ListedModel) });
export type ModelList = z.infer<typeof ModelList>;

/** The models the key may call, the default one first. */
export function listKeyModels({ actor }: KeyContext): ModelList {
  const models = modelIdsFor(actor.models).flatMap((id) => findModel(id) ?? []);
  return {
    object: "list",
    data: models
      .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
      .map((model) => ({
        id: model.id,
        object: "model",
        created: CREATED,
        owned_by: model.ownedBy,
        default: model.isDefault,
        context_length: model.contextLength,
        max_output_tokens: model.maxOutputTokens,
      })),
  };
}
