import { nonceFor } from "@/lib/answers/citations/nonce";
import { type Model, withFallbackOf } from "@/lib/models/catalogue";
import { countMessageTokens, mostTokens } from "@/lib/models/message-tokens";
import type { ChatMessage } from "@/lib/models/schema";
import { SentCalls } from "@/lib/models/sent-call";
import type { Micros } from "@/lib/money/billing/money";
import { chatCost, dearestRates } from "@/lib/money/billing/rates";
import { env } from "@/lib/platform/env";
import { toAppError } from "@/lib/platform/http/error-response";
import { log } from "@/lib/platform/log";
import { callModel, requireUpstreamModel } from "./model-call";
import { readRewritten, rewriterMessages } from "./rewriter-prompt";
import { isQuestion } from "./standalone-query";

const MAX_OUTPUT_TOKENS = 120;

/** Makes the standalone query of one request by the model that REWRITE_MODEL names. */
export type Rewrite = ReturnType<typeof createRewrite>;

/** Null without REWRITE_MODEL, or for a message with none before it. Throws a sentence for the operator when the model can't be asked. */
export function planRewrite(messages: readonly ChatMessage[]): Rewrite | null {
  const said = messages.filter(({ role }) => role === "user" || role === "assistant");
  const end = said.findLastIndex(isQuestion);
  return env.REWRITE_MODEL && end > 0
    ? createRewrite(
        requireUpstreamModel("REWRITE_MODEL", env.REWRITE_MODEL),
        said.slice(0, end + 1),
      )
    : null;
}

function createRewrite(model: Model, conversation: readonly ChatMessage[]) {
  const messages = rewriterMessages(conversation, nonceFor);
  const promptTokens = mostTokens(countMessageTokens(messages), model);
  const outputTokens = Math.min(MAX_OUTPUT_TOKENS, model.maxOutputTokens);
  const calls = new SentCalls();

  return {
    model,
    /** What the model, or its fallback, was sent. */
    calls,
    worstCaseMicros: (): Micros =>
      chatCost(dearestRates(withFallbackOf(model).map(({ rates }) => rates)), "core", {
        prompt: promptTokens,
        completion: outputTokens,
      }),
    /** Null when the model is late, fails, or writes anything but the last question. Never rejects. */
    ask: async (signal: AbortSignal): Promise<string | null> => {
      const timeout = AbortSignal.timeout(env.REWRITE_TIMEOUT_MS);
      try {
        const text = await callModel(
          model,
          { messages, outputTokens },
          { signal: AbortSignal.any([signal, timeout]), calls, promptTokens },
        );
        return readRewritten(text, conversation);
      } catch (thrown) {
        const { code, hint } = toAppError(thrown);
        log.warn({ code, hint, model: model.id }, "rewriting model failed");
        // Stopped, instead of read for its usage: it would keep a slow server from the answer itself.
        void calls.close();
        return null;
      }
    },
  };
}
