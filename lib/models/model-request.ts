import type { ChatMessage, ModelRequest } from "./schema";

/** Change the price or the route of a request; a model gets those that its entry in MODELS allows. */
export const RESTRICTED_FIELDS = [
  "service_tier",
  "models",
  "route",
  "provider",
  "plugins",
  "fallbacks",
  "api_base",
  "web_search_options",
  "best_of",
  "audio",
  "modalities",
] as const;

const limits = new Set(["max_tokens", "max_completion_tokens"]);
const restricted = new Set<string>(RESTRICTED_FIELDS);
/** Fields that bound the price. Some servers ignore the case of names, so other spellings are dropped. */
const guarded = new Set<string>([...restricted, ...limits, "n", "model", "stream"]);

/**
 * What Footnote adds to an answer, and `parsed`, which OpenAI's own client adds. Clients send answers back as history, and
 * strict upstreams refuse unknown fields.
 */
const OWN_FIELDS = new Set([
  ...["annotations", "verification", "citations", "retrieval", "warnings"],
  "parsed",
]);

/** The part of a model's catalogue entry that shapes its requests. */
interface Limits {
  allowFields: readonly string[];
  limitField: "max_tokens" | "max_completion_tokens";
  maxOutputTokens: number;
}

/** The request as a model gets it: without the fields that it isn't allowed, and with the one output limit that it obeys. */
export function toModelRequest(request: ModelRequest, model: Limits): ModelRequest {
  const sent = Object.entries(request).filter(([field]) => isSent(field, model));
  return {
    ...(Object.fromEntries(sent) as ModelRequest),
    messages: request.messages.map(withoutOwnFields),
    [model.limitField]: outputLimit(request, model),
  };
}

/** A null refusal says nothing, and some upstreams don't know the field. */
function withoutOwnFields(message: ChatMessage): ChatMessage {
  const isOwn = (field: string) =>
    OWN_FIELDS.has(field) || (field === "refusal" && message[field] === null);
  if (message.role !== "assistant" || !Object.keys(message).some(isOwn)) {
    return message;
  }
  const sent = Object.entries(message).filter(([field]) => !isOwn(field));
  return Object.fromEntries(sent) as ChatMessage;
}

function isSent(field: string, { allowFields }: Limits): boolean {
  const name = field.toLowerCase();
  if (name !== field && guarded.has(name)) {
    return false;
  }
  return restricted.has(name) ? allowFields.includes(name) : !limits.has(name);
}

/** The most tokens of one answer: the larger of the two limits a request may have, and never more than the model's own. */
export function outputLimit(
  { max_tokens, max_completion_tokens }: ModelRequest,
  { maxOutputTokens }: Pick<Limits, "maxOutputTokens">,
): number {
  const limit = Math.max(max_tokens ?? 0, max_completion_tokens ?? 0);
  return Math.min(limit || maxOutputTokens, maxOutputTokens);
}

/** The most answers a request is billed for. */
export function answerCount(request: ModelRequest, { allowFields }: Limits): number {
  const { n, best_of: best } = request;
  const candidates = allowFields.includes("best_of") && typeof best === "number" ? best : 1;
  return Math.max(n ?? 1, Math.ceil(candidates));
}
