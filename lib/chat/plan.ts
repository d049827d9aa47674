import type { KeyContext } from "@/lib/auth/context";
import type { Micros } from "@/lib/billing/money";
import { chatCost } from "@/lib/billing/rates";
import type { CitationsRequest } from "@/lib/citations/schema";
import { type Collection, requestedCollections } from "@/lib/documents/collections";
import { AppError } from "@/lib/errors";
import { defaultModel, findModel, type Model } from "@/lib/models/catalogue";
import type { ModelRequest } from "@/lib/models/schema";
import { countMessageTokens } from "@/lib/models/tokens";
import type { ChatRequest } from "./schema";

/** What a source adds to the prompt at most: a chunk with its overlap, its title and its fence. */
const TOKENS_PER_SOURCE = 600;
const TOKENS_FOR_RULES = 250;

/** A request that passed every check before the balance, and what it may cost. */
export interface Plan {
  model: Model;
  /** The caller's request without Footnote's own field. */
  request: ModelRequest;
  /** Null when the request does not ask for retrieval. */
  retrieval: { bounds: CitationsRequest; collections: Collection[] } | null;
  worstCaseMicros: Micros;
}

/** Checks model and knowledge scopes, in this order, and bounds the cost. Throws 400 or 403. */
export function planChat(ctx: KeyContext, body: ChatRequest): Plan {
  const { citations, ...request } = body;
  const model = allowedModel(ctx, body.model);
  const retrieval = citations?.enabled
    ? {
        bounds: citations,
        collections: requestedCollections(ctx, citations.sources, "citations.sources"),
      }
    : null;
  const sourceTokens = retrieval
    ? TOKENS_FOR_RULES + retrieval.bounds.top_k * TOKENS_PER_SOURCE
    : 0;
  const promptTokens = countMessageTokens(body.messages) + toolTokens(request);
  if (promptTokens > model.contextLength) {
    throw new AppError(
      "context_length_exceeded",
      `The messages hold ${promptTokens} tokens, but ${model.id} takes at most ${model.contextLength}. Shorten them.`,
      { param: "messages" },
    );
  }
  const completionTokens = outputLimit(body, model) * (body.n ?? 1);
  return {
    model,
    request,
    retrieval,
    worstCaseMicros: chatCost(model.rates, retrieval ? "grounded" : "core", {
      prompt: promptTokens + sourceTokens,
      completion: completionTokens,
    }),
  };
}

function allowedModel({ actor }: KeyContext, id: string): Model {
  const allowed = actor.models.length > 0 ? actor.models : [defaultModel().id];
  const model = allowed.includes(id) ? findModel(id) : null;
  if (!model) {
    throw new AppError(
      "invalid_request",
      `The model '${id}' is not on this key's list. Use one of GET /v1/models: ${allowed.slice(0, 10).join(", ")}.`,
      { param: "model" },
    );
  }
  return model;
}

/** The models a key may call, the default one first. */
export function modelsOf({ actor }: KeyContext): Model[] {
  const ids = actor.models.length > 0 ? actor.models : [defaultModel().id];
  return ids
    .flatMap((id) => findModel(id) ?? [])
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
}

function outputLimit({ max_tokens, max_completion_tokens }: ChatRequest, model: Model): number {
  return Math.min(max_tokens ?? Infinity, max_completion_tokens ?? Infinity, model.maxOutputTokens);
}

/** Tools and response formats are part of the prompt that the upstream counts. */
function toolTokens({ tools, functions, response_format }: ModelRequest): number {
  const extra = [tools, functions, response_format].filter(Boolean);
  return extra.length > 0
    ? countMessageTokens(extra.map((value) => ({ role: "system", content: JSON.stringify(value) })))
    : 0;
}
