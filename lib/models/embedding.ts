import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { type Env, env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";
import { takeTokens } from "@/lib/text/tokens";
import { DEFAULT_UPSTREAM_URL } from "./catalogue";
import { findLocalModel, readManifest } from "./local/local-models";
import { trainedPrefixes } from "./model-prefixes";
import { createPassageBatches } from "./passage-batches";
import { Circuit } from "./vendor/circuit";
import { createForwardingEmbedder, createUpstreamEmbedder } from "./vendor/embeddings";

/** Texts are cut at the model's limit. */
export interface Embedder {
  /** Such as `text-embedding-3-small@1536`. Vectors of different spaces are never compared. */
  readonly space: string;
  readonly dimensions: number;
  /**
   * One unit vector per text, in order. `onBatch` is awaited before each batch is sent, with the number of its texts;
   * batches are sent in order.
   */
  embedPassages(
    texts: readonly string[],
    signal: AbortSignal,
    onBatch?: (texts: number) => Promise<void>,
  ): Promise<Float32Array[]>;
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
}

/** As many 2-byte elements as fit in one page with pgvector. */
const MAX_DIMENSIONS = 3800;
/** Embedded first, to find out the model's dimensions. */
const PROBE = "dimensions";

const state = processSingleton(
  "embedder",
  (): {
    replacement?: Embedder | null | undefined;
    opened?: Promise<Embedder | null> | undefined;
    forwarding?: ForwardingEmbedder | null | undefined;
    queries?: Circuit | undefined;
    passages?: Circuit | undefined;
  } => ({}),
);

/** The configured model, or null. Throws for the log when it can't be reached, until a later call, or is misconfigured. */
export async function embedder(signal: AbortSignal): Promise<Embedder | null> {
  signal.throwIfAborted();
  if (state.replacement !== undefined) {
    return state.replacement;
  }
  // Shared by all callers, so that it doesn't end when the first one disconnects.
  state.opened ??= openConfigured().catch((error: unknown) => {
    state.opened = undefined;
    throw error;
  });
  return raceAbort(signal, state.opened);
}

/** For tests: null means no embedder; undefined restores the configured one. */
export function replaceEmbedder(replacement: Embedder | null | undefined): void {
  Object.assign(state, {
    replacement,
    opened: undefined,
    forwarding: undefined,
    queries: undefined,
    passages: undefined,
  });
}

/** Open while queries fail in a row, so that searches don't wait for each of them. */
export function queryCircuit(): Circuit {
  state.queries ??= new Circuit(1);
  return state.queries;
}

/** Open while documents get no vectors in a row, so that uploads don't wait for each of them. */
export function passageCircuit(): Circuit {
  state.passages ??= new Circuit(1);
  return state.passages;
}

async function openConfigured(): Promise<Embedder | null> {
  const settings = readEmbeddingSettings(env);
  return settings && openEmbedder(settings);
}

/** The configured model for callers of `POST /v1/embeddings`: their texts go to it as they are. */
export type ForwardingEmbedder = ReturnType<typeof toForwarding>;

/** Null without EMBEDDING_MODEL. */
export function forwardingEmbedder(): ForwardingEmbedder | null {
  if (state.forwarding === undefined) {
    const settings = readEmbeddingSettings(env);
    state.forwarding = settings && toForwarding(settings);
  }
  return state.forwarding;
}

/** For tests: null means no embedder; undefined restores the configured one. */
export function replaceForwardingEmbedder(settings: EmbeddingSettings | null | undefined): void {
  state.forwarding = settings && toForwarding(settings);
}

function toForwarding(settings: EmbeddingSettings) {
  const { model, maxTokens, batchSize, concurrency } = settings;
  return {
    model,
    maxTokens,
    batchSize,
    embed: createForwardingEmbedder(settings),
    /** Batches of all callers; those of documents have slots of their own. */
    limit: pLimit(concurrency),
  };
}

type EmbeddingSettings = NonNullable<ReturnType<typeof readEmbeddingSettings>>;

/** Null without EMBEDDING_MODEL. */
export function readEmbeddingSettings(variables: Env) {
  if (!variables.EMBEDDING_MODEL) {
    return null;
  }
  const local = findLocalModel(variables);
  const trained = trainedPrefixes(local?.id ?? "");
  const ownUrl = variables.EMBEDDING_BASE_URL;
  // Never send the shared key to another address.
  const sharedKey = ownUrl ? undefined : variables.OPENAI_API_KEY;
  return {
    local,
    baseUrl: ownUrl ?? variables.OPENAI_BASE_URL ?? DEFAULT_UPSTREAM_URL,
    // A local upstream often needs no key, but one is always sent.
    apiKey: variables.EMBEDDING_API_KEY ?? sharedKey ?? "none",
    model: variables.EMBEDDING_MODEL,
    dimensions: variables.EMBEDDING_DIMENSIONS,
    timeoutMs: variables.EMBEDDING_TIMEOUT_MS,
    batchSize: variables.EMBEDDING_BATCH_SIZE,
    concurrency: variables.EMBEDDING_CONCURRENCY,
    maxTokens: Math.min(variables.EMBEDDING_MAX_TOKENS, local?.maxTokens ?? Infinity),
    queryPrefix: variables.EMBEDDING_QUERY_PREFIX || trained.query,
    passagePrefix: variables.EMBEDDING_PASSAGE_PREFIX || trained.passage,
  };
}

/** Probes the model's dimensions. Throws as `embedder` does. */
export async function openEmbedder(settings: EmbeddingSettings): Promise<Embedder> {
  const embedTexts = createUpstreamEmbedder(settings);
  const { signal: never } = new AbortController();
  const [probe] = await embedTexts([settings.passagePrefix + PROBE], {
    signal: never,
    isUrgent: true,
  });
  const dimensions = checkDimensions(probe?.length ?? 0, settings);
  const { passagePrefix, queryPrefix, maxTokens } = settings;
  const batches = createPassageBatches({
    ...settings,
    // A token has at least one byte. Counting tokens would block the process for seconds on a long document.
    tokensOf: (text) => Math.min(Buffer.byteLength(passagePrefix + text), maxTokens),
    isTooSlow: (cause) => cause instanceof Error && cause.name === "TimeoutError",
  });
  const send = async (texts: readonly string[], signal: AbortSignal) => {
    const inputs = texts.map((text) => takeTokens(passagePrefix + text, maxTokens));
    const answer = await embedTexts(inputs, { signal, isUrgent: false });
    return answer.map((vector) => toUnit(vector, dimensions, settings));
  };
  return {
    space: spaceOf(settings, dimensions),
    dimensions,
    embedPassages: async (texts, signal, onBatch) => {
      const failure = new AbortController();
      const bounded = AbortSignal.any([signal, failure.signal]);
      const vectors = batches.sendAll(texts, bounded, { send, onBatch });
      return raceAbort(signal, vectors).finally(() => failure.abort());
    },
    embedQuery: async (text, signal) => {
      const input = takeTokens(queryPrefix + text, maxTokens);
      const asked = embedTexts([input], { signal, isUrgent: true });
      const [vector] = await batches.putFirst(asked);
      return toUnit(vector ?? [], dimensions, settings);
    },
  };
}

/** Includes only what affects stored vectors: a new query prefix doesn't require re-embedding, other weights do. */
function spaceOf({ local, model, passagePrefix }: EmbeddingSettings, dimensions: number): string {
  const digest = createHash("sha256").update(passagePrefix).digest("hex").slice(0, 8);
  const weights = local && readManifest(local).files["model.onnx"].slice(0, 8);
  return `${local ? `local:${local.id}-${weights}` : model}@${dimensions}${passagePrefix && `#${digest}`}`;
}

function checkDimensions(answered: number, { model, dimensions }: EmbeddingSettings): number {
  if (dimensions !== undefined && answered !== dimensions) {
    throw new Error(
      `the embedding model ${model} returned ${answered} dimensions, but EMBEDDING_DIMENSIONS is ${dimensions}`,
    );
  }
  if (answered < 1 || answered > MAX_DIMENSIONS) {
    throw new Error(
      `the embedding model ${model} returned ${answered} dimensions, but only 1 to ${MAX_DIMENSIONS} can be stored; set EMBEDDING_DIMENSIONS if the model supports it`,
    );
  }
  return answered;
}

/** With unit vectors, inner products are cosines. */
function toUnit(
  vector: readonly number[],
  dimensions: number,
  { model }: EmbeddingSettings,
): Float32Array {
  if (vector.length !== dimensions) {
    throw new Error(
      `the embedding model ${model} returned ${vector.length} dimensions instead of ${dimensions}`,
    );
  }
  const norm = Math.hypot(...vector);
  if (!(norm > 0 && norm < Number.POSITIVE_INFINITY)) {
    throw new Error(`the embedding model ${model} returned a vector of length ${norm}`);
  }
  return Float32Array.from(vector, (value) => value / norm);
}

/** Rejects as soon as the signal aborts. */
export function raceAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) {
      end();
    }
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}
