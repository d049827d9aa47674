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
import { responsesWire } from "./responses-wire";
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
import { chatWire, type Wire } from "./wire";

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

type WiredAsking = Asking & { wire: Wire };

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
  const wire = upstream.api === "responses" ? responsesWire : chatWire;
  const ask = createAsk(model, upstream, wire);
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
      attempt((asking) => complete(ask, request, { ...asking, wire }), signal, events),
    stream: (request, signal, events) =>
      attempt((asking) => openStream(ask, request, { ...asking, wire }), signal, events),
  };
}

function createAsk({ id, timeoutMs }: Model, upstream: Upstream, wire: Wire) {
  const { url, headers } = endpointOf(upstream, wire.path);
  const call = { operation: "chat", upstreamModel: upstream.model, model: id, url } as const;
  return async (request: ModelRequest & { stream: boolean }, { signal, onSent }: Asking) => {
    const body = JSON.stringify(wire.toBody({ ...request, model: upstream.model }));
    const observer = new UpstreamCall(call);
    const answer = await postUpstream({
      url,
      headers: { ...headers, ...observer.headers },
      body,
      signal,
      idleTimeoutMs: timeoutMs,
      observer,
      onSent,
    });
    if (answer.status < 200 || answer.status > 299) {
      const error = await readUpstreamError(answer);
      throw error.rename((text) => wire.toRequestTerms(text, request));
    }
    return answer;
  };
}

async function complete(
  ask: Ask,
  request: ModelRequest,
  { wire, ...asking }: WiredAsking,
): Promise<Completion> {
  const answer = await ask({ ...request, stream: false }, asking);
  const { data } = UpstreamCompletion.safeParse(wire.toCompletion(parsed(await answer.text())));
  if (!data) {
    throw malformed();
  }
  return data as Completion;
}

/** Resolves with the first chunk in hand, so that the fallback can take over before it. */
async function openStream(
  ask: Ask,
  request: ModelRequest,
  { wire, ...asking }: WiredAsking,
): Promise<AsyncIterable<CompletionChunk>> {
  const answer = await ask({ ...request, stream: true }, asking);
  if (EVENT_STREAM.test(String(answer.headers["content-type"]))) {
    asking.onAccepted();
  }
  const chunks = chunksOf(answer, wire);
  const first = await chunks.next();
  if (first.done) {
    throw malformed();
  }
  return rest(first.value, chunks, asking);
}

/** Plain steps: each generator between the upstream and the client costs every chunk several turns of the microtask queue. */
function rest(
  first: CompletionChunk,
  chunks: AsyncGenerator<CompletionChunk>,
  { signal, onFailed }: Asking,
): AsyncIterable<CompletionChunk> {
  let isFirst = true;
  const fail = (cause: unknown): never => {
    onFailed();
    throw toUpstreamAppError(cause, signal);
  };
  const next = (): Promise<IteratorResult<CompletionChunk>> => {
    if (isFirst) {
      isFirst = false;
      return Promise.resolve({ done: false, value: first });
    }
    return chunks.next().catch(fail);
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => chunks.return(undefined) }) };
}

/** Leaving the loop ends the call. A stream has at least one choice, and is complete after its end marker, or when every choice has finished. */
export async function* chunksOf(
  answer: UpstreamResponse,
  wire: Wire = chatWire,
): AsyncGenerator<CompletionChunk> {
  const read = wire.createReader();
  const events = createEventReader();
  const seen = createChoiceTally();
  let isDone = false;
  const toChunks = function* (all: readonly string[]): Generator<CompletionChunk> {
    for (const data of all) {
      if (data.startsWith(DONE)) {
        isDone = true;
        return;
      }
      for (const value of read(parsed(data))) {
        const chunk = toChunk(value, answer);
        seen.add(chunk);
        yield chunk;
      }
    }
  };
  for await (const piece of answer.pieces()) {
    for (const chunk of toChunks(events.read(piece))) {
      yield chunk;
    }
    if (isDone) {
      break;
    }
  }
  for (const chunk of toChunks(isDone ? [] : events.end())) {
    yield chunk;
  }
  if (!seen.hasAny()) {
    throw malformed();
  }
  if (!isDone && seen.isAnyOpen()) {
    throw new AppError(
      "upstream_error",
      "The model's response ended early. Try again in a moment.",
    );
  }
}

/** The choices of a stream, and whether each has finished. */
function createChoiceTally() {
  const open = new Map<number, boolean>();
  return {
    add: ({ choices }: CompletionChunk) => {
      for (const { index, finish_reason } of choices) {
        open.set(index, !finish_reason);
      }
    },
    hasAny: () => open.size > 0,
    isAnyOpen: () => [...open.values()].includes(true),
  };
}

/** The data of the events that each piece completes. */
function createEventReader() {
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
  const take = (feed: () => void): readonly string[] => {
    events = [];
    feed();
    if (isTooLong) {
      throw malformed();
    }
    return events;
  };
  return {
    read: (piece: Uint8Array) => take(() => parser.feed(utf8.decode(piece, { stream: true }))),
    end: () => take(() => parser.reset({ consume: true })),
  };
}

function toChunk(value: unknown, answer: UpstreamResponse): CompletionChunk {
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
