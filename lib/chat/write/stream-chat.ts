import "server-only";

import { AsyncLocalStorage } from "node:async_hooks";
import type { KeyContext } from "@/lib/auth/context";
import { takeStream } from "@/lib/limits/open-streams";
import { log } from "@/lib/log";
import { countMessageTokens } from "@/lib/models/message-tokens";
import type { CompletionChunk, ModelRequest, ModelUsage } from "@/lib/models/schema";
import type { ChoiceProcessor } from "../choice-processor";
import {
  type CompletionOutcome,
  disconnectOutcome,
  failureOf,
  type Meter,
  usageWithCost,
} from "../metering";
import { planChat } from "../plan";
import { beginAnswering, beginMetering, modelFor } from "../reserve-and-search";
import type { ChatRequest } from "../schema";
import { StreamState } from "../stream-state";
import { storeAnswer } from "./store-answer";

/**
 * One completion as OpenAI's chunks. Resolves when the model's first chunk is there, so that every
 * failure before it is an HTTP error. Streams that asked for citations are billed as grounded.
 */
export async function streamChat(
  ctx: KeyContext,
  body: ChatRequest,
): Promise<AsyncIterable<CompletionChunk>> {
  const plan = planChat(ctx, body);
  const giveBack = await takeStream(ctx.account.id);
  let meter: Meter | undefined;
  let answering: ChoiceProcessor | null = null;
  try {
    const begun = await beginMetering(ctx, plan);
    meter = begun.meter;
    answering = await beginAnswering(begun);
    const { grounded } = answering;
    const chunks = await modelFor(plan, grounded).stream(withUsage(grounded.request), ctx.signal);
    const stream = forward(chunks, { meter, answering, giveBack, body });
    // Runs it to its start, so that its end is settled even when nobody reads it.
    await stream.next();
    endWith(ctx.signal, stream);
    return stream as AsyncIterable<CompletionChunk>;
  } catch (thrown) {
    giveBack();
    await meter?.fail(thrown, answering);
    throw thrown;
  }
}

/** Ends a stream whose client hung up, whether or not anybody still reads or cancels it. */
function endWith(signal: AbortSignal, stream: AsyncGenerator<unknown>): void {
  // What it does at its end is part of the request, whoever's turn it is then.
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
}

interface Forwarding {
  meter: Meter;
  answering: ChoiceProcessor;
  giveBack: () => void;
  body: ChatRequest;
}

/**
 * The finish chunks wait until the upstream has ended and the request is settled: an upstream tells its
 * usage after them, and a client that leaves at the finish would otherwise pay for less than it got.
 */
async function* forward(
  chunks: AsyncIterable<CompletionChunk>,
  { meter, answering, giveBack, body }: Forwarding,
): AsyncGenerator<CompletionChunk | undefined> {
  const state = new StreamState(meter.plan.model.id, answering, { keeps: meter.plan.isStored });
  let firstTokenMs: number | null = null;
  let failure: unknown;
  const toEnding = (
    end: Pick<CompletionOutcome, "status" | "errorCode" | "isCharged">,
  ): CompletionOutcome => {
    const { prompt_tokens: prompt, completion_tokens: completion } = usageOf(state);
    const kind = meter.plan.retrieval ? "grounded" : "core";
    return { kind, answering, firstTokenMs, usage: { prompt, completion }, ...end };
  };
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
    await storeAnswer(meter, { body, answering, answer: () => state.completion(usageOf(state)) });
    const costUsd = await meter.close(toEnding({ status: 200, isCharged: true }));
    yield* finish;
    if (body.stream_options?.include_usage) {
      yield state.usageChunk(usageWithCost(usageOf(state), costUsd, answering));
    }
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    giveBack();
    if (!meter.isClosed) {
      // A stream that was left, or cut by a server that stops, pays for what was generated, a failure for nothing.
      const wasLeft = failure === undefined || meter.ctx.signal.aborted;
      const end = wasLeft
        ? disconnectOutcome(meter.ctx.signal)
        : failureOf(failure, meter.ctx.signal);
      await meter.end(toEnding({ ...end, isCharged: wasLeft }));
    }
  }
}

/** Billing needs the usage whether the caller asked for it or not. */
function withUsage(request: ModelRequest): ModelRequest {
  const options = typeof request.stream_options === "object" ? request.stream_options : null;
  return { ...request, stream_options: { ...options, include_usage: true } };
}

function usageOf(state: StreamState): ModelUsage {
  if (state.usage && state.hasEnded) {
    return state.usage;
  }
  // Told before the end, it lacks what came after.
  const prompt =
    state.usage?.prompt_tokens ?? countMessageTokens(state.answering.grounded.request.messages);
  const completion = Math.max(state.usage?.completion_tokens ?? 0, state.countGenerated());
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
