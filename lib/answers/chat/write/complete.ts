import "server-only";

import { AsyncLocalStorage } from "node:async_hooks";
import { abstainingModel } from "@/lib/answers/builtin/model";
import { yieldIfLong } from "@/lib/event-loop";
import type { Completion, CompletionChunk } from "@/lib/models/schema";
import { costHeaders } from "@/lib/money/billing/money";
import type { KeyContext } from "@/lib/platform/auth/context";
import { Reply } from "@/lib/platform/http/route";
import { type EventStream, sse } from "@/lib/platform/http/sse";
import { log } from "@/lib/platform/log";
import type { ChoiceProcessor } from "../choice-processor";
import { chatModel } from "../dispatch";
import { fieldNamesFor } from "../ground";
import { toCallerPositions } from "../message-positions";
import { type Meter, withMeter } from "../meter";
import type { Progress } from "../outcome";
import { type Origin, planChat } from "../plan";
import { applyPreset } from "../preset";
import type { ChatRequest } from "../schema";
import { StreamState } from "../stream-state";
import { withSearch } from "../with-search";

/** How long a stream's response waits at most for the model to accept the request: proxies cut silent connections. */
const OPEN_WITHIN_MS = 10_000;

/** What the pipeline hands to a protocol: the whole answer, or its chunks. */
type Answered = { choices: ChoiceProcessor } & (
  | { completion: Completion; costUsd: string }
  | { chunks: AsyncIterable<CompletionChunk> }
);

export async function createCompletion(
  ctx: KeyContext,
  body: ChatRequest,
): Promise<Reply | EventStream> {
  const { request, origin } = withSearch(body);
  const answered = await runCompletion(ctx, request, origin);
  return "chunks" in answered
    ? sse(answered.chunks)
    : new Reply(answered.completion, costHeaders(answered.costUsd));
}

/**
 * The pipeline, for any protocol. A failed request costs nothing. A stream begins when the model has accepted the
 * request, or after OPEN_WITHIN_MS: a failure before is thrown here, a failure after it by the stream. It is settled
 * however it ends, even if nobody reads it.
 */
export async function runCompletion(
  ctx: KeyContext,
  body: ChatRequest,
  origin?: Origin,
): Promise<Answered> {
  const plan = await planChat(ctx, await applyPreset(ctx, body), origin);
  return withMeter(ctx, plan, async (meter, choices) => {
    const { request, retrieved, isAbstaining } = choices.grounded;
    const model = isAbstaining
      ? abstainingModel
      : chatModel(plan.models, {
          fields: fieldNamesFor(plan, choices.grounded),
          calls: meter.calls,
          most: plan.bound,
          sources: retrieved?.promptSources ?? null,
          searched: retrieved?.searched ?? null,
          ignoresUnsupported: plan.ignoresUnsupported,
        });
    const renumber = (thrown: unknown): never => {
      throw toCallerPositions(thrown, { own: plan.request.messages, sent: request.messages });
    };
    if (!plan.isStream) {
      const stopPreparing = choices.prepare();
      const answering = model.complete(request, ctx.signal).finally(stopPreparing);
      const completion = await answering.catch(renumber);
      return finishPlain(completion, meter, choices);
    }
    // Billing needs the usage whether or not the caller asked for it.
    const stream_options = { ...request.stream_options, include_usage: true };
    const accepted = Promise.withResolvers<void>();
    const chunks = model
      .stream({ ...request, stream_options }, ctx.signal, { onAccepted: accepted.resolve })
      .catch(renumber);
    // It may be left before anything waits for it.
    chunks.catch(() => {});
    const leftMs = OPEN_WITHIN_MS - meter.elapsedMs();
    await settledWithin(leftMs, Promise.race([accepted.promise, chunks]));
    return { choices, chunks: await startStream(chunks, meter, choices) };
  });
}

