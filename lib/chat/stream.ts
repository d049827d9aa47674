import { AsyncLocalStorage } from "node:async_hooks";
import { type EventStream, sse } from "@/lib/http/sse";
import { log } from "@/lib/log";
import type { CompletionChunk } from "@/lib/models/schema";
import type { ChoiceProcessor } from "./choice-processor";
import type { Meter, Progress } from "./meter";
import { StreamState } from "./stream-state";

/** Starts sending a completion as chunks. It is settled however it ends, even if nobody reads or cancels it. */
export async function startStream(
  chunks: AsyncIterable<CompletionChunk>,
  meter: Meter,
  choices: ChoiceProcessor,
): Promise<EventStream> {
  const { signal } = meter.ctx;
  const stream = forward(chunks, meter, choices);
  // A generator that never started runs no `finally`.
  await stream.next();
  // Cleanup must run in the request's async context.
  const end = AsyncLocalStorage.bind(() => {
    stream
      .return(undefined)
      .catch((cause: unknown) => log.error({ err: cause }, "stream not ended"));
  });
  if (signal.aborted) {
    end();
  } else {
    signal.addEventListener("abort", end, { once: true });
  }
  return sse(stream);
}

/**
 * Finish chunks wait until the upstream has ended and the request is settled: upstreams report usage after them, and
 * a client that leaves at the finish would otherwise pay for less than it got.
 */
async function* forward(
  chunks: AsyncIterable<CompletionChunk>,
  meter: Meter,
  choices: ChoiceProcessor,
): AsyncGenerator<CompletionChunk | undefined> {
  const { model, body, retrieval, isStored } = meter.plan;
  const state = new StreamState(model.id, choices, { isStored });
  let firstTokenMs: number | null = null;
  let failure: unknown;
  // A stream that asked for citations is billed as grounded.
  const progress = (): Progress => ({
    kind: retrieval ? "grounded" : "core",
    usage: state.usage(),
    firstTokenMs,
  });
  try {
    yield;
    for await (const chunk of chunks) {
      const outgoing = await state.accept(chunk);
      firstTokenMs ??= state.hasText ? meter.elapsedMs() : null;
      yield* outgoing;
    }
    yield* await state.end();
    meter.endStage("model");
    const finish = await state.finish();
    meter.endStage("verification");
    const reached = progress();
    const costUsd = await meter.close(reached, () => state.completion(reached.usage));
    yield* finish;
    if (body.stream_options?.include_usage) {
      yield state.usageChunk(choices.usageWithCost(reached.usage, costUsd));
    }
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    await meter.end(failure, progress);
  }
}
