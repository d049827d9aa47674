import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { admit } from "@/lib/billing/write/admit";
import { log } from "@/lib/log";
import type { CompletionChunk, ModelRequest, ModelUsage } from "@/lib/models/schema";
import { countMessageTokens } from "@/lib/models/tokens";
import { takeStream } from "@/lib/usage/limits";
import type { Answering } from "../answering";
import { beginAnswering, modelFor } from "../begin";
import { type Ending, failureOf, HUNG_UP, Meter, usageWithCost } from "../metering";
import { planChat } from "../plan";
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
  let answering: Answering | null = null;
  try {
    meter = new Meter(ctx, plan, await admit(ctx, plan.worstCaseMicros, plan));
    answering = await beginAnswering(meter);
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
  const end = () => {
    stream
      .return(undefined)
      .catch((cause: unknown) => log.error({ err: cause }, "stream not ended"));
  };
  if (signal.aborted) {
    end();
  } else {
    signal.addEventListener("abort", end, { once: true });
  }
}

interface Forwarding {
  meter: Meter;
  answering: Answering;
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
  const close = (ending: Pick<Ending, "status" | "errorCode" | "isCharged">) => {
    const { prompt_tokens: prompt, completion_tokens: completion } = usageOf(state);
    const kind = meter.plan.retrieval ? "grounded" : "core";
    return meter.close({
      ...{ kind, answering, firstTokenMs, usage: { prompt, completion } },
      ...ending,
    });
  };
  try {
    yield;
    for await (const chunk of chunks) {
      const outgoing = await state.accept(chunk);
      firstTokenMs ??= state.hasText ? Date.now() - meter.startedAt : null;
      yield* outgoing;
    }
    yield* await state.end();
    meter.endStage("model");
    const finish = await state.finish();
    meter.endStage("verification");
    await storeAnswer(meter, { body, answering, answer: () => state.completion(usageOf(state)) });
    const costUsd = await close({ status: 200, isCharged: true });
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
      // A hang-up pays for what was generated, a failure for nothing.
      const hungUp = failure === undefined || meter.ctx.signal.aborted;
      await close({
        ...(hungUp ? HUNG_UP : failureOf(failure, meter.ctx.signal)),
        isCharged: hungUp,
      });
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
