import type { AppError } from "@/lib/errors";
import { createExtractModel, immediateModel } from "@/lib/extractive/model";
import { log } from "@/lib/log";
import { findModel, type Model } from "@/lib/models/catalogue";
import { toUsage } from "@/lib/models/message-tokens";
import type { ChatModel } from "@/lib/models/schema";
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
  const made =
    built.get(model.id) ??
    (model.upstream ? createUpstreamModel(model, model.upstream) : createExtractModel());
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
