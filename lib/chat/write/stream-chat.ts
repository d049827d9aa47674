import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { admit } from "@/lib/billing/write/admit";
import { log } from "@/lib/log";
import { chatModel } from "@/lib/models/dispatch";
import type { CompletionChunk, ModelRequest, ModelUsage } from "@/lib/models/schema";
import { countMessageTokens } from "@/lib/models/tokens";
import { takeStream } from "@/lib/usage/limits";
import { type Grounded, ground } from "../ground";
import { CLIENT_CLOSED_REQUEST, endStatus, Meter, usageWithCost } from "../metering";
import { planChat } from "../plan";
import type { ChatRequest } from "../schema";
import { StreamState } from "../stream-state";

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
  let grounded: Grounded | null = null;
  try {
    meter = new Meter(ctx, plan, await admit(ctx, plan.worstCaseMicros, plan));
    grounded = await ground(ctx, plan);
    const chunks = await chatModel(plan.model).stream(withUsage(grounded.request), ctx.signal);
    const showUsage = Boolean(body.stream_options?.include_usage);
    const stream = forward(chunks, { meter, grounded, giveBack, showUsage });
    // Runs it to its start, so that its end is settled even when nobody reads it.
    await stream.next();
    endWith(ctx.signal, stream);
    return stream as AsyncIterable<CompletionChunk>;
  } catch (thrown) {
    giveBack();
    await meter?.fail(endStatus(thrown, ctx.signal), grounded);
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
  grounded: Grounded;
  giveBack: () => void;
  showUsage: boolean;
}

/**
 * The finish chunks wait until the upstream has ended and the request is settled: an upstream tells its
 * usage after them, and a client that leaves at the finish would otherwise pay for less than it got.
 */
async function* forward(
  chunks: AsyncIterable<CompletionChunk>,
  { meter, grounded, giveBack, showUsage }: Forwarding,
): AsyncGenerator<CompletionChunk | undefined> {
  const state = new StreamState(meter.plan.model.id, grounded);
  const finish: CompletionChunk[] = [];
  let firstTokenMs: number | null = null;
  let failure: unknown;
  const close = (status: number, isCharged: boolean) => {
    const { prompt_tokens: prompt, completion_tokens: completion } = usageOf(state, grounded);
    const kind = meter.plan.retrieval ? "grounded" : "core";
    return meter.close({
      status,
      kind,
      usage: { prompt, completion },
      grounded,
      isCharged,
      firstTokenMs,
    });
  };
  try {
    yield;
    for await (const chunk of chunks) {
      const outgoing = state.accept(chunk);
      firstTokenMs ??= state.hasText ? Date.now() - meter.startedAt : null;
      finish.push(...outgoing.filter(isFinish));
      yield* outgoing.filter((candidate) => !isFinish(candidate));
    }
    yield* state.end();
    const costUsd = await close(200, true);
    yield* finish;
    if (showUsage) {
      yield state.usageChunk(usageWithCost(usageOf(state, grounded), costUsd));
    }
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    giveBack();
    if (!meter.isClosed) {
      // A hang-up pays for what was generated, a failure for nothing.
      const hungUp = failure === undefined || meter.ctx.signal.aborted;
      await close(hungUp ? CLIENT_CLOSED_REQUEST : endStatus(failure, meter.ctx.signal), hungUp);
    }
  }
}

function isFinish({ choices }: CompletionChunk): boolean {
  return choices.some(({ finish_reason }) => Boolean(finish_reason));
}

/** Billing needs the usage whether the caller asked for it or not. */
function withUsage(request: ModelRequest): ModelRequest {
  const options = typeof request.stream_options === "object" ? request.stream_options : null;
  return { ...request, stream_options: { ...options, include_usage: true } };
}

function usageOf(state: StreamState, { request }: Grounded): ModelUsage {
  if (state.usage && state.hasEnded) {
    return state.usage;
  }
  // Told before the end, it lacks what came after.
  const prompt = state.usage?.prompt_tokens ?? countMessageTokens(request.messages);
  const completion = Math.max(state.usage?.completion_tokens ?? 0, state.countGenerated());
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
