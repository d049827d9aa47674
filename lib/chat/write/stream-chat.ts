import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { admit } from "@/lib/billing/write";
import { toAppError } from "@/lib/http/error-response";
import { chatModel } from "@/lib/models/dispatch";
import type { CompletionChunk, ModelRequest, ModelUsage } from "@/lib/models/schema";
import { countMessageTokens } from "@/lib/models/tokens";
import { takeStream } from "@/lib/usage/limits";
import { type Grounded, ground } from "../ground";
import { type Ending, Meter, usageWithCost } from "../metering";
import { planChat } from "../plan";
import type { ChatRequest } from "../schema";
import { StreamState } from "../stream-state";

/** A client that hung up gets no status; logs and usage records know it by this number. */
const CLIENT_CLOSED_REQUEST = 499;

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
    meter = new Meter(ctx, plan, await admit(ctx, plan.worstCaseMicros));
    grounded = await ground(ctx, plan);
    const chunks = await chatModel(plan.model).stream(withUsage(grounded.request), ctx.signal);
    const stream = forward(chunks, {
      meter,
      grounded,
      giveBack,
      showUsage: Boolean(body.stream_options?.include_usage),
    });
    // Runs it to its start, so that its end is settled even when nobody reads it.
    await stream.next();
    return stream as AsyncIterable<CompletionChunk>;
  } catch (thrown) {
    giveBack();
    await meter?.fail(toAppError(thrown).status, grounded);
    throw thrown;
  }
}

interface Forwarding {
  meter: Meter;
  grounded: Grounded;
  giveBack: () => void;
  showUsage: boolean;
}

async function* forward(
  chunks: AsyncIterable<CompletionChunk>,
  { meter, grounded, giveBack, showUsage }: Forwarding,
): AsyncGenerator<CompletionChunk | undefined> {
  const state = new StreamState(meter.plan.model.id, grounded.citations);
  let firstTokenMs: number | null = null;
  let failure: unknown;
  const ending = (status: number, isCharged: boolean): Ending => ({
    status,
    kind: meter.plan.retrieval ? "grounded" : "core",
    usage: {
      prompt: usageOf(state, grounded).prompt_tokens,
      completion: usageOf(state, grounded).completion_tokens,
    },
    grounded,
    isCharged,
    firstTokenMs,
  });
  try {
    yield;
    for await (const chunk of chunks) {
      const outgoing = state.accept(chunk);
      firstTokenMs ??= state.hasText ? Date.now() - meter.startedAt : null;
      yield* outgoing;
    }
    const costUsd = await meter.close(ending(200, true));
    if (showUsage) {
      yield state.usageChunk(usageWithCost(usageOf(state, grounded), costUsd));
    }
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    giveBack();
    const hungUp = failure === undefined || meter.ctx.signal.aborted;
    // Closed already after a normal end. A hang-up pays for what was generated, a failure for nothing.
    await meter.close(ending(hungUp ? CLIENT_CLOSED_REQUEST : toAppError(failure).status, hungUp));
  }
}

/** Billing needs the usage whether the caller asked for it or not. */
function withUsage(request: ModelRequest): ModelRequest {
  const options = typeof request.stream_options === "object" ? request.stream_options : null;
  return { ...request, stream_options: { ...options, include_usage: true } };
}

function usageOf(state: StreamState, { request }: Grounded): ModelUsage {
  if (state.usage) {
    return state.usage;
  }
  const prompt = countMessageTokens(request.messages);
  const completion = state.countGenerated();
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
