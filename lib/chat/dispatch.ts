import type { AppError } from "@/lib/errors";
import { createExtractModel } from "@/lib/extractive/model";
import { log } from "@/lib/log";
import { findModel, type Model } from "@/lib/models/catalogue";
import { toUsage } from "@/lib/models/message-tokens";
import type { ChatModel, Completion, CompletionChunk, ModelRequest } from "@/lib/models/schema";
import { isCircuitOpen } from "@/lib/models/vendor/breaker";
import { createUpstreamModel } from "@/lib/models/vendor/chat";

const built = new Map<string, ChatModel>();

/** The callable model, with its fallback tried when it fails before its first byte. */
export function chatModel(model: Model): ChatModel {
  const fallback = model.fallback ? findModel(model.fallback) : null;
  const first = build(model);
  return fallback ? withFallback(first, build(fallback)) : first;
}

function build(model: Model): ChatModel {
  const known = built.get(model.id);
  if (known) {
    return known;
  }
  const made = model.upstream ? createUpstreamModel(model, model.upstream) : createExtractModel();
  built.set(model.id, made);
  return made;
}

function withFallback(first: ChatModel, second: ChatModel): ChatModel {
  const recover = <T>(failed: AppError, retry: () => Promise<T>): Promise<T> => {
    if (failed.status < 500) {
      throw failed;
    }
    // The breaker already logged why it refuses calls.
    log[isCircuitOpen(failed) ? "debug" : "warn"](
      { err: failed.cause ?? failed, code: failed.code },
      "model failed: trying its fallback",
    );
    return retry();
  };
  return {
    complete: (request, signal) =>
      first
        .complete(request, signal)
        .catch((failed) => recover(failed, () => second.complete(request, signal))),
    stream: (request, signal) =>
      first
        .stream(request, signal)
        .catch((failed) => recover(failed, () => second.stream(request, signal))),
  };
}

/** The whole answer when the search found nothing and the request asked to abstain. */
export const ABSTENTION =
  "The knowledge bases that were searched hold no passage on this question, so it is not answered.";

/** Answers in place of a model that must not be asked. Uses no tokens. */
export const abstainingModel: ChatModel = {
  complete: async (request) => ({
    ...frameOf(request),
    object: "chat.completion",
    choices: indexes(request).map((index) => ({
      index,
      finish_reason: "stop",
      logprobs: null,
      message: { role: "assistant", content: ABSTENTION },
    })),
    usage: toUsage(0, 0),
  }),
  stream: async (request) => abstentionChunks(request),
};

async function* abstentionChunks(request: ModelRequest): AsyncGenerator<CompletionChunk> {
  const frame = { ...frameOf(request), object: "chat.completion.chunk" as const };
  for (const index of indexes(request)) {
    yield {
      ...frame,
      choices: [{ index, delta: { role: "assistant", content: ABSTENTION }, finish_reason: null }],
    };
    yield { ...frame, choices: [{ index, delta: {}, finish_reason: "stop" }] };
  }
  yield { ...frame, choices: [], usage: toUsage(0, 0) };
}

/** The pipeline sets the id. */
function frameOf({ model }: ModelRequest): Pick<Completion, "id" | "created" | "model"> {
  return { id: "", created: Math.floor(Date.now() / 1000), model };
}

function indexes({ n }: ModelRequest): number[] {
  return Array.from({ length: n ?? 1 }, (_, index) => index);
}
