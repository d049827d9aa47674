import { CHAT_FIELDS, type FieldNames } from "@/lib/answers/builtin/fields";
import { listUnsupported } from "@/lib/answers/builtin/unsupported";
import {
  type CitationsOptions,
  type CitationsRequest,
  resolveCitations,
  type Warning,
} from "@/lib/answers/citations/schema";
import { invalidRequest } from "@/lib/errors";
import { requestedCollections } from "@/lib/library/documents/collections";
import { resolveSearched } from "@/lib/library/documents/write/searched";
import {
  type Candidates,
  findModel,
  type Model,
  modelIdsFor,
  withFallbackOf,
} from "@/lib/models/catalogue";
import { countPrediction, countPromptTokens } from "@/lib/models/message-tokens";
import { toModelRequest } from "@/lib/models/model-request";
import type { ChatMessage, ModelRequest } from "@/lib/models/schema";
import type { Micros } from "@/lib/money/billing/money";
import type { KeyContext } from "@/lib/platform/auth/context";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { addLogField } from "@/lib/platform/http/log-context";
import { contextError } from "./fit-sources";
import { leaveOut } from "./left-out";
import { planRewrite, type Rewrite } from "./rewriter";
import type { ChatRequest } from "./schema";
import { planRounds, type SearchRounds } from "./search-rounds";
import { type Verifier, verifierFor } from "./verifier";
import { boundRequest } from "./worst-case";
import { requireStorageRoom } from "./write/storage";

/** The protocol that a request came in. */
export interface Origin {
  /** For usage records. */
  endpoint: string;
  /** The field that names what to search, for errors. */
  sourcesParam: string;
  /** For messages to the caller. */
  fields: FieldNames;
  /** The field that bounds the answer. */
  limitField: string;
  /** Whether sources go out before the text, so that they must keep their numbers. */
  keepsNumbers?: boolean;
  /** Of what the protocol has left out. */
  warnings?: readonly Warning[];
  /** What is stored with the answer, if it is stored; by default the messages as sent. */
  stored?: {
    messages: ChatMessage[];
    /** What the protocol needs to show the answer again, once it has ended. */
    settings: () => object;
    /** The scopes that earlier answers among the messages may have come from. */
    knowledgeScopes: readonly KnowledgeScope[];
    /** Whether the next request may refer to an answer for a while that isn't stored. */
    isReferable: boolean;
  };
}

export const CHAT_COMPLETIONS: Origin = {
  endpoint: "/v1/chat/completions",
  sourcesParam: "citations.sources",
  fields: CHAT_FIELDS,
  limitField: "max_tokens",
};

const OF_CALLERS: ReadonlySet<string> = new Set(["system", "developer", "user"]);

/** A request that passed every check before the balance, and the most it can cost. */
export type Plan = Awaited<ReturnType<typeof planChat>>;

/**
 * Checks model, verifier, knowledge scopes, room to store the answer and context length, in this order, and bounds the
 * cost. Throws 400, 403, or as `requireStorageRoom` does.
 */
export async function planChat(ctx: KeyContext, body: ChatRequest, origin = CHAT_COMPLETIONS) {
  const { citations, own: asked } = splitRequest(body);
  const model = requireModel(ctx, body.model);
  const { own, warnings } = leaveOut(asked, model, origin.warnings);
  rejectServiceTier(own, model);
  const models = withFallbackOf(model);
  const ignoresUnsupported = body.ignore_unsupported === true;
  rejectUnsupported(own, model, { ignoresUnsupported, fields: origin.fields });
  const request = toModelRequest(own, model);
  const isStream = body.stream ?? false;
  addLogField({ model: model.id, is_stream: isStream });
  const options = citations?.enabled ? toOptions(citations, request, origin) : null;
  requireKnownSources(ctx, citations?.sources, origin);
  const searching = await planSearch(ctx, options, { request, model, origin });
  const storedMessages = origin.stored?.messages ?? body.messages;
  if (body.store) {
    await requireStorageRoom(ctx.account.id, storedMessages);
  }
  const { worstCaseMicros, affordableTokens, bound } = boundRequest(request, {
    models,
    ...(await countRequest(request, models)),
    citations: options,
    ...searching,
  });
  return {
    origin,
    model,
    /** The model and its fallback. */
    models,
    /** As the caller sent it. */
    body,
    /** For the upstream: without Footnote's own fields and those that the model isn't allowed. */
    request,
    isStream,
    isStored: body.store ?? false,
    isReferable: origin.stored?.isReferable ?? false,
    /** The conversation as it is stored. */
    storedMessages,
    /** Those that are searched, and those that earlier answers in the conversation may have come from. */
    knowledgeScopes: (origin.stored?.knowledgeScopes ?? scopesOfSent(ctx, body.messages)).concat(
      searching.retrieval?.collections.map(({ scope }) => scope) ?? [],
    ),
    ignoresUnsupported,
    /** Of what is left out, or not understood. */
    warnings,
    ...searching,
    worstCaseMicros,
    /** The most tokens that the call for its answer can have. */
    bound,
    limitField: origin.limitField,
    /** The largest value of that field which an amount covers; null when it covers none. */
    maxTokensFor: (amount: Micros) =>
      Math.min(affordableTokens(amount), model.maxOutputTokens) || null,
  };
}

