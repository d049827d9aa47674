import "server-only";

import { findModel, type Model } from "@/lib/models/catalogue";
import { boundPrompt, countMessageTokens, mostTokens } from "@/lib/models/message-tokens";
import { toModelRequest } from "@/lib/models/model-request";
import type { Completion, ModelRequest } from "@/lib/models/schema";
import { SentCalls, type TokenBound, type TokensByModel } from "@/lib/models/sent-call";
import { createUpstreamModel } from "@/lib/models/vendor/chat";
import type { Micros } from "@/lib/money/billing/money";
import { chatCost, sumCost } from "@/lib/money/billing/rates";
import { env } from "@/lib/platform/env";
import { toAppError } from "@/lib/platform/http/error-response";
import { log } from "@/lib/platform/log";
import { transcriberMessages } from "./transcriber-prompt";

/** The model that OCR_MODEL names, as it reads the images of pages. */
export interface VisionModel {
  id: string;
  /** The most that one page can cost. */
  mostPerPage: Micros;
  /** Reads a page from a JPEG. Throws only when aborted. */
  read(picture: Uint8Array, signal: AbortSignal): Promise<ReadPage>;
}

interface ReadPage {
  /** As Markdown; null if the model fails, is late or doesn't finish. */
  text: string | null;
  /** What the model bills: also for a text that it didn't finish, which depends on the picture. */
  costMicros: Micros;
  /** What it may bill for a call that failed or was late. */
  unbilledMicros: Micros;
}

/** A dense page has 2,000 tokens, a table of numbers 5,000. */
const MAX_OUTPUT_TOKENS = 8192;

/** Throws a sentence for the operator when the model can't be asked. */
export function createVisionModel(id: string): VisionModel {
  const model = findModel(id);
  if (!model?.upstream) {
    throw new Error(`OCR_MODEL names '${id}', which is no model of MODELS with an upstream.`);
  }
  const upstream = createUpstreamModel(model, model.upstream);
  const most = worstCase(model);
  return {
    id,
    mostPerPage: chatCost(model.rates, "core", most),
    read: async (picture, signal) => {
      const request = requestFor(model, picture);
      const calls = new SentCalls();
      const onSent = () => calls.begin(model, request, most);
      const timeout = AbortSignal.timeout(env.OCR_PAGE_TIMEOUT_MS);
      const ended = AbortSignal.any([signal, timeout]);
      const text = await upstream
        .complete(request, ended, { onSent })
        .then(textOf, (thrown) => {
          signal.throwIfAborted();
          const { code, hint } = toAppError(thrown);
          log.warn({ code, hint, model: id }, "vision model failed");
          return null;
        })
        .finally(() => calls.close());
      const { charged, unbilled } = calls.bill();
      return { text, costMicros: costOf(charged), unbilledMicros: costOf(unbilled) };
    },
  };
}

/** Null unless it is finished. */
function textOf({ choices: [choice] }: Completion): string | null {
  return choice?.finish_reason === "stop" ? (choice.message.content ?? "") : null;
}

function costOf(byModel: TokensByModel): Micros {
  return sumCost([...byModel].map(([{ rates }, tokens]) => ({ rates, kind: "core", tokens })));
}

function requestFor(model: Model, picture: Uint8Array): ModelRequest {
  const request = { model: model.id, messages: transcriberMessages(picture) };
  return toModelRequest({ ...request, max_tokens: MAX_OUTPUT_TOKENS }, model);
}

function worstCase(model: Model): TokenBound {
  const messages = transcriberMessages(new Uint8Array());
  const prompt = boundPrompt(mostTokens(countMessageTokens(messages), model), messages, model);
  return { prompt, completion: Math.min(MAX_OUTPUT_TOKENS, model.maxOutputTokens) };
}
