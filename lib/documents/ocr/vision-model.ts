import "server-only";

import type { Micros } from "@/lib/billing/money";
import { chatCost } from "@/lib/billing/rates";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { findModel, type Model } from "@/lib/models/catalogue";
import {
  boundPrompt,
  cachedTokensOf,
  countMessageTokens,
  countPrompt,
  usageOf,
} from "@/lib/models/message-tokens";
import { toModelRequest } from "@/lib/models/model-request";
import type { Completion, ModelRequest } from "@/lib/models/schema";
import { createUpstreamModel } from "@/lib/models/vendor/chat";
import { countTokens } from "@/lib/text/tokens";
import { transcriberMessages } from "./transcriber-prompt";

/** The model that OCR_MODEL names, as it reads the images of pages. */
export interface VisionModel {
  id: string;
  /** The most that one page can cost. */
  mostPerPage: Micros;
  /** A page's text as Markdown, from a JPEG; null if the model fails, is late or doesn't finish. Throws only when aborted. */
  read(
    picture: Uint8Array,
    signal: AbortSignal,
  ): Promise<{ text: string; costMicros: Micros } | null>;
}

/** A dense page has 2,000 tokens, a table of numbers 5,000. */
const MAX_OUTPUT_TOKENS = 8192;

/** Null without OCR_MODEL. Throws a sentence for the operator when that model can't be asked. */
export function planVisionModel(): VisionModel | null {
  return env.OCR_MODEL ? createVisionModel(env.OCR_MODEL) : null;
}

function createVisionModel(id: string): VisionModel {
  const model = findModel(id);
  if (!model?.upstream) {
    throw new Error(`OCR_MODEL names '${id}', which is no model of MODELS with an upstream.`);
  }
  const upstream = createUpstreamModel(model, model.upstream);
  const mostPerPage = worstCase(model);
  return {
    id,
    mostPerPage,
    read: async (picture, signal) => {
      const request = requestFor(model, picture);
      const timeout = AbortSignal.timeout(env.OCR_PAGE_TIMEOUT_MS);
      try {
        const completion = await upstream.complete(request, AbortSignal.any([signal, timeout]));
        const [choice] = completion.choices;
        const text = choice?.message.content ?? "";
        const cost = await costOf(model, { request, completion, text });
        // Never more than what is reserved.
        const isReserved = cost <= mostPerPage;
        const isComplete = choice?.finish_reason === "stop";
        return isComplete ? { text, costMicros: isReserved ? cost : mostPerPage } : null;
      } catch (thrown) {
        signal.throwIfAborted();
        const code = thrown instanceof AppError ? thrown.code : "internal_error";
        log.warn({ code, model: id }, "vision model failed");
        return null;
      }
    },
  };
}

function requestFor(model: Model, picture: Uint8Array): ModelRequest {
  const request = { model: model.id, messages: transcriberMessages(picture) };
  return toModelRequest({ ...request, max_tokens: MAX_OUTPUT_TOKENS }, model);
}

function worstCase(model: Model): Micros {
  const messages = transcriberMessages(new Uint8Array());
  const prompt = boundPrompt(countMessageTokens(messages), messages, model);
  const completion = Math.min(MAX_OUTPUT_TOKENS, model.maxOutputTokens);
  return chatCost(model.rates, "core", { prompt, completion });
}

/** The price of what the upstream reports, or else of what is counted. */
async function costOf(
  model: Model,
  { request, completion, text }: { request: ModelRequest; completion: Completion; text: string },
): Promise<Micros> {
  const usage = await usageOf(completion.usage, {
    prompt: () => countPrompt(request, model),
    completion: () => countTokens(text),
  });
  const { prompt_tokens: prompt, completion_tokens } = usage;
  const tokens = { prompt, completion: completion_tokens, cached: cachedTokensOf(usage) };
  return chatCost(model.rates, "core", tokens);
}
