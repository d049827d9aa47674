import { createHash } from "node:crypto";
import pLimit from "p-limit";
import * as z from "zod";
import { type Env, env } from "@/lib/env";
import { processSingleton } from "@/lib/singleton";
import { countTokens, takeTokens } from "@/lib/text/tokens";
import { DEFAULT_UPSTREAM_URL } from "./catalogue";
import { createUpstreamEmbedder, type EmbeddingUpstream } from "./vendor/embeddings";

export interface Embedder {
  /** Such as `text-embedding-3-small@1536`; vectors of different spaces are never compared. */
  readonly space: string;
  readonly dimensions: number;
  /** A longer query is rejected by who asks, never cut. */
  readonly maxQueryTokens: number;
  /** One vector of length 1 for each text, in their order; all or none. A passage too long for the model is cut. */
  embedPassages(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
}

/** What pgvector holds of 2 bytes each in one page. */
const MAX_DIMENSIONS = 3800;
/** OpenAI takes 300,000 tokens a request; other vocabularies may count more than is estimated here. */
const MAX_BATCH_TOKENS = 200_000;
/** What the model embeds first, to show its dimensions. */
const PROBE = "dimensions";

interface State {
  replacement?: Embedder | null | undefined;
  opened?: Promise<Embedder | null> | undefined;
}

const state = processSingleton("embedder", (): State => ({}));

/**
 * The configured embedding model, or null when none is. Its first use asks the model once for its dimensions.
 * Throws when it cannot be reached, and a later call tries again, or when it has not EMBEDDING_DIMENSIONS;
 * the message is for the log.
 */
export async function embedder(signal: AbortSignal): Promise<Embedder | null> {
  signal.throwIfAborted();
  if (state.replacement !== undefined) {
    return state.replacement;
  }
  // All callers share the first use, so that it outlives whoever came first and goes away.
  state.opened ??= openConfigured().catch((error: unknown) => {
    state.opened = undefined;
    throw error;
  });
  return raceAbort(signal, state.opened);
}

/** Puts another in place for tests; null is none, and undefined brings the configured one back, opened anew. */
export function replaceEmbedder(replacement: Embedder | null | undefined): void {
  Object.assign(state, { replacement, opened: undefined });
}

async function openConfigured(): Promise<Embedder | null> {
  const settings = readEmbeddingSettings(env);
  return settings && openEmbedder(settings);
}

export interface EmbeddingSettings extends EmbeddingUpstream {
  batchSize: number;
  concurrency: number;
  maxTokens: number;
  queryPrefix: string;
  passagePrefix: string;
}

/** What the variables describe; null without a model. Throws when the address is none. */
export function readEmbeddingSettings(variables: Env): EmbeddingSettings | null {
  if (!variables.EMBEDDING_MODEL) {
    return null;
  }
  const ownUrl = variables.EMBEDDING_BASE_URL;
  // The shared key belongs to the shared upstream and never goes to another address.
  const sharedKey = ownUrl ? undefined : variables.OPENAI_API_KEY;
  return {
    baseUrl: z
      .url({ protocol: /^https?$/, error: "the embedding model's address must be an http(s) URL" })
      .parse(ownUrl ?? variables.OPENAI_BASE_URL ?? DEFAULT_UPSTREAM_URL),
    // A local upstream often needs no key, but its client always sends one.
    apiKey: variables.EMBEDDING_API_KEY ?? sharedKey ?? "none",
    model: variables.EMBEDDING_MODEL,
    dimensions: variables.EMBEDDING_DIMENSIONS,
    timeoutMs: variables.EMBEDDING_TIMEOUT_MS,
    batchSize: variables.EMBEDDING_BATCH_SIZE,
    concurrency: variables.EMBEDDING_CONCURRENCY,
    maxTokens: variables.EMBEDDING_MAX_TOKENS,
    queryPrefix: variables.EMBEDDING_QUERY_PREFIX,
    passagePrefix: variables.EMBEDDING_PASSAGE_PREFIX,
  };
}

/** The model ready for use, asked once for its dimensions. Throws as `embedder` does. */
export async function openEmbedder(settings: EmbeddingSettings): Promise<Embedder> {
  const embedTexts = createUpstreamEmbedder(settings);
  const { signal: never } = new AbortController();
  const [probe] = await embedTexts([settings.passagePrefix + PROBE], {
    signal: never,
    isUrgent: true,
  });
  const dimensions = checkDimensions(probe?.length ?? 0, settings);
  // One bound for all passages of the process; a query does not queue behind them.
  const limit = pLimit(settings.concurrency);
  return {
    space: spaceOf(settings, dimensions),
    dimensions,
    maxQueryTokens: settings.maxTokens - countTokens(settings.queryPrefix),
    embedPassages: async (texts, signal) => {
      const failure = new AbortController();
      const bounded = AbortSignal.any([signal, failure.signal]);
      const batches = limit.map(toBatches(texts, settings), async (batch) => {
        bounded.throwIfAborted();
        const inputs = batch.map((text) => cut(settings.passagePrefix + text, settings.maxTokens));
        const answer = await embedTexts(inputs, { signal: bounded, isUrgent: false });
        return answer.map((vector) => toUnit(vector, dimensions, settings));
      });
      return raceAbort(signal, batches)
        .then((vectors) => vectors.flat())
        .finally(() => failure.abort());
    },
    embedQuery: async (text, signal) => {
      const input = settings.queryPrefix + text;
      const [vector] = await embedTexts([input], { signal, isUrgent: true });
      return toUnit(vector ?? [], dimensions, settings);
    },
  };
}

/** Only what shapes stored vectors is part of it: another query prefix needs no new passages. */
function spaceOf({ model, passagePrefix }: EmbeddingSettings, dimensions: number): string {
  const digest = createHash("sha256").update(passagePrefix).digest("hex").slice(0, 8);
  return `${model}@${dimensions}${passagePrefix && `#${digest}`}`;
}

function checkDimensions(answered: number, { model, dimensions }: EmbeddingSettings): number {
  if (dimensions !== undefined && answered !== dimensions) {
    throw new Error(
      `the embedding model ${model} answers ${answered} dimensions, and EMBEDDING_DIMENSIONS asks for ${dimensions}`,
    );
  }
  if (answered < 1 || answered > MAX_DIMENSIONS) {
    throw new Error(
      `the embedding model ${model} answers ${answered} dimensions, and 1 to ${MAX_DIMENSIONS} can be stored; set EMBEDDING_DIMENSIONS if it has a choice`,
    );
  }
  return answered;
}

function toBatches(
  texts: readonly string[],
  { batchSize, maxTokens, passagePrefix }: EmbeddingSettings,
): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let tokens = 0;
  for (const text of texts) {
    // A token has at least a byte. Counting would hold up the process for seconds over a long document.
    const most = Math.min(Buffer.byteLength(passagePrefix + text), maxTokens);
    if (batch.length === 0 || batch.length === batchSize || tokens + most > MAX_BATCH_TOKENS) {
      batch = [];
      batches.push(batch);
      tokens = 0;
    }
    batch.push(text);
    tokens += most;
  }
  return batches;
}

function cut(text: string, maxTokens: number): string {
  return Buffer.byteLength(text) <= maxTokens ? text : takeTokens(text, maxTokens);
}

/** The vector at length 1, so that its inner products are cosines. */
function toUnit(
  vector: readonly number[],
  dimensions: number,
  { model }: EmbeddingSettings,
): Float32Array {
  if (vector.length !== dimensions) {
    throw new Error(
      `the embedding model ${model} answered ${vector.length} dimensions, before ${dimensions}`,
    );
  }
  const norm = Math.hypot(...vector);
  if (!(norm > 0 && norm < Number.POSITIVE_INFINITY)) {
    throw new Error(`the embedding model ${model} answered a vector of length ${norm}`);
  }
  return Float32Array.from(vector, (value) => value / norm);
}

/** What `work` gives, or a rejection as soon as the signal ends. */
function raceAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}
