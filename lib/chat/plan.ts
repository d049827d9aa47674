import type { KeyContext } from "@/lib/auth/context";
import type { Micros } from "@/lib/billing/money";
import { affordableTokens, chatCost } from "@/lib/billing/rates";
import type { CitationsRequest } from "@/lib/citations/schema";
import { type Collection, requestedCollections } from "@/lib/documents/collections";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { addLogField } from "@/lib/http/log-context";
import { defaultModel, findModel, type Model } from "@/lib/models/catalogue";
import { countMessageTokens } from "@/lib/models/message-tokens";
import type { ModelRequest } from "@/lib/models/schema";
import { countTokens } from "@/lib/text/tokens";
import type { ChatRequest } from "./schema";
import { findVerifier, MOST_MODEL_CLAIMS, type Verifier } from "./verifier";

/** What a source adds to the prompt at most: a chunk with its overlap, its title and its fence. */
const TOKENS_PER_SOURCE = env.CHUNK_TOKENS + env.CHUNK_OVERLAP_TOKENS + 140;
const TOKENS_FOR_RULES = 250;

/** A request that passed every check before the balance, and what it may cost. */
export interface Plan {
  model: Model;
  /** The caller's request without what is Footnote's own: `citations`, and with `store` what belongs to it. */
  request: ModelRequest;
  isStream: boolean;
  /** Whether the answer is kept, with its evidence. */
  isStored: boolean;
  /** Asks another model about each claim; null when rules judge. */
  verifier: Verifier | null;
  /** Null when the request does not ask for retrieval. */
  retrieval: { bounds: CitationsRequest; collections: Collection[] } | null;
  worstCaseMicros: Micros;
  /** The largest `max_tokens` that an amount covers; null when not even one token fits. */
  maxTokensFor: (availableMicros: Micros) => number | null;
}

/** Checks model and knowledge scopes, in this order, and bounds the cost. Throws 400 or 403. */
export function planChat(ctx: KeyContext, body: ChatRequest): Plan {
  const { citations, request } = splitRequest(body);
  const model = allowedModel(ctx, body.model);
  addLogField({ model: model.id, is_stream: body.stream ?? false });
  const verifier = citations?.enabled && citations.verify === "model" ? requireVerifier() : null;
  const retrieval = citations?.enabled
    ? {
        bounds: citations,
        collections: requestedCollections(ctx, citations.sources, "citations.sources"),
      }
    : null;
  const sourceTokens = retrieval
    ? TOKENS_FOR_RULES + retrieval.bounds.top_k * TOKENS_PER_SOURCE
    : 0;
  const promptTokens =
    countMessageTokens(body.messages, model.contextLength) +
    toolTokens(request, model.contextLength);
  if (promptTokens > model.contextLength) {
    throw new AppError(
      "context_length_exceeded",
      `The request holds more than the ${model.contextLength} tokens that ${model.id} takes. Shorten them.`,
      { param: "messages" },
    );
  }
  const kind = retrieval ? "grounded" : "core";
  // What an upstream makes of a file or a recording is not known here: the most it could be.
  const prompt = hasOpaquePart(body) ? model.contextLength : promptTokens + sourceTokens;
  const answers = body.n ?? 1;
  const completion = outputLimit(body, model) * answers;
  const verifyMicros = verifier ? verifyCost(verifier, body) : 0n;
  return {
    model,
    request: capOutput(request, model),
    isStream: body.stream ?? false,
    isStored: body.store ?? false,
    verifier,
    retrieval,
    worstCaseMicros: chatCost(model.rates, kind, { prompt, completion }) + verifyMicros,
    maxTokensFor: (amount) => {
      const availableMicros = amount - verifyMicros;
      const tokens = affordableTokens(model.rates, kind, { prompt, answers, availableMicros });
      return tokens > 0 ? Math.min(tokens, model.maxOutputTokens) : null;
    },
  };
}

/**
 * Apart what is Footnote's own. An answer that Footnote keeps is not kept by the upstream as well, and
 * metadata is of no use to it then.
 */
function splitRequest({ citations, store, metadata, ...rest }: ChatRequest) {
  return { citations, request: store || metadata === undefined ? rest : { ...rest, metadata } };
}

function requireVerifier(): Verifier {
  const verifier = findVerifier();
  if (!verifier) {
    throw new AppError(
      "invalid_request",
      "This server has no model to verify answers with. Leave 'citations.verify' out, or ask its operator to set VERIFY_MODEL.",
      { param: "citations.verify" },
    );
  }
  return verifier;
}

/** What verifying may cost at most: as many claims as are asked about, each with as many sources as it may name. */
function verifyCost(verifier: Verifier, { citations }: ChatRequest): Micros {
  const tokens = verifier.worstCase({ claims: MOST_MODEL_CLAIMS, sources: citations?.top_k ?? 1 });
  return chatCost(verifier.model.rates, "core", tokens);
}

function hasOpaquePart({ messages }: ChatRequest): boolean {
  return messages.some(
    ({ content }) =>
      Array.isArray(content) && content.some(({ type }) => type !== "text" && type !== "image_url"),
  );
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

/** The tokens one answer may have at most. Upstreams differ in which of two limits they heed, so the larger counts. */
function outputLimit({ max_tokens, max_completion_tokens }: ChatRequest, model: Model): number {
  const given = Math.max(max_tokens ?? 0, max_completion_tokens ?? 0);
  return given > 0 ? Math.min(given, model.maxOutputTokens) : model.maxOutputTokens;
}

/** Without a limit, or with one above what the model may write, the upstream would write more than the hold covers. */
function capOutput(
  request: ModelRequest,
  { maxOutputTokens: limit, limitField }: Model,
): ModelRequest {
  const { max_tokens, max_completion_tokens } = request;
  return {
    ...request,
    ...(!max_tokens && !max_completion_tokens && { [limitField]: limit }),
    ...(max_tokens && { max_tokens: Math.min(max_tokens, limit) }),
    ...(max_completion_tokens && { max_completion_tokens: Math.min(max_completion_tokens, limit) }),
  };
}

/** Tools and response formats are part of the prompt that the upstream counts. */
function toolTokens(
  { tools, functions, response_format }: ModelRequest,
  contextLength: number,
): number {
  const extra = [tools, functions, response_format].filter(Boolean);
  return extra.reduce<number>(
    (sum, value) => sum + countTokens(JSON.stringify(value), contextLength),
    0,
  );
}
