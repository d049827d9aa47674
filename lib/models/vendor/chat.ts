import { createParser } from "eventsource-parser";
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
import { type Answer, post } from "./exchange";
import { errorInStream, errorOf, isTransient, toAppError } from "./upstream-error";

type Upstream = NonNullable<Model["upstream"]>;
type Ask = (body: ModelRequest & { stream: boolean }, signal: AbortSignal) => Promise<Answer>;

/** Waits between tries double from here. */
const FIRST_RETRY_MS = 250;
/** How OpenAI's streams say that they are whole. */
const DONE = "[DONE]";

/** A model behind any OpenAI-compatible address. */
export function createUpstreamModel(model: Model, upstream: Upstream): ChatModel {
  const ask = createAsk(model, upstream);
  const attempt = <T>(call: () => Promise<T>, signal: AbortSignal) =>
    pRetry(() => call().catch(stopUnlessTransient), {
      retries: model.retries,
      minTimeout: FIRST_RETRY_MS,
      signal,
    }).catch((cause: unknown) => {
      throw toAppError(cause, signal);
    });
  return {
    complete: (request, signal) => attempt(() => complete(ask, request, signal), signal),
    stream: (request, signal) => attempt(() => openStream(ask, request, signal), signal),
  };
}

function createAsk({ timeoutMs }: Model, upstream: Upstream): Ask {
  const url = new URL(`${upstream.baseUrl.replace(/\/$/, "")}/chat/completions`);
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${upstream.apiKey}`,
    "content-type": "application/json",
    "user-agent": "footnote",
  };
  return async (request, signal) => {
    const body = JSON.stringify({ ...request, model: upstream.model });
    const answer = await post({ url, headers, body, signal, silenceMs: timeoutMs });
    if (answer.status < 200 || answer.status > 299) {
      throw await errorOf(answer);
    }
    return answer;
  };
}

async function complete(ask: Ask, request: ModelRequest, signal: AbortSignal): Promise<Completion> {
  const answer = await ask({ ...request, stream: false }, signal);
  const { data } = UpstreamCompletion.safeParse(parse(await answer.text()));
  if (!data) {
    throw malformed();
  }
  return data as Completion;
}

/** Resolves with the first chunk in hand, so that every failure before it can be retried or reported. */
async function openStream(
  ask: Ask,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<CompletionChunk>> {
  const chunks = chunksOf(await ask({ ...request, stream: true }, signal));
  const first = await chunks.next();
  if (first.done) {
    throw new AppError("upstream_error", "The model answered with an empty stream. Try again.");
  }
  return rest(first.value, chunks, signal);
}

async function* rest(
  first: CompletionChunk,
  chunks: AsyncGenerator<CompletionChunk>,
  signal: AbortSignal,
): AsyncGenerator<CompletionChunk> {
  try {
    yield first;
    yield* chunks;
  } catch (cause) {
    throw toAppError(cause, signal);
  } finally {
    // What was not begun is not ended by leaving it.
    await chunks.return(undefined);
  }
}

/** The chunks of a stream's events; leaving the loop ends the call. */
async function* chunksOf(answer: Answer): AsyncGenerator<CompletionChunk> {
  const utf8 = new TextDecoder();
  let events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  const take = () => {
    const taken = events;
    events = [];
    return taken;
  };
  for await (const piece of answer.pieces()) {
    parser.feed(utf8.decode(piece, { stream: true }));
    for (const data of take()) {
      if (data.startsWith(DONE)) {
        return;
      }
      yield toChunk(data, answer);
    }
  }
  parser.reset({ consume: true });
  for (const data of take().filter((text) => !text.startsWith(DONE))) {
    yield toChunk(data, answer);
  }
}

function toChunk(text: string, answer: Answer): CompletionChunk {
  const value = parse(text);
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

function malformed(): AppError {
  return new AppError(
    "upstream_error",
    "The model's answer was not a chat completion. Try again in a moment.",
  );
}

function stopUnlessTransient(cause: unknown): never {
  if (isTransient(cause)) {
    throw cause;
  }
  throw new AbortError(cause instanceof Error ? cause : new Error(String(cause)));
}
