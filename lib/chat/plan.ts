import type { KeyContext } from "@/lib/auth/context";
import type { Micros } from "@/lib/billing/money";
import { boundCost, chatCost } from "@/lib/billing/rates";
import { requestedCollections } from "@/lib/documents/collections";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { addLogField } from "@/lib/http/log-context";
import { findModel, type Model, modelIdsFor } from "@/lib/models/catalogue";
import { countPromptTokens } from "@/lib/models/message-tokens";
import type { ModelRequest } from "@/lib/models/schema";
import type { ChatRequest } from "./schema";
import { findVerifier, MAX_MODEL_CLAIMS, type Verifier } from "./verifier";

/** The most a source adds to the prompt: a chunk with its overlap, title and delimiters. */
const TOKENS_PER_SOURCE = env.CHUNK_TOKENS + env.CHUNK_OVERLAP_TOKENS + 140;
const TOKENS_FOR_RULES = 250;

/** A request that passed every check before the balance, and the most it can cost. */
export type Plan = ReturnType<typeof planChat>;

/** Checks model, verifier, knowledge scopes and context length, in this order, and bounds the cost. Throws 400 or 403. */
export function planChat(ctx: KeyContext, body: ChatRequest) {
  const { citations, request } = splitRequest(body);
  const model = requireModel(ctx, body.model);
  const upstreamRequest = capOutput(request, model);
  const output = outputLimit(body, model);
  const isStream = body.stream ?? false;
  addLogField({ model: model.id, is_stream: isStream });
  const options = citations?.enabled ? citations : null;
  const verifier = options?.verify === "model" ? requireVerifier() : null;
  const retrieval = options && {
    options,
    collections: requestedCollections(ctx, options.sources, "citations.sources"),
  };
  const promptTokens = countPromptTokens(request, model.contextLength);
  if (promptTokens > model.contextLength) {
    throw new AppError(
      "context_length_exceeded",
      `The request holds more than the ${model.contextLength} tokens that ${model.id} takes. Shorten them.`,
      { param: "messages" },
    );
  }
  // The most claims a model is asked about, each with the most sources it can cite.
  const verifying = { claims: MAX_MODEL_CLAIMS, sources: options?.top_k ?? 1 };
  const sourceTokens = options ? TOKENS_FOR_RULES + options.top_k * TOKENS_PER_SOURCE : 0;
  const { worstCaseMicros, affordableTokens } = boundCost(
    model.rates,
    options ? "grounded" : "core",
    {
      // An upstream may turn a file or a recording into any number of tokens.
      prompt: hasOpaquePart(body) ? model.contextLength : promptTokens + sourceTokens,
      output,
      answers: body.n ?? 1,
      extraMicros: verifier
        ? chatCost(verifier.model.rates, "core", verifier.worstCase(verifying))
        : 0n,
    },
  );
  return {
    model,
    /** As the caller sent it. */
    body,
    /** For the upstream: without Footnote's own fields. */
    request: upstreamRequest,
    isStream,
    isStored: body.store ?? false,
    /** Null when rules verify the answer. */
    verifier,
    /** Null when the request does not ask for retrieval. */
    retrieval,
    worstCaseMicros,
    /** The largest `max_tokens` that an amount covers; null when it covers none. */
    maxTokensFor: (amount: Micros) =>
      Math.min(affordableTokens(amount), model.maxOutputTokens) || null,
  };
}

/** Takes out Footnote's own fields. With `store`, Footnote stores the answer, so metadata stays here as well. */
function splitRequest({ citations, store, metadata, ...rest }: ChatRequest) {
  return { citations, request: store || metadata === undefined ? rest : { ...rest, metadata } };
}

function requireModel({ actor }: KeyContext, id: string): Model {
  const allowed = modelIdsFor(actor.models);
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

/** Without a limit, or with one above the model's own, the upstream could write more than the hold covers. */
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

/** The most tokens of one answer. Upstreams differ in which of the two limits they honor, so the larger one counts. */
function outputLimit(
  { max_tokens, max_completion_tokens }: ChatRequest,
  { maxOutputTokens }: Model,
): number {
  const limit = Math.max(max_tokens ?? 0, max_completion_tokens ?? 0);
  return Math.min(limit || maxOutputTokens, maxOutputTokens);
}

function hasOpaquePart({ messages }: ChatRequest): boolean {
  return messages.some(
    ({ content }) =>
      Array.isArray(content) && content.some(({ type }) => type !== "text" && type !== "image_url"),
  );
}
