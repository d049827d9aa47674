import OpenAI from "openai";
import pRetry, { AbortError } from "p-retry";
import { AppError } from "@/lib/errors";
import type { Model } from "./catalogue";
import type { ChatModel, Completion, CompletionChunk, ModelRequest } from "./schema";

type Upstream = NonNullable<Model["upstream"]>;

/** Waits between tries double from here. */
const FIRST_RETRY_MS = 250;
const CONTEXT_LENGTH = "context_length_exceeded";

/** A model behind any OpenAI-compatible address: the only file that knows the `openai` package. */
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
  return {
    complete: (request, signal) =>
      attempt(async () => {
        const body = { ...request, model: upstream.model, stream: false };
        const completion = await client.chat.completions.create(body as never, { signal });
        return checkCompletion(completion);
      }, signal),
    stream: (request, signal) =>
      attempt(() => openStream(client, { ...request, model: upstream.model }, signal), signal),
  };
}

/** Resolves with the first chunk in hand, so that every failure before it can be retried or reported. */
async function openStream(
  client: OpenAI,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<CompletionChunk>> {
  const body = { ...request, stream: true };
  const stream = (await client.chat.completions.create(body as never, {
    signal,
  })) as unknown as AsyncIterable<CompletionChunk>;
  const chunks = stream[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) {
    throw new AppError("upstream_error", "The model answered with an empty stream. Try again.");
  }
  return rest(first.value, chunks, signal);
}

async function* rest(
  first: CompletionChunk,
  chunks: AsyncIterator<CompletionChunk>,
  signal: AbortSignal,
): AsyncGenerator<CompletionChunk> {
  try {
    yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      yield next.value;
    }
    // The package ends an aborted stream as if it were complete.
    signal.throwIfAborted();
  } catch (cause) {
    throw toAppError(cause, signal);
  } finally {
    await chunks.return?.();
  }
}

function checkCompletion(completion: unknown): Completion {
  const candidate = completion as Partial<Completion> | null;
  if (!Array.isArray(candidate?.choices)) {
    throw new AppError(
      "upstream_error",
      "The model's answer was not a chat completion. Try again.",
    );
  }
  return candidate as Completion;
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
    return new AppError(
      "upstream_timeout",
      "The model did not answer in time. Try again, or ask for less.",
      {
        cause: thrown,
      },
    );
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
      return new AppError(
        "upstream_timeout",
        "The model did not answer in time. Try again, or ask for less.",
        {
          cause: error,
        },
      );
    default:
      return new AppError("upstream_error", "The model failed to answer. Try again in a moment.", {
        cause: error,
      });
  }
}