interface Searching {
  /** Null when the request does not ask for retrieval. */
  retrieval:
    | (Awaited<ReturnType<typeof resolveSearched>> & {
        options: CitationsOptions;
        query: NonNullable<CitationsOptions["query"]>;
      })
    | null;
  /** Null when rules verify the answer. */
  verifier: Verifier | null;
  /** Null when rules make the query. */
  rewrite: Rewrite | null;
  /** Null unless the model decides what to search for. */
  rounds: SearchRounds | null;
}

/** What is searched, what makes the queries, and what verifies the answer. `options` is null without citations. */
async function planSearch(
  ctx: KeyContext,
  options: CitationsOptions | null,
  { request, model, origin }: { request: ModelRequest; model: Model; origin: Origin },
): Promise<Searching> {
  if (!options) {
    return { retrieval: null, verifier: null, rewrite: null, rounds: null };
  }
  const verifier = verifierFor(options.verify, "citations.verify");
  const query = options.query ?? ctx.actor.queryMode;
  const searched = await resolveSearched(ctx, options, origin.sourcesParam);
  const rounds = planRounds(request, model, options);
  const rewrite = query === "conversation" && !rounds ? planRewrite(request.messages) : null;
  return { retrieval: { options, ...searched, query }, verifier, rewrite, rounds };
}

/** Nobody knows where an answer or a tool's output came from that the caller sends: it may be any scope of the key. */
function scopesOfSent({ actor }: KeyContext, messages: readonly ChatMessage[]) {
  return messages.every(({ role }) => OF_CALLERS.has(role)) ? [] : actor.knowledgeScopes;
}

/** Throws context_length_exceeded. */
async function countRequest(request: ModelRequest, models: Candidates) {
  const [model] = models;
  const { contextLength } = model;
  const promptTokens = await countPromptTokens(request, contextLength);
  if (promptTokens > contextLength) {
    throw contextError(model, "Your messages");
  }
  const longest = Math.max(...models.map((model) => model.contextLength));
  return { promptTokens, predictedTokens: await countPrediction(request, longest) };
}

/** With the defaults. Throws when they contradict each other, or the request. */
function toOptions(
  citations: CitationsRequest,
  { n }: ModelRequest,
  { keepsNumbers = false }: Origin,
): CitationsOptions {
  const options = resolveCitations(citations);
  if (keepsNumbers) {
    return { ...options, numbering: "source" };
  }
  if (options.numbering === "appearance" && (n ?? 1) > 1) {
    throw invalidRequest(
      "Several answers share one list of sources, so they can't number it by appearance. Leave 'n' or 'citations.numbering' out.",
      "citations.numbering",
    );
  }
  return options;
}

/** Throws insufficient_scope for an unknown name, even when nothing is searched. */
function requireKnownSources(ctx: KeyContext, sources: string[] = [], origin: Origin): void {
  const unknown = sources.filter((name) => !KnowledgeScope.safeParse(name).success);
  if (unknown.length > 0) {
    requestedCollections(ctx, unknown, origin.sourcesParam);
  }
}

/** Takes out Footnote's own fields. With `store`, Footnote stores the answer, so metadata stays here as well. */
function splitRequest({
  citations,
  store,
  metadata,
  ignore_unsupported: _ignore,
  ...rest
}: ChatRequest) {
  return { citations, own: store || metadata === undefined ? rest : { ...rest, metadata } };
}

function requireModel({ actor }: KeyContext, id: string): Model {
  const allowed = modelIdsFor(actor.models);
  const model = allowed.includes(id) ? findModel(id) : null;
  if (!model) {
    throw invalidRequest(
      `The model '${id}' is not on this key's list. Use one of GET /v1/models: ${allowed.slice(0, 10).join(", ")}.`,
      "model",
    );
  }
  return model;
}

/** Tiers have prices of their own. Those that an upstream would choose by itself change nothing. */
function rejectServiceTier({ service_tier: tier }: ModelRequest, model: Model): void {
  const isUsual = tier === undefined || tier === null || tier === "auto" || tier === "default";
  if (!isUsual && !model.allowFields.includes("service_tier")) {
    throw invalidRequest(
      `${model.id} has no price for 'service_tier' ${JSON.stringify(tier).slice(0, 60)}. Leave the field out, or send "auto".`,
      "service_tier",
    );
  }
}

/** What the built-in model would ignore is refused, so that nobody takes its prose for a tool call. */
function rejectUnsupported(
  request: ModelRequest,
  { upstream }: Model,
  { ignoresUnsupported, fields }: { ignoresUnsupported: boolean; fields: FieldNames },
): void {
  const [unsupported] = upstream || ignoresUnsupported ? [] : listUnsupported(request, fields);
  if (unsupported) {
    const { param, what } = unsupported;
    throw invalidRequest(
      `${request.model} quotes sources and doesn't support ${what}. Choose another model, or send "ignore_unsupported": true to get an answer without.`,
      param,
    );
  }
}
