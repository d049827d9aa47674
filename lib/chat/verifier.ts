import pLimit from "p-limit";
import { generatedText } from "@/lib/chat/generated-text";
import { type ClaimJudgement, RulesJudge } from "@/lib/citations/rules-judge";
import { judgeByModel, type TokenCount } from "@/lib/citations/verdict/model-judge";
import {
  type CitedPassage,
  canAsk,
  MAX_PASSAGES,
  mostPromptTokens,
} from "@/lib/citations/verdict/model-prompt";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { findModel, type Model } from "@/lib/models/catalogue";
import { countMessageTokens } from "@/lib/models/message-tokens";
import type { ChatMessage, Completion, ModelRequest } from "@/lib/models/schema";
import { countTokens } from "@/lib/text/tokens";
import { chatModel } from "./dispatch";

/** The claims of one request that a model is asked about; rules judge the others. */
export const MOST_MODEL_CLAIMS = 24;
const CALLS_AT_ONCE = 4;
/** A judgement of MAX_PASSAGES with a quote from each; what a model thinks before counts too. */
const MOST_OUTPUT_TOKENS = 800;

/** Asks the model that VERIFY_MODEL names about the claims of one request. */
export interface Verifier {
  model: Model;
  /**
   * Never rejects. Null when the model could not be asked or gave no judgement; what it used is paid for all
   * the same. A claim without words, or too long for one, is judged by rules and costs nothing.
   */
  judge(
    claim: string,
    passages: readonly CitedPassage[],
    signal: AbortSignal,
  ): Promise<{ judgement: ClaimJudgement | null; usage: TokenCount }>;
  /** The most tokens that so many claims, each with so many sources, can use. */
  worstCase(bounds: { claims: number; sources: number }): TokenCount;
}

/**
 * A verifier for one request; null when VERIFY_MODEL names none. Throws a sentence for the operator when what it
 * names cannot judge: no model of the catalogue, the embedded one, or one that takes too few tokens.
 */
export function findVerifier(): Verifier | null {
  return env.VERIFY_MODEL ? new UpstreamVerifier(judgingModel(env.VERIFY_MODEL)) : null;
}

function judgingModel(id: string): Model {
  const model = findModel(id);
  if (!model?.upstream) {
    throw new Error(
      model
        ? `VERIFY_MODEL names '${id}', which is embedded and cannot judge. Name a model behind an upstream.`
        : `VERIFY_MODEL names '${id}', which MODELS does not have. Add it there, or name another.`,
    );
  }
  const needed = mostPromptTokens(MAX_PASSAGES) + MOST_OUTPUT_TOKENS;
  if (model.contextLength < needed) {
    throw new Error(
      `VERIFY_MODEL names '${id}', which takes ${model.contextLength} tokens; judging a claim may need ${needed}. Name another.`,
    );
  }
  return model;
}

const NOTHING: TokenCount = { prompt: 0, completion: 0 };

class UpstreamVerifier implements Verifier {
  readonly #limit = pLimit(CALLS_AT_ONCE);
  readonly #outputTokens: number;
  /** A model that let the deadline pass is not waited for again in this request. */
  #isTooSlow = false;

  constructor(readonly model: Model) {
    this.#outputTokens = Math.min(MOST_OUTPUT_TOKENS, model.maxOutputTokens);
  }

  judge(claim: string, passages: readonly CitedPassage[], signal: AbortSignal) {
    return canAsk(claim)
      ? this.#limit(() => this.#judge(claim, passages, signal))
      : Promise.resolve({ judgement: judgeByRules(claim, passages), usage: NOTHING });
  }

  worstCase({ claims, sources }: { claims: number; sources: number }): TokenCount {
    const asked = Math.min(claims, MOST_MODEL_CLAIMS);
    return {
      prompt: asked * mostPromptTokens(sources),
      completion: asked * this.#outputTokens,
    };
  }

  async #judge(claim: string, passages: readonly CitedPassage[], signal: AbortSignal) {
    if (signal.aborted || this.#isTooSlow) {
      return { judgement: null, usage: NOTHING };
    }
    let usage = NOTHING;
    const deadline = AbortSignal.timeout(env.VERIFY_TIMEOUT_MS);
    try {
      const judgement = await judgeByModel(claim, passages, async (messages) => {
        const answer = await this.#ask(messages, AbortSignal.any([signal, deadline]));
        usage = answer.usage;
        return answer;
      });
      return { judgement, usage };
    } catch (thrown) {
      this.#isTooSlow ||= deadline.aborted;
      const code = thrown instanceof AppError ? thrown.code : "internal_error";
      log.warn({ code, model: this.model.id }, "claim not judged by the verifier");
      return { judgement: null, usage };
    }
  }

  async #ask(messages: ChatMessage[], signal: AbortSignal) {
    const request: ModelRequest = {
      model: this.model.id,
      messages,
      [this.model.limitField]: this.#outputTokens,
      temperature: 0,
      response_format: { type: "json_object" },
    };
    const completion = await complete(this.model, request, signal);
    const [choice] = completion.choices;
    return { text: choice?.message.content ?? "", usage: usageOf(completion, messages) };
  }
}

/** Some models refuse any temperature, some servers any response format; they judge without. */
const DISPENSABLE = ["temperature", "response_format"];
/** What each model has refused so far. */
const refused = new Map<string, Set<string>>();

async function complete(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Completion> {
  const left = refused.get(model.id) ?? new Set<string>();
  refused.set(model.id, left);
  const sent = Object.entries(request).filter(([field]) => !left.has(field));
  try {
    return await chatModel(model).complete(Object.fromEntries(sent) as ModelRequest, signal);
  } catch (thrown) {
    const field = sent.map(([name]) => name).find((name) => isRefused(name, thrown));
    if (field === undefined) {
      throw thrown;
    }
    left.add(field);
    return complete(model, request, signal);
  }
}

function isRefused(field: string, thrown: unknown): boolean {
  return (
    DISPENSABLE.includes(field) &&
    thrown instanceof AppError &&
    thrown.code === "invalid_request" &&
    (thrown.param === field || thrown.message.includes(field))
  );
}

/** What the upstream reports, or what is counted here. */
function usageOf({ usage, choices }: Completion, messages: readonly ChatMessage[]): TokenCount {
  const counted = () =>
    choices.reduce((sum, { message }) => sum + countTokens(generatedText(message)), 0);
  return {
    prompt: usage?.prompt_tokens ?? countMessageTokens(messages),
    completion: usage?.completion_tokens ?? counted(),
  };
}

function judgeByRules(claim: string, passages: readonly CitedPassage[]): ClaimJudgement {
  const ids = passages.map((_, at) => at + 1);
  const rules = new RulesJudge(passages.map(({ text }) => text));
  const { combined, bySource } = rules.judge({ text: claim, ids });
  const own = passages.flatMap(({ id }, at) => {
    const judged = bySource.get(at + 1);
    return judged ? [[id, judged] as const] : [];
  });
  return { combined, bySource: new Map(own) };
}
