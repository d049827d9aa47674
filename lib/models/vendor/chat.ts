import pRetry from "p-retry";
import type * as z from "zod";
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
import type { SentCall } from "../sent-call";
import { Attempt, whileLoading } from "./attempt";
import { circuitBreakerFor } from "./breaker";
import { createEventReader } from "./event-reader";
import { endpointOf, postUpstream, type UpstreamResponse } from "./exchange";
import { toOpenAiCompletion } from "./openai-answer";
import { OpenAiChunks } from "./openai-chunks";
import { responsesWire } from "./responses-wire";
import { UpstreamCall } from "./upstream-call";
import {
  errorIn,
  isFailure,
  isGivenUp,
  isTransient,
  malformed,
  parsed,
  readUpstreamError,
  toUpstreamAppError,
} from "./upstream-error";
import { chatWire, type Wire } from "./wire";

type Upstream = NonNullable<Model["upstream"]>;
/** Calls without `onSent` are recorded nowhere, and end when their caller leaves. */
interface UpstreamEvents extends CallEvents {
  /** Called whenever the upstream has been sent the request, for the first time or again; records what becomes of it. */
  onSent?: () => SentCall | null;
}
export type UpstreamModel = ChatModel<UpstreamEvents>;

type Ask = ReturnType<typeof createAsk>;

/** Doubles with each retry. */
const FIRST_RETRY_MS = 250;
/** A page or a JSON document with status 200 is no stream yet. */
const EVENT_STREAM = /^text\/event-stream\b/i;
/** OpenAI's end-of-stream marker. */
const DONE = "[DONE]";

/** A model at any OpenAI-compatible address. */
export function createUpstreamModel(model: Model, upstream: Upstream): UpstreamModel {
  const wire = upstream.api === "responses" ? responsesWire : chatWire;
  const ask = createAsk(model, upstream, wire);
  const attempt = <T>(
    send: (attempt: Attempt) => Promise<T>,
    signal: AbortSignal,
    { onSent = () => null }: UpstreamEvents = {},
  ) => {
    const call = () => {
      const one = new Attempt(signal, onSent);
      const work = send(one).catch((cause: unknown) => {
        one.end("failed");
        throw cause;
      });
      return one.race(work);
    };
    const retried = () =>
      pRetry(
        () => circuitBreakerFor(upstream.baseUrl, upstream.model).run({ call, signal, isFailure }),
        {
          retries: model.retries,
          minTimeout: FIRST_RETRY_MS,
          signal,
          shouldRetry: ({ error }) => isTransient(error),
        },
      );
    // A fallback answers at once.
    const answered = model.fallback
      ? retried()
      : whileLoading(retried, { signal, timeoutMs: model.timeoutMs });
    return answered.catch((cause: unknown) => {
      throw toUpstreamAppError(cause, signal, upstream);
    });
  };
  return {
    complete: (request, signal, events) =>
      attempt((one) => complete(ask, request, { upstream, wire, attempt: one }), signal, events),
    stream: (request, signal, events) =>
      attempt(
        (one) => openStream(ask, request, { upstream, wire, attempt: one, ...events }),
        signal,
        events,
      ),
  };
}

interface Asking {
  upstream: Upstream;
  wire: Wire;
  attempt: Attempt;
}

function createAsk({ id, timeoutMs }: Model, upstream: Upstream, wire: Wire) {
  const { url, headers } = endpointOf(upstream, wire.path);
  const call = { operation: "chat", upstreamModel: upstream.model, model: id, url } as const;
  return async (request: ModelRequest & { stream: boolean }, attempt: Attempt) => {
    const body = JSON.stringify(wire.toBody({ ...request, model: upstream.model }));
    const observer = new UpstreamCall(call);
    const answer = await postUpstream({
      url,
      headers: { ...headers, ...observer.headers },
      body,
      signal: attempt.signal,
      idleTimeoutMs: timeoutMs,
      observer,
      onSent: () => attempt.begin(),
      onPiece: () => attempt.hear(),
    });
    if (answer.status < 200 || answer.status > 299) {
      if (!isGivenUp(answer.status)) {
        attempt.end("rejected");
      }
      const error = await readUpstreamError(answer);
      throw error.rename((text) => wire.toRequestTerms(text, request));
    }
    return answer;
  };
}

