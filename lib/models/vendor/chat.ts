import OpenAI from "openai";
import pRetry, { AbortError } from "p-retry";
import { AppError } from "@/lib/errors";
import type { Model } from "../catalogue";
import {
  type ChatModel,
  type Completion,
  type CompletionChunk,
  type ModelRequest,
  UpstreamChunk,
  UpstreamCompletion,
} from "../schema";

type Upstream = NonNullable<Model["upstream"]>;

/** Waits between tries double from here. */
const FIRST_RETRY_MS = 250;
const CONTEXT_LENGTH = "context_length_exceeded";

/** A model behind any OpenAI-compatible address. */
export function createUpstreamModel(model: Model, upstream: Upstream): ChatModel {
  // The package's own retries would sleep as long as a 429 asks; the caller gets it at once instead.
  const client = new OpenAI({
    baseURL: upstream.baseUrl,
    apiKey: upstream.apiKey,
    timeout: model.timeoutMs,
    maxRetries: 0,
  });
  const attempt = <T>(call: () => Promise<T>, signal: AbortSignal) =>
    pRetry(() => call().catch(stopUnlessTransient), {
      retries: model.retries,
      minTimeout: FIRST_RETRY_MS,
      signal,
    }).catch((cause: unknown) => {
      throw toAppError(cause, signal);
    });
  const named = (request: ModelRequest) => ({ ...request, model: upstream.model });
  return {
    complete: (request, signal) => attempt(() => complete(client, named(request), signal), signal),
    stream: (request, signal) =>
      attempt(
        () => openStream(client, named(request), { signal, silenceMs: model.timeoutMs }),
        signal,
      ),
  };
}

async function complete(
  client: OpenAI,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Completion> {
  const body = { ...request, stream: false };
  const answer = await client.chat.completions.create(body as never, { signal });
  const { data } = UpstreamCompletion.safeParse(answer);
  if (!data) {
    throw malformed();
  }
  return data as Completion;
}

interface StreamBounds {
  signal: AbortSignal;
  /** How long the upstream may say nothing, before its first chunk and between two. */
  silenceMs: number;
}

/** Resolves with the first chunk in hand, so that every failure before it can be retried or reported. */
async function openStream(
  client: OpenAI,
  request: ModelRequest,
  { signal, silenceMs }: StreamBounds,
): Promise<AsyncIterable<CompletionChunk>> {
  const silence = new AbortController();
  const bounded = AbortSignal.any([signal, silence.signal]);
  const body = { ...request, stream: true };
  const stream = (await client.chat.completions.create(body as never, {
    signal: bounded,
  })) as unknown as AsyncIterable<unknown>;
  const chunks = stream[Symbol.asyncIterator]();
  const next = () => nextWithin(chunks, silence, silenceMs);
  const first = await next();
  if (!first) {
    throw new AppError("upstream_error", "The model answered with an empty stream. Try again.");
  }
  return rest(first, { next, end: () => silence.abort(), signal });
}

/** The next chunk; null at the end. Silence beyond the bound ends the call and is a timeout. */
async function nextWithin(
  chunks: AsyncIterator<unknown>,
  silence: AbortController,
  silenceMs: number,
): Promise<CompletionChunk | null> {
  const timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const next = await chunks.next();
    // The package ends an aborted stream as if it were complete.
    if (silence.signal.aborted) {
      throw timeout(undefined);
    }
    return next.done ? null : toChunk(next.value);
  } catch (cause) {
    throw silence.signal.aborted ? timeout(cause) : cause;
  } finally {
    clearTimeout(timer);
  }
}

async function* rest(
  first: CompletionChunk,
  {
    next,
    end,
    signal,
  }: { next: () => Promise<CompletionChunk | null>; end: () => void; signal: AbortSignal },
): AsyncGenerator<CompletionChunk> {
  try {
    for (let chunk: CompletionChunk | null = first; chunk; chunk = await next()) {
      yield chunk;
    }
    signal.throwIfAborted();
  } catch (cause) {
    throw toAppError(cause, signal);
  } finally {
    end();
  }
}

function toChunk(value: unknown): CompletionChunk {
  const { data } = UpstreamChunk.safeParse(value);
  if (!data) {
    throw malformed();
  }
  const choices = (data.choices ?? []).map((choice) => ({ ...choice, delta: choice.delta ?? {} }));
  return { ...data, choices } as CompletionChunk;
}

function malformed(): AppError {
  return new AppError(
    "upstream_error",
    "The model's answer was not a chat completion. Try again in a moment.",
  );
}

function timeout(cause: unknown): AppError {
  return new AppError(
    "upstream_timeout",
    "The model did not answer in time. Try again, or ask for less.",
    { cause },
  );
}

function stopUnlessTransient(cause: unknown): never {
  if (isTransient(cause)) {
    throw cause;
  }
  throw new AbortError(cause instanceof Error ? cause : new Error(String(cause)));
}

/** Worth another try: the upstream could not be reached, was too slow or had an error of its own. */
function isTransient(cause: unknown): boolean {
  if (cause instanceof OpenAI.APIUserAbortError) {
    return false;
  }
  if (cause instanceof OpenAI.APIConnectionError) {
    return !(cause instanceof OpenAI.APIConnectionTimeoutError);
  }
  return cause instanceof OpenAI.APIError && (cause.status ?? 0) >= 500;
}

/** An upstream's failure keeps its meaning: what the caller can mend stays theirs, the rest becomes ours. */
function toAppError(thrown: unknown, signal: AbortSignal): AppError {
  if (thrown instanceof AppError) {
    return thrown;
  }
  if (signal.aborted || thrown instanceof OpenAI.APIUserAbortError) {
    return new AppError(
      "upstream_error",
      "The request was cancelled before the model had answered.",
      {
        cause: thrown,
      },
    );
  }
  if (thrown instanceof OpenAI.APIConnectionTimeoutError) {
    return timeout(thrown);
  }
  return thrown instanceof OpenAI.APIError
    ? fromStatus(thrown)
    : new AppError("upstream_error", "The model could not be reached. Try again in a moment.", {
        cause: thrown,
      });
}

function fromStatus(error: InstanceType<typeof OpenAI.APIError>): AppError {
  switch (error.status) {
    case 400:
    case 413:
    case 422:
      return new AppError(
        error.code === CONTEXT_LENGTH ? CONTEXT_LENGTH : "invalid_request",
        error.message.replace(/^\d{3} /, ""),
        { param: error.param ?? null, cause: error },
      );
    case 429: {
      const retryAfter = error.headers?.get("retry-after") ?? "1";
      return new AppError(
        "rate_limit_exceeded",
        "The model's own rate limit is reached. Wait and try again.",
        {
          headers: { "retry-after": retryAfter },
          cause: error,
        },
      );
    }
    case 408:
    case 504:
      return timeout(error);
    default:
      return new AppError("upstream_error", "The model failed to answer. Try again in a moment.", {
        cause: error,
      });
  }
}
