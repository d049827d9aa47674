import type { AppError } from "@/lib/errors";
import type { Asked } from "@/lib/extractive/answer";
import type { FieldNames } from "@/lib/extractive/fields";
import { createExtractModel, immediateModel, inFormat } from "@/lib/extractive/model";
import { findUnsupported, offersTools } from "@/lib/extractive/unsupported";
import { log } from "@/lib/log";
import type { Candidates, Model } from "@/lib/models/catalogue";
import { toUsage } from "@/lib/models/message-tokens";
import { toModelRequest } from "@/lib/models/model-request";
import type { ChatModel, ModelRequest } from "@/lib/models/schema";
import { isCircuitOpen } from "@/lib/models/vendor/breaker";
import { createUpstreamModel } from "@/lib/models/vendor/chat";
import type { DelimitedSource } from "@/lib/text/delimiters";

const built = new Map<string, ChatModel>();

/** The model that has a request: null before it was sent, and again when that model has failed. */
export interface AskedModel {
  model: Model | null;
}

interface CallOptions {
  /** Told which model has the request. */
  asked: AskedModel;
  /** What the built-in model quotes; it reads none from the messages, where a caller could forge them. Null without retrieval. */
  sources: readonly DelimitedSource[] | null;
  /** What the built-in model answers. Null without retrieval. */
  searched: Asked | null;
  /** Whether the built-in model answers although it doesn't support all that the request asks for. */
  ignoresUnsupported?: boolean;
  /** For the built-in model's replies; by default those of a chat completion. */
  fields?: FieldNames;
}

/** The callable model, with its fallback, if it has one, tried when it fails before its first byte. */
export function chatModel([model, fallback]: Candidates, options: CallOptions): ChatModel {
  const first = track(model, options);
  const canServe = (request: ModelRequest) =>
    Boolean(fallback?.upstream || options.ignoresUnsupported) ||
    // Whoever chose a model that calls tools would take this one's prose for its decision not to.
    (findUnsupported(request) === null && !offersTools(request));
  return fallback ? withFallback(first, track(fallback, options), canServe) : first;
}

/** Sends a model the request in its own form. */
function track(model: Model, { asked, ...options }: CallOptions): ChatModel {
  const called = build(model, options);
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
    complete: (request, signal) => called.complete(prepare(request), signal, { onAsked }),
    stream: (request, signal, events) =>
      called.stream(prepare(request), signal, { ...events, onAsked }),
  };
}

function build(
  model: Model,
  { sources, searched, fields }: Pick<CallOptions, "sources" | "searched" | "fields">,
): ChatModel {
  if (!model.upstream) {
    return createExtractModel(sources, searched ?? {}, fields);
  }
  const made = built.get(model.id) ?? createUpstreamModel(model, model.upstream);
  built.set(model.id, made);
  return made;
}

function withFallback(
  first: ChatModel,
  second: ChatModel,
  canServe: (request: ModelRequest) => boolean,
): ChatModel {
  const attempt = <T>(
    call: (model: ChatModel) => Promise<T>,
    { request, signal }: { request: ModelRequest; signal: AbortSignal },
  ): Promise<T> =>
    call(first).catch((failed: AppError) => {
      if (failed.status < 500 || signal.aborted || !canServe(request)) {
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
    complete: (request, signal) =>
      attempt((model) => model.complete(request, signal), { request, signal }),
    stream: (request, signal, events) =>
      attempt((model) => model.stream(request, signal, events), { request, signal }),
  };
}

/** The whole answer when the search found nothing and the request asked to abstain. */
export const ABSTENTION =
  "The knowledge bases that were searched have no passage on this question, so it isn't answered.";

/** Answers in place of a model that must not be asked. Uses no tokens. */
export const abstainingModel = immediateModel((request) => {
  const content = inFormat(ABSTENTION, request);
  return {
    message: { content, refusal: null },
    pieces: [content],
    finishReason: "stop",
    count: request.n ?? 1,
    usage: toUsage(0, 0),
  };
});
