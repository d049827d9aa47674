import type { AppError } from "@/lib/errors";
import { createExtractModel, immediateModel } from "@/lib/extractive/model";
import { log } from "@/lib/log";
import { findModel, type Model } from "@/lib/models/catalogue";
import { toUsage } from "@/lib/models/message-tokens";
import { toModelRequest } from "@/lib/models/model-request";
import type { ChatModel, ModelRequest } from "@/lib/models/schema";
import { isCircuitOpen } from "@/lib/models/vendor/breaker";
import { createUpstreamModel } from "@/lib/models/vendor/chat";

const built = new Map<string, ChatModel>();

/** The model that has a request: null before it was sent, and again when that model has failed. */
export interface AskedModel {
  model: Model | null;
}

/** The callable model, with its fallback tried when it fails before its first byte. Notes in `asked` which one has the request. */
export function chatModel(model: Model, asked: AskedModel): ChatModel {
  const [, fallback] = withFallbackOf(model);
  const first = track(model, asked);
  return fallback ? withFallback(first, track(fallback, asked)) : first;
}

/** A model and its fallback: those that may answer, and be billed for, a request. */
export function withFallbackOf(model: Model): [Model, ...Model[]] {
  const fallback = model.fallback ? findModel(model.fallback) : null;
  return fallback ? [model, fallback] : [model];
}

/** Sends a model the request in its own form. */
function track(model: Model, asked: AskedModel): ChatModel {
  const called = build(model);
  const onAsked = (isAsked: boolean) => {
    asked.model = isAsked ? model : null;
  };
  const prepare = (request: ModelRequest) => {
    if (!model.upstream) {
      onAsked(true);
    }
    return toModelRequest(request, model);
  };
  return {
    complete: (request, signal) => called.complete(prepare(request), signal, onAsked),
    stream: (request, signal) => called.stream(prepare(request), signal, onAsked),
  };
}

function build(model: Model): ChatModel {
  const made =
    built.get(model.id) ??
    (model.upstream ? createUpstreamModel(model, model.upstream) : createExtractModel());
  built.set(model.id, made);
  return made;
}

function withFallback(first: ChatModel, second: ChatModel): ChatModel {
  const attempt = <T>(call: (model: ChatModel) => Promise<T>, signal: AbortSignal): Promise<T> =>
    call(first).catch((failed: AppError) => {
      if (failed.status < 500 || signal.aborted) {
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
    complete: (request, signal) => attempt((model) => model.complete(request, signal), signal),
    stream: (request, signal) => attempt((model) => model.stream(request, signal), signal),
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
