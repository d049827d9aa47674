import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import { AppError } from "@/lib/errors";
import type { LocalModel } from "../local/local-models";
import { createLocalAsk } from "../local/model-host";
import { type EmbeddingAnswer, MalformedAnswer, readEmbeddings } from "./embeddings-answer";
import {
  ConnectionError,
  endpointOf,
  isTimeout,
  outcomeOfFailure,
  postUpstream,
  type UpstreamResponse,
} from "./exchange";
import { type CallOutcome, outcomeOfStatus, UpstreamCall } from "./upstream-call";
import { isGivenUp, readUpstreamError, toUpstreamAppError, UpstreamError } from "./upstream-error";

export interface EmbeddingUpstream {
  baseUrl: string;
  apiKey: string;
  model: string;
  /** Requested from the model; undefined for its default. */
  dimensions: number | undefined;
  /** Per attempt. */
  timeoutMs: number;
  /** Runs on this machine instead. */
  local?: LocalModel | null;
}

/** `longestWaitMs`: no retry if the upstream asks for a longer pause. */
const PATIENT = { retries: 5, minTimeout: 250, maxTimeout: 20_000, longestWaitMs: 60_000 };
/** A request is waiting: at most one retry, immediately. */
const URGENT = { retries: 1, minTimeout: 100, maxTimeout: 200, longestWaitMs: 500 };

const TRANSIENT_STATUSES = new Set<number | undefined>([408, 409, 429]);
const REJECTED_STATUSES = new Set<number | undefined>([400, 413, 422]);

interface AskOptions {
  signal: AbortSignal;
  /** Instead of the model's own setting. */
  dimensions?: number | undefined;
  /** Nobody waits for it. */
  isBackground?: boolean;
}

/**
 * An embedding model at any OpenAI-compatible address: one vector per text, in order. Throws the signal's reason, or an
 * error whose message is safe to log: no input text, no key, nothing the upstream wrote. It is a TimeoutError if the model
 * was too slow.
 */
export function createUpstreamEmbedder(upstream: EmbeddingUpstream) {
  const ask = upstream.local ? createLocalAsk(upstream.local, upstream) : createAsk(upstream);
  return async (
    texts: readonly string[],
    { signal, isUrgent }: { signal: AbortSignal; isUrgent: boolean },
  ): Promise<number[][]> => {
    try {
      const { vectors } = await withRetries(
        () => ask(texts, { signal, isBackground: !isUrgent }),
        signal,
        // Several texts that were too many at once are too many again.
        { ...(isUrgent ? URGENT : PATIENT), retriesTimeout: texts.length === 1 },
      );
      return vectors;
    } catch (error) {
      signal.throwIfAborted();
      const failure = new Error(
        `the embedding model ${upstream.model} ${reasonOf(error, upstream)}`,
      );
      failure.name = isTimeout(error) ? "TimeoutError" : "Error";
      throw failure;
    }
  };
}

/** The same for a request to our own endpoint: an error keeps its meaning. Throws AppError. */
export function createForwardingEmbedder(upstream: EmbeddingUpstream) {
  const ask = upstream.local ? createLocalAsk(upstream.local, upstream) : createAsk(upstream);
  return async (texts: readonly string[], options: AskOptions): Promise<EmbeddingAnswer> => {
    const { signal } = options;
    try {
      return await withRetries(() => ask(texts, options), signal, URGENT);
    } catch (error) {
      throw signal.aborted ? signal.reason : toCallerError(error, signal, upstream);
    }
  };
}

/** Whether the upstream refused a request with a status, or never got it. */
export function isUnbilled(thrown: unknown): boolean {
  const cause = thrown instanceof AppError ? thrown.cause : thrown;
  return (
    cause instanceof ConnectionError || (cause instanceof UpstreamError && !isGivenUp(cause.status))
  );
}

function toCallerError(error: unknown, signal: AbortSignal, upstream: EmbeddingUpstream): AppError {
  if (isTimeout(error)) {
    return new AppError(
      "upstream_timeout",
      "The embedding model didn't answer in time. Try again, or send fewer texts.",
      { cause: error },
    );
  }
  return error instanceof UpstreamError || error instanceof ConnectionError
    ? toUpstreamAppError(error, signal, upstream)
    : new AppError(
        "upstream_error",
        "The embedding model's response wasn't a list of vectors. Try again in a moment.",
        { cause: error },
      );
}

