import type { Asked } from "@/lib/answers/builtin/answer";
import type { FieldNames } from "@/lib/answers/builtin/fields";
import { createExtractModel } from "@/lib/answers/builtin/model";
import { listUnsupported, offersTools } from "@/lib/answers/builtin/unsupported";
import type { AppError } from "@/lib/errors";
import type { Candidates, Model } from "@/lib/models/catalogue";
import { toModelRequest } from "@/lib/models/model-request";
import type { ChatModel, CompletionChunk, ModelRequest } from "@/lib/models/schema";
import type { SentCall, SentCalls, TokenBound } from "@/lib/models/sent-call";
import { isCircuitOpen } from "@/lib/models/vendor/breaker";
import { createUpstreamModel, type UpstreamModel } from "@/lib/models/vendor/chat";
import { log } from "@/lib/platform/log";
import type { DelimitedSource } from "@/lib/text/delimiters";

const built = new Map<string, UpstreamModel>();

interface CallOptions {
  /** Records which models were sent the request. */
  calls: SentCalls;
  /** The most tokens that one of them can use. */
  most: TokenBound;
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
    (listUnsupported(request).length === 0 && !offersTools(request));
  return fallback ? withFallback(first, track(fallback, options), canServe) : first;
}

/** Sends a model the request in its own form. */
function track(model: Model, { calls, most, ...options }: CallOptions): ChatModel {
  const begin = (request: ModelRequest) => calls.begin(model, request, most);
  if (!model.upstream) {
    const { sources, searched, fields } = options;
    const extract = createExtractModel(sources, searched ?? {}, fields);
    return recorded(extract, (request) => begin(toModelRequest(request, model)));
  }
  const called = built.get(model.id) ?? createUpstreamModel(model, model.upstream);
  built.set(model.id, called);
  return {
    complete: (request, signal) => {
      const sent = toModelRequest(request, model);
      return called.complete(sent, signal, { onSent: () => begin(sent) });
    },
    stream: (request, signal, events) => {
      const sent = toModelRequest(request, model);
      return called.stream(sent, signal, { ...events, onSent: () => begin(sent) });
    },
  };
}

/** The built-in model, whose calls are recorded as an upstream's are. */
function recorded(model: ChatModel, onSent: (request: ModelRequest) => SentCall): ChatModel {
  const begin = (request: ModelRequest, signal: AbortSignal) => {
    const call = onSent(request);
    const onAbort = () => {
      call.leave("left", () => {});
      call.end("failed");
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return call;
  };
  return {
    complete: async (request, signal) => {
      const call = begin(request, signal);
      const completion = await model.complete(request, signal);
      call.report(completion.usage);
      call.end("answered");
      return completion;
    },
    stream: async (request, signal) => {
      const call = begin(request, signal);
      return recordedChunks(await model.stream(request, signal), call);
    },
  };
}

async function* recordedChunks(chunks: AsyncIterable<CompletionChunk>, call: SentCall) {
  for await (const chunk of chunks) {
    call.report(chunk.usage);
    for (const { delta } of chunk.choices) {
      call.write(delta);
    }
    yield chunk;
  }
  call.end("answered");
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
        { err: failed.cause ?? failed, code: failed.code, hint: failed.hint },
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
