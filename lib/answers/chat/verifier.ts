import { ANSWER_FORMAT, pairKey, readAnswer, type Said } from "@/lib/answers/citations/model-judge";
import {
  askAbout,
  MAX_CLAIMS,
  mostPromptTokens,
  type Question,
  type ShownSources,
} from "@/lib/answers/citations/model-prompt";
import { nonceFor } from "@/lib/answers/citations/nonce";
import type { CitationsOptions } from "@/lib/answers/citations/schema";
import { invalidRequest } from "@/lib/errors";
import type { Claim } from "@/lib/evidence/verdict/rules-judge";
import { type Model, withFallbackOf } from "@/lib/models/catalogue";
import { mostTokens } from "@/lib/models/message-tokens";
import type { SentCalls } from "@/lib/models/sent-call";
import type { Micros } from "@/lib/money/billing/money";
import { chatCost, dearestRates } from "@/lib/money/billing/rates";
import { env } from "@/lib/platform/env";
import { toAppError } from "@/lib/platform/http/error-response";
import { log } from "@/lib/platform/log";
import { createClassifyingVerifier } from "./classifying-verifier";
import { callModel, requireUpstreamModel } from "./model-call";

/** Of an answer: what a model writes before it judges, and a quote and a verdict for each claim. */
const OUTPUT_TOKENS = { frame: 700, claim: 100 };

interface Judging {
  signal: AbortSignal;
  calls: SentCalls;
}

/** What a request may ask. */
interface Extent {
  /** Pairs of a claim and its sources. */
  claims: number;
  sources: number;
  calls: number;
}

/** Asks the model that VERIFY_MODEL names, or the server at VERIFY_URL, about the claims of one request. */
export type Verifier =
  | ReturnType<typeof createVerifier>
  | ReturnType<typeof createClassifyingVerifier>;

/**
 * The verifier that a request's `verify` needs; null when rules judge alone. Throws invalid_request when it asks for one
 * that the server doesn't have; `param` is the field that asked for it.
 */
export function verifierFor(verify: CitationsOptions["verify"], param: string): Verifier | null {
  const asksAll = verify === "model";
  const verifier = asksAll || verify === "auto" ? findVerifier(asksAll) : null;
  if (asksAll && !verifier) {
    throw invalidRequest(
      `This server has no model to verify answers with. Leave '${param}' out, or ask its operator to set VERIFY_MODEL or VERIFY_URL.`,
      param,
    );
  }
  return verifier;
}

/**
 * The calls that a request may need: one for each answer, or one for each passage of text that is held until the model has
 * judged its claims.
 */
export function callsFor(
  { verify, on_unsupported }: Pick<CitationsOptions, "verify" | "on_unsupported">,
  answers = 1,
): number {
  return verify === "model" && on_unsupported === "strip" ? MAX_CLAIMS : answers;
}

/**
 * For one request; null without VERIFY_MODEL and VERIFY_URL. `asksAll`: about every claim, and not only about those that rules leave open.
 * Throws a sentence for the operator when that model can't judge.
 */
export function findVerifier(asksAll = false): Verifier | null {
  const { VERIFY_MODEL: id, VERIFY_URL: url } = env;
  if (url) {
    return createClassifyingVerifier(url, asksAll);
  }
  return id ? createVerifier(requireVerifyModel(id), asksAll) : null;
}

function requireVerifyModel(id: string): Model {
  const model = requireUpstreamModel("VERIFY_MODEL", id);
  const prompt = mostTokens(mostPromptTokens({ claims: 1, sources: 1 }), model);
  const needed = prompt + outputTokens(model, 1);
  if (model.contextLength < needed) {
    throw new Error(
      `VERIFY_MODEL names '${id}', which takes ${model.contextLength} tokens; judging a claim may need ${needed}. Name another.`,
    );
  }
  return model;
}

function outputTokens(model: Model, claims: number): number {
  const { frame, claim } = OUTPUT_TOKENS;
  return Math.min(frame + Math.min(claims, MAX_CLAIMS) * claim, model.maxOutputTokens);
}

/** The most tokens that so many calls about so many claims in all can use. */
export function worstCase(model: Model, { claims, sources, calls }: Extent) {
  const asked = Math.min(claims, MAX_CLAIMS);
  const made = Math.min(calls, asked);
  const frames = Math.max(0, made - 1) * mostPromptTokens({ claims: 0, sources });
  const prompt = made === 0 ? 0 : mostPromptTokens({ claims: asked, sources }) + frames;
  return {
    prompt: made * mostTokens(Math.ceil(prompt / Math.max(1, made)), model),
    completion: Math.min(
      made * OUTPUT_TOKENS.frame + asked * OUTPUT_TOKENS.claim,
      made * model.maxOutputTokens,
    ),
  };
}

function createVerifier(model: Model, asksAll: boolean) {
  let isTooSlow = false;
  let left = MAX_CLAIMS;

  const ask = async ({ claims, messages }: Question, { signal, calls }: Judging) => {
    const deadline = AbortSignal.timeout(env.VERIFY_TIMEOUT_MS);
    const sources = new Set(claims.flatMap(({ ids }) => ids)).size;
    const promptTokens = mostTokens(mostPromptTokens({ claims: claims.length, sources }), model);
    try {
      const text = await callModel(
        model,
        {
          messages,
          outputTokens: outputTokens(model, claims.length),
          fields: { response_format: ANSWER_FORMAT },
        },
        { signal: AbortSignal.any([signal, deadline]), calls, promptTokens },
      );
      const said = [...readAnswer(text, claims.length)];
      return new Map(
        said.flatMap(([number, one]): [string, Said][] => {
          const claim = claims[number - 1];
          return claim ? [[pairKey(claim), one]] : [];
        }),
      );
    } catch (thrown) {
      isTooSlow ||= deadline.aborted;
      const { code, hint } = toAppError(thrown);
      log.warn({ code, hint, model: model.id }, "verifying model failed");
      return null;
    }
  };

  return {
    model,
    asksAll,
    /** What such a request can cost at most. */
    worstCaseMicros: (extent: Extent): Micros => {
      const rates = dearestRates(withFallbackOf(model).map((each) => each.rates));
      return chatCost(rates, "core", worstCase(model, extent));
    },
    /**
     * What the model says of the first claims that fit into a call, by pair. Never rejects; null when it failed, or was too
     * slow earlier in the request. Rules judge the others.
     */
    judge: async (
      claims: readonly Claim[],
      sources: ShownSources,
      judging: Judging,
    ): Promise<ReadonlyMap<string, Said> | null> => {
      if (judging.signal.aborted || isTooSlow) {
        return null;
      }
      const named = [...new Set(claims.flatMap(({ ids }) => ids))];
      const question = askAbout(claims.slice(0, left), sources, {
        nonce: nonceFor([claims, named.map(sources.sourceOf)]),
        hasRoom: (tokens, asked) =>
          mostTokens(tokens, model) + outputTokens(model, asked) <= model.contextLength,
      });
      left -= question?.claims.length ?? 0;
      return question ? ask(question, judging) : new Map();
    },
  };
}