async function finishPlain(
  completion: Completion,
  meter: Meter,
  choices: ChoiceProcessor,
): Promise<Answered> {
  meter.endStage("model");
  const answer = await toAnswer(completion, choices, meter.model.id);
  meter.endStage("verification");
  const usage = await meter.usage();
  const { retrieved } = choices.grounded;
  const progress = { kind: retrieved ? "grounded" : "core", usage, firstTokenMs: null } as const;
  const costUsd = await meter.close(progress, () => ({ ...answer, usage }));
  return {
    choices,
    completion: { ...answer, usage: choices.usageWithCost(usage, costUsd) },
    costUsd,
  };
}

/** The answer as it is sent, except for its usage. */
export async function toAnswer(
  completion: Completion,
  choices: ChoiceProcessor,
  model: string,
): Promise<Completion> {
  const contents = new Map<number, string>();
  for (const { index, message, finish_reason } of completion.choices) {
    await yieldIfLong();
    const cited = choices.begin(index);
    if (cited) {
      const text = await cited.push(message.content ?? "");
      contents.set(index, text + (await cited.end(finish_reason)));
    }
  }
  const { evidence, citations } = await choices.finish();
  const { id, warnings, retrieval } = choices;
  return {
    ...completion,
    id,
    object: "chat.completion",
    model,
    choices: completion.choices.map((choice) => ({
      ...choice,
      message: {
        ...choice.message,
        content: choice.message.content && (contents.get(choice.index) ?? choice.message.content),
        ...evidence.get(choice.index),
      },
    })),
    ...(citations && { citations }),
    ...(retrieval && { retrieval }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Resolves when `work` has, or when the time is up. Throws as `work` does until then. */
async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, ms));
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Starts a completion's chunks, which end when the client leaves, even if nobody reads or cancels them. */
async function startStream(
  chunks: Promise<AsyncIterable<CompletionChunk>>,
  meter: Meter,
  choices: ChoiceProcessor,
): Promise<AsyncIterable<CompletionChunk>> {
  const { signal } = meter.ctx;
  const stream = forward(chunks, meter, choices);
  // A generator that never started runs no `finally`; its first value is no chunk.
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
  return stream as AsyncIterable<CompletionChunk>;
}

/**
 * Finish chunks wait until the upstream has ended and the request is settled: upstreams report usage after them, and
 * a client that leaves at the finish would otherwise pay for less than it got.
 */
async function* forward(
  chunks: Promise<AsyncIterable<CompletionChunk>>,
  meter: Meter,
  choices: ChoiceProcessor,
): AsyncGenerator<CompletionChunk | undefined> {
  const { body, retrieval, isStored, isReferable } = meter.plan;
  const includesUsage = body.stream_options?.include_usage ?? false;
  const state = new StreamState(meter.model.id, choices, {
    isStored: isStored || isReferable,
    includesUsage,
  });
  const stopPreparing = choices.prepare();
  let firstTokenMs: number | null = null;
  let isAnswering = false;
  let failure: unknown;
  // A stream that asked for citations is billed as grounded.
  const progress = async (): Promise<Progress> => ({
    kind: retrieval ? "grounded" : "core",
    usage: await meter.usage(),
    firstTokenMs,
  });
  try {
    yield;
    yield* state.open();
    const answer = await chunks;
    isAnswering = true;
    state.model = meter.model.id;
    for await (const chunk of answer) {
      const outgoing = await state.accept(chunk);
      firstTokenMs ??= state.hasText ? meter.elapsedMs() : null;
      for (const each of outgoing) {
        yield each;
      }
    }
    yield* await state.end();
    meter.endStage("model");
    const finish = await state.finish();
    meter.endStage("verification");
    const reached = await progress();
    const costUsd = await meter.close(reached, () => state.completion(reached.usage));
    yield* finish;
    if (includesUsage) {
      yield state.usageChunk(choices.usageWithCost(reached.usage, costUsd));
    }
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    stopPreparing();
    await meter.end(failure, isAnswering ? progress : undefined, isAnswering);
  }
}
