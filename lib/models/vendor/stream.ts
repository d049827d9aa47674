import { createParser } from "eventsource-parser";
import { AppError } from "@/lib/errors";
import { type CompletionChunk, UpstreamChunk } from "../schema";
import type { UpstreamResponse } from "./exchange";
import { errorInStream, malformed, parsed } from "./upstream-error";

/** OpenAI's end-of-stream marker. */
const DONE = "[DONE]";
/** One event may contain an image or a file's text. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Parses a stream's chunks; leaving the loop ends the call. A stream is complete after its end marker, or when every
 * choice has a finish reason; any other end is a failure.
 */
export async function* chunksOf(answer: UpstreamResponse): AsyncGenerator<CompletionChunk> {
  const unfinished = new Set<number>();
  for await (const data of eventsOf(answer)) {
    if (data.startsWith(DONE)) {
      return;
    }
    const chunk = toChunk(data, answer);
    for (const { index, finish_reason } of chunk.choices) {
      unfinished[finish_reason ? "delete" : "add"](index);
    }
    yield chunk;
  }
  if (unfinished.size > 0) {
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
