import { createParser } from "eventsource-parser";
import pRetry from "p-retry";
import { AppError } from "@/lib/errors";
import type { Model } from "../catalogue";
import {
  type CallEvents,
  type ChatModel,
  type Completion,
  type CompletionChunk,
  type ModelRequest,
  UpstreamChunk,
  UpstreamCompletion,
} from "../schema";
import { circuitBreakerFor } from "./breaker";
import { endpointOf, postUpstream, type UpstreamResponse } from "./exchange";
import { UpstreamCall } from "./upstream-call";
import {
  errorInStream,
  isFailure,
  isTransient,
  malformed,
  parsed,
  readUpstreamError,
  toUpstreamAppError,
} from "./upstream-error";

type Upstream = NonNullable<Model["upstream"]>;
type Ask = ReturnType<typeof createAsk>;

/** One attempt, and what to call as it proceeds. */
interface Asking {
  signal: AbortSignal;
  onSent: () => void;
  onAccepted: () => void;
  /** Does nothing when the caller aborted the attempt: the upstream may bill it. */
  onFailed: () => void;
}

/** Doubles with each retry. */
const FIRST_RETRY_MS = 250;
/** A page or a JSON document with status 200 is no stream yet. */
const EVENT_STREAM = /^text\/event-stream\b/i;
/** OpenAI's end-of-stream marker. */
const DONE = "[DONE]";
/** One event may contain an image or a file's text. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** A model at any OpenAI-compatible address. */
export function createUpstreamModel(model: Model, upstream: Upstream): ChatModel {
  const ask = createAsk(model, upstream);
  const attempt = <T>(
    send: (asking: Asking) => Promise<T>,
    signal: AbortSignal,
    { onAsked = () => {}, onAccepted = () => {} }: CallEvents = {},
  ) => {
    const asking: Asking = {
      signal,
      onSent: () => onAsked(true),
      onAccepted,
      onFailed: () => signal.aborted || onAsked(false),
    };
    const call = () =>
      send(asking).catch((cause: unknown) => {
        asking.onFailed();
        throw cause;
      });
    return pRetry(
      () => circuitBreakerFor(upstream.baseUrl, upstream.model).run({ call, signal, isFailure }),
      {
        retries: model.retries,
        minTimeout: FIRST_RETRY_MS,
        signal,
        shouldRetry: ({ error }) => isTransient(error),
      },
    ).catch((cause: unknown) => {
      throw toUpstreamAppError(cause, signal);
    });
  };
  return {
    complete: (request, signal, events) =>
      attempt((asking) => complete(ask, request, asking), signal, events),
    stream: (request, signal, events) =>
      attempt((asking) => openStream(ask, request, asking), signal, events),
  };
}

function createAsk({ id, timeoutMs }: Model, upstream: Upstream) {
  const { url, headers } = endpointOf(upstream, "chat/completions");
  const call = { operation: "chat", upstreamModel: upstream.model, model: id, url } as const;
  return async (request: ModelRequest & { stream: boolean }, { signal, onSent }: Asking) => {
    const observer = new UpstreamCall(call);
    const answer = await postUpstream({
      url,
      headers: { ...headers, ...observer.headers },
      body: JSON.stringify({ ...request, model: upstream.model }),
      signal,
      idleTimeoutMs: timeoutMs,
      observer,
      onSent,
    });
    if (answer.status < 200 || answer.status > 299) {
      throw await readUpstreamError(answer);
    }
    return answer;
  };
}

async function complete(ask: Ask, request: ModelRequest, asking: Asking): Promise<Completion> {
  const answer = await ask({ ...request, stream: false }, asking);
  const { data } = UpstreamCompletion.safeParse(parsed(await answer.text()));
  if (!data) {
    throw malformed();
  }
  return data as Completion;
}

/** Resolves with the first chunk in hand, so that the fallback can take over before it. */
async function openStream(
  ask: Ask,
  request: ModelRequest,
  asking: Asking,
): Promise<AsyncIterable<CompletionChunk>> {
  const answer = await ask({ ...request, stream: true }, asking);
  if (EVENT_STREAM.test(String(answer.headers["content-type"]))) {
    asking.onAccepted();
  }
  const chunks = chunksOf(answer);
  const first = await chunks.next();
  if (first.done) {
    throw malformed();
  }
  return rest(first.value, chunks, asking);
}

async function* rest(
  first: CompletionChunk,
  chunks: AsyncGenerator<CompletionChunk>,
  { signal, onFailed }: Asking,
): AsyncGenerator<CompletionChunk> {
  try {
    yield first;
    yield* chunks;
  } catch (cause) {
    onFailed();
    throw toUpstreamAppError(cause, signal);
  } finally {
    // Leaving the loop doesn't end a generator that hasn't started.
    await chunks.return(undefined);
  }
}

/** Leaving the loop ends the call. A stream has at least one choice, and is complete after its end marker, or when every choice has finished. */
export async function* chunksOf(answer: UpstreamResponse): AsyncGenerator<CompletionChunk> {
  const unfinished = new Set<number>();
  let hasChoices = false;
  let isDone = false;
  for await (const data of eventsOf(answer)) {
    if (data.startsWith(DONE)) {
      isDone = true;
      break;
    }
    const chunk = toChunk(data, answer);
    hasChoices ||= chunk.choices.length > 0;
    for (const { index, finish_reason } of chunk.choices) {
      unfinished[finish_reason ? "delete" : "add"](index);
    }
    yield chunk;
  }
  if (!hasChoices) {
    throw malformed();
  }
  if (!isDone && unfinished.size > 0) {
    throw new AppError(
      "upstream_error",
      "The model's response ended early. Try again in a moment.",
    );
  }
}

async function* eventsOf(answer: UpstreamResponse): AsyncGenerator<string> {
  const utf8 = new TextDecoder();
  let events: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === "max-buffer-size-exceeded";
    },
    maxBufferSize: MAX_EVENT_CHARACTERS,
  });
  const take = (feed: () => void) => {
    events = [];
    feed();
    if (isTooLong) {
      throw malformed();
    }
    return events;
  };
  for await (const piece of answer.pieces()) {
    yield* take(() => parser.feed(utf8.decode(piece, { stream: true })));
  }
  yield* take(() => parser.reset({ consume: true }));
}

function toChunk(text: string, answer: UpstreamResponse): CompletionChunk {
  const value = parsed(text);
  const error = errorInStream(value, answer);
  if (error) {
    throw error;
  }
  const { data } = UpstreamChunk.safeParse(value);
  if (!data) {
    throw malformed();
  }
  const choices = (data.choices ?? []).map((choice) => ({ ...choice, delta: choice.delta ?? {} }));
  return { ...data, choices } as CompletionChunk;
}
