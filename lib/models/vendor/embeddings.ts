import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import pRetry from "p-retry";
import * as z from "zod";

export interface EmbeddingUpstream {
  baseUrl: string;
  apiKey: string;
  model: string;
  /** Asked of the model; without it the model answers as many as it has. */
  dimensions: number | undefined;
  /** How long one try may take. */
  timeoutMs: number;
}

/**
 * One request: a vector for each text, in their order. Throws the signal's reason once it is aborted, else
 * an error whose message is for the log: it holds no text, no key and nothing the upstream wrote.
 */
export type EmbedTexts = (texts: readonly string[], bounds: EmbedBounds) => Promise<number[][]>;

interface EmbedBounds {
  signal: AbortSignal;
  /** Somebody waits for the answer: at most one more try, at once. */
  isUrgent: boolean;
}

/** `longestWaitMs`: an upstream that asks for a longer pause is not tried again. */
const PATIENT = { retries: 5, minTimeout: 250, maxTimeout: 20_000, longestWaitMs: 60_000 };
const URGENT = { retries: 1, minTimeout: 100, maxTimeout: 200, longestWaitMs: 500 };

const TRANSIENT_STATUSES = [408, 409, 429];
const REJECTED_STATUSES = [400, 422];

const Answer = z.object({
  data: z.array(
    z.object({
      // Gemini leaves it out.
      index: z.int().nullish(),
      embedding: z.array(z.number()),
    }),
  ),
});

/** An embedding model behind any OpenAI-compatible address. */
export function createUpstreamEmbedder(upstream: EmbeddingUpstream): EmbedTexts {
  const ask = createAsk(upstream);
  return async (texts, { signal, isUrgent }) => {
    const { longestWaitMs, ...backoff } = isUrgent ? URGENT : PATIENT;
    const canRetry = (error: Error) => isTransient(error) && pauseOf(error) <= longestWaitMs;
    try {
      return await pRetry(() => ask(texts, signal), {
        ...backoff,
        randomize: true,
        signal,
        shouldRetry: ({ error }) => !signal.aborted && canRetry(error),
        onFailedAttempt: async ({ error, retriesLeft }) => {
          if (retriesLeft > 0 && canRetry(error)) {
            await sleep(pauseOf(error), undefined, { signal });
          }
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(`the embedding model ${upstream.model} ${reasonOf(error, upstream)}`);
    }
  };
}

function createAsk(upstream: EmbeddingUpstream) {
  const client = new OpenAI({
    baseURL: upstream.baseUrl,
    apiKey: upstream.apiKey,
    // The package would send these of the environment to any address, and log whole requests on its wish.
    organization: null,
    project: null,
    logLevel: "off",
    timeout: upstream.timeoutMs,
    maxRetries: 0,
  });
  // Without a format the package asks for base64, a quarter of the bytes, and decodes it. Gemini rejects that.
  let format: { encoding_format?: "float" } = {};
  let hasAnswered = false;
  const send = async (texts: readonly string[], signal: AbortSignal) => {
    const { model, dimensions, timeoutMs } = upstream;
    const answer: unknown = await client.embeddings.create(
      { model, input: [...texts], ...(dimensions && { dimensions }), ...format },
      // The package's own timeout does not hold while the body of an error is read.
      { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) },
    );
    return toVectors(answer, texts.length);
  };
  return async (texts: readonly string[], signal: AbortSignal) => {
    const vectors = await send(texts, signal).catch((error: unknown) => {
      if (hasAnswered || format.encoding_format || !isRejected(error)) {
        throw error;
      }
      format = { encoding_format: "float" };
      return send(texts, signal);
    });
    hasAnswered = true;
    return vectors;
  };
}

class MalformedAnswer extends Error {}

function toVectors(answer: unknown, count: number): number[][] {
  const { data: body, error } = Answer.safeParse(answer);
  if (!body) {
    const [issue] = error.issues;
    const place = issue?.path.join(".") || "the body";
    throw new MalformedAnswer(`${place} is wrong: ${issue?.code}`);
  }
  if (body.data.length !== count) {
    throw new MalformedAnswer(`${body.data.length} vectors for ${count} texts`);
  }
  const sorted = body.data
    .map(({ index, embedding }, position) => ({ index: index ?? position, embedding }))
    .sort((a, b) => a.index - b.index);
  if (sorted.some(({ index }, position) => index !== position)) {
    throw new MalformedAnswer("the indexes do not name each text once");
  }
  return sorted.map(({ embedding }) => embedding);
}

/** Worth another try: it could not be reached, took too long, is busy, or had an error of its own. */
function isTransient(error: Error): boolean {
  if (error instanceof OpenAI.APIUserAbortError || error instanceof OpenAI.APIConnectionError) {
    return true;
  }
  if (error instanceof OpenAI.APIError) {
    const isFinal = error.headers?.get("x-should-retry") === "false";
    const status = error.status ?? 0;
    return !isFinal && (status >= 500 || TRANSIENT_STATUSES.includes(status));
  }
  // A connection lost inside the body; p-retry lets no other TypeError come this far.
  return error instanceof TypeError;
}

function isRejected(error: unknown): boolean {
  return error instanceof OpenAI.APIError && REJECTED_STATUSES.includes(error.status ?? 0);
}

/** The pause in ms that the upstream asks for, in seconds or as a date; 0 when it asks for none. */
function pauseOf(error: Error): number {
  const asked = error instanceof OpenAI.APIError ? error.headers?.get("retry-after") : null;
  if (!asked) {
    return 0;
  }
  const pause = /^[\d.]+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
  return Number.isFinite(pause) ? Math.max(0, pause) : 0;
}

function reasonOf(error: unknown, { timeoutMs }: EmbeddingUpstream): string {
  if (error instanceof MalformedAnswer) {
    return `gave an answer that makes no sense: ${error.message}`;
  }
  if (
    error instanceof OpenAI.APIUserAbortError ||
    error instanceof OpenAI.APIConnectionTimeoutError
  ) {
    return `did not answer in ${timeoutMs} ms`;
  }
  if (error instanceof OpenAI.APIConnectionError) {
    return `could not be reached${named(codeOf(error.cause) ?? codeOf(causeOf(error.cause)))}`;
  }
  return error instanceof OpenAI.APIError
    ? `answered with status ${error.status}${named(error.code)}`
    : `gave an answer that cannot be read${named(error instanceof Error ? error.name : typeof error)}`;
}

/** What looks like a name and not like a sentence: an upstream may put anything into its error code. */
function named(code: unknown): string {
  return typeof code === "string" && /^[A-Za-z][A-Za-z_]{1,59}$/.test(code) ? ` (${code})` : "";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