async function withRetries<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  {
    longestWaitMs,
    retriesTimeout = true,
    ...backoff
  }: typeof PATIENT & { retriesTimeout?: boolean },
): Promise<T> {
  const canRetry = (error: Error) =>
    isTransient(error) && pauseOf(error) <= longestWaitMs && (retriesTimeout || !isTimeout(error));
  return pRetry(call, {
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
}

function createAsk(upstream: EmbeddingUpstream) {
  const { url, headers } = endpointOf(upstream, "embeddings");
  const { model, timeoutMs } = upstream;
  // A quarter of the size of floats. Gemini rejects it.
  let format: "base64" | "float" = "base64";
  let hasAnswered = false;
  const send = async (
    texts: readonly string[],
    { signal, dimensions = upstream.dimensions, isBackground = false }: AskOptions,
  ) => {
    const observer = new UpstreamCall({
      operation: "embeddings",
      upstreamModel: model,
      model,
      url,
    });
    // For the whole attempt, including a body that trickles in.
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const answer = await postUpstream({
        url,
        headers: { ...headers, ...observer.headers },
        body: JSON.stringify({
          model,
          input: texts,
          ...(dimensions && { dimensions }),
          encoding_format: format,
        }),
        signal: bounded,
        idleTimeoutMs: timeoutMs,
        isBackground,
      });
      const embedded = readEmbeddings(await readJson(answer), texts.length);
      observer.ended("ok");
      return embedded;
    } catch (error) {
      observer.ended(signal.aborted ? "aborted" : outcomeOf(error));
      throw error;
    }
  };
  return async (texts: readonly string[], options: AskOptions) => {
    const answer = await send(texts, options).catch((error: unknown) => {
      if (hasAnswered || format === "float" || !isRejected(error)) {
        throw error;
      }
      format = "float";
      return send(texts, options);
    });
    hasAnswered = true;
    return answer;
  };
}

function isRejected(error: unknown): boolean {
  return error instanceof UpstreamError && REJECTED_STATUSES.has(error.status);
}

async function readJson(answer: UpstreamResponse): Promise<unknown> {
  if (answer.status >= 200 && answer.status <= 299) {
    return JSON.parse(await answer.text());
  }
  // The status is enough if the body can't be read.
  throw await readUpstreamError(answer).catch(() => new UpstreamError("", undefined, answer));
}

function outcomeOf(error: unknown): CallOutcome {
  return error instanceof UpstreamError ? outcomeOfStatus(error.status) : outcomeOfFailure(error);
}

/** Whether a retry may help: connection error, timeout, rate limit, broken response or 5xx. */
function isTransient(error: Error): boolean {
  if (error instanceof UpstreamError) {
    const isFinal = error.headers["x-should-retry"] === "false";
    return !isFinal && ((error.status ?? 0) >= 500 || TRANSIENT_STATUSES.has(error.status));
  }
  return !(error instanceof MalformedAnswer || error instanceof SyntaxError);
}

/** Milliseconds from retry-after, in seconds or as a date; 0 without one. */
function pauseOf(error: Error): number {
  const asked = error instanceof UpstreamError ? error.headers["retry-after"] : null;
  if (!asked) {
    return 0;
  }
  const pause = /^[\d.]+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
  return Number.isFinite(pause) ? Math.max(0, pause) : 0;
}

function reasonOf(error: unknown, { timeoutMs, local }: EmbeddingUpstream): string {
  if (error instanceof MalformedAnswer) {
    return `returned an invalid response: ${error.message}`;
  }
  if (isTimeout(error)) {
    return `did not answer within ${timeoutMs} ms (EMBEDDING_TIMEOUT_MS)`;
  }
  if (local && error instanceof Error) {
    return error.message;
  }
  if (error instanceof ConnectionError) {
    const { cause } = error;
    const deeper = cause instanceof Error ? cause.cause : undefined;
    return `could not be reached${named(codeOf(cause) ?? codeOf(deeper))}`;
  }
  return error instanceof UpstreamError
    ? `returned status ${error.status}${named(error.code)}`
    : `returned an unreadable response${named(error instanceof Error ? error.name : typeof error)}`;
}

/** Only identifier-like codes: an upstream may put any text into them. */
function named(code: unknown): string {
  return typeof code === "string" && /^[A-Za-z][A-Za-z_]{1,59}$/.test(code) ? ` (${code})` : "";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}