async function complete(
  ask: Ask,
  request: ModelRequest,
  { wire, attempt }: Asking,
): Promise<Completion> {
  const answer = await ask({ ...request, stream: false }, attempt);
  const value = parsed(await answer.text());
  attempt.sent?.report(wire.toUsage(value));
  const { data } = UpstreamCompletion.safeParse(wire.toCompletion(value));
  if (!data) {
    throw errorIn(value, answer) ?? malformed();
  }
  const completion = toOpenAiCompletion(data);
  for (const { message } of completion.choices) {
    attempt.sent?.write(message);
  }
  attempt.end("answered");
  return completion;
}

/** Resolves with the first chunk in hand, so that the fallback can take over before it. */
async function openStream(
  ask: Ask,
  request: ModelRequest,
  { wire, attempt, upstream, onAccepted }: Asking & Pick<CallEvents, "onAccepted">,
): Promise<AsyncIterable<CompletionChunk>> {
  const answer = await ask({ ...request, stream: true }, attempt);
  if (EVENT_STREAM.test(String(answer.headers["content-type"]))) {
    onAccepted?.();
  }
  const chunks = chunksOf(answer, wire, attempt.sent);
  const first = await chunks.next();
  if (first.done) {
    throw malformed();
  }
  return rest(first.value, chunks, { attempt, upstream });
}

/** Plain steps: each generator between the upstream and the client costs every chunk several turns of the microtask queue. */
function rest(
  first: CompletionChunk,
  chunks: AsyncGenerator<CompletionChunk>,
  { attempt, upstream }: Pick<Asking, "attempt" | "upstream">,
): AsyncIterable<CompletionChunk> {
  let isFirst = true;
  const read = async () => {
    try {
      const result = await chunks.next();
      if (result.done) {
        attempt.end("answered");
      }
      return result;
    } catch (cause) {
      attempt.end("failed");
      throw toUpstreamAppError(cause, attempt.signal, upstream);
    }
  };
  const readOn = async () => {
    const isOver = () => true;
    while (!(await read().then(({ done }) => done, isOver))) {}
  };
  attempt.whenLeft(() => void readOn());
  const next = (): Promise<IteratorResult<CompletionChunk>> => {
    if (isFirst) {
      isFirst = false;
      return Promise.resolve({ done: false, value: first });
    }
    return attempt.race(read());
  };
  /** What is left of a stream whose caller has left is read for its usage. */
  const leave = async (): Promise<IteratorResult<CompletionChunk>> => {
    if (!attempt.isLeft) {
      attempt.end("failed");
      await chunks.return(undefined);
    }
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
}

/** Leaving the loop ends the call. A stream has at least one choice, and is complete after its end marker, or when every choice has finished. */
export async function* chunksOf(
  answer: UpstreamResponse,
  wire: Wire = chatWire,
  sent: SentCall | null = null,
): AsyncGenerator<CompletionChunk> {
  const read = wire.createReader();
  const events = createEventReader();
  const shaped = new OpenAiChunks();
  let isDone = false;
  const accept = (value: unknown): CompletionChunk => {
    const chunk = shaped.accept(readChunk(value, answer));
    for (const { delta } of chunk.choices) {
      sent?.write(delta);
    }
    return chunk;
  };
  const toChunks = function* (all: readonly string[]): Generator<CompletionChunk> {
    for (const data of all) {
      if (data.startsWith(DONE)) {
        isDone = true;
        return;
      }
      if (data === "") {
        continue;
      }
      const event = parsed(data);
      sent?.report(wire.toUsage(event));
      for (const value of read(event)) {
        yield accept(value);
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
  if (shaped.isEmpty) {
    throw malformed();
  }
  if (!isDone && shaped.isAnyOpen) {
    throw new AppError(
      "upstream_error",
      "The model's response ended early. Try again in a moment.",
    );
  }
  for (const chunk of shaped.end()) {
    yield chunk;
  }
}

function readChunk(value: unknown, answer: UpstreamResponse): z.output<typeof UpstreamChunk> {
  const error = errorIn(value, answer);
  if (error) {
    throw error;
  }
  const { data } = UpstreamChunk.safeParse(value);
  if (!data) {
    throw malformed();
  }
  return data;
}
