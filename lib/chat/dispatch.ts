import type { AppError } from "@/lib/errors";
import { createExtractModel, immediateModel } from "@/lib/extractive/model";
import { log } from "@/lib/log";
import { findModel, type Model } from "@/lib/models/catalogue";
import { toUsage } from "@/lib/models/message-tokens";
import type { ChatModel } from "@/lib/models/schema";
import { isCircuitOpen } from "@/lib/models/vendor/breaker";
import { createUpstreamModel } from "@/lib/models/vendor/chat";
import type { DelimitedSource } from "@/lib/text/delimiters";

const built = new Map<string, ChatModel>();

/**
 * The callable model, with its fallback tried when it fails before its first byte. The built-in model quotes
 * `sources` and reads none from the messages, where a caller could forge them; null when retrieval did not run.
 */
export function chatModel(model: Model, sources: readonly DelimitedSource[] | null): ChatModel {
  const fallback = model.fallback ? findModel(model.fallback) : null;
  const first = build(model, sources);
  return fallback ? withFallback(first, build(fallback, sources)) : first;
}

function build(model: Model, sources: readonly DelimitedSource[] | null): ChatModel {
  if (!model.upstream) {
    return createExtractModel(sources);
  }
  const made = built.get(model.id) ?? createUpstreamModel(model, model.upstream);
  built.set(model.id, made);
  return made;
}

function withFallback(first: ChatModel, second: ChatModel): ChatModel {
  const attempt = <T>(call: (model: ChatModel) => Promise<T>): Promise<T> =>
    call(first).catch((failed: AppError) => {
      if (failed.status < 500) {
        throw failed;
      }
      // The breaker already logged why it refuses calls.
      log[isCircuitOpen(failed) ? "debug" : "warn"](
        { err: failed.cause ?? failed, code: failed.code },
        "model failed: trying its fallback",
      );
      return call(second);
    });
  return {
    complete: (request, signal) => attempt((model) => model.complete(request, signal)),
    stream: (request, signal) => attempt((model) => model.stream(request, signal)),
  };
}

/** The whole answer when the search found nothing and the request asked to abstain. */
export const ABSTENTION =
  "The knowledge bases that were searched hold no passage on this question, so it is not answered.";

/** Answers in place of a model that must not be asked. Uses no tokens. */
export const abstainingModel = immediateModel(({ n }) => ({
  message: { content: ABSTENTION },
  pieces: [ABSTENTION],
  finishReason: "stop",
  count: n ?? 1,
  usage: toUsage(0, 0),
}));
