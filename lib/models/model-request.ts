import { isSent } from "./restricted-fields";
import type { ChatMessage, ModelRequest } from "./schema";

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

/** Of a content part. Any other option may change its price, such as how long an upstream caches it. */
const PART_FIELDS = new Set([
  ...[
    "type",
    "text",
    "refusal",
    "image",
    "image_url",
    "detail",
    "input_image",
    "video",
    "video_url",
  ],
  ...[
    "audio",
    "audio_url",
    "input_audio",
    "file",
    "input_file",
    "file_id",
    "file_data",
    "file_url",
  ],
  ...["filename", "document", "source", "title", "thinking", "reasoning", "signature", "data"],
  ...["thought_signature", "extra_content"],
]);
const CACHING = "cache_control";

/** The request as a model gets it: without the fields that it isn't allowed, and with the one output limit that it obeys. */
export function toModelRequest(request: ModelRequest, model: Limits): ModelRequest {
  const { allowFields } = model;
  const sent = Object.entries(request).filter(([field]) => isSent(field, allowFields));
  const mayCache = allowFields.includes(CACHING);
  return {
    ...(Object.fromEntries(sent) as ModelRequest),
    messages: request.messages.map((message) => toModelMessage(message, mayCache)),
    ...(Array.isArray(request.tools) && !mayCache && { tools: request.tools.map(uncached) }),
    [model.limitField]: outputLimit(request, model),
  };
}

function toModelMessage(message: ChatMessage, mayCache: boolean): ChatMessage {
  const { role, content } = message;
  const isKept = (field: string) =>
    (field !== CACHING || mayCache) && !(role === "assistant" && isOwn(message, field));
  const kept = keepFields(message, isKept);
  if (!Array.isArray(content)) {
    return kept;
  }
  const parts = content.map((part) => keepFields(part, (field) => isOfPart(field, mayCache)));
  return parts.every((part, index) => part === content[index]) ? kept : { ...kept, content: parts };
}

function isOfPart(field: string, mayCache: boolean): boolean {
  return PART_FIELDS.has(field) || (field === CACHING && mayCache);
}

/** The options of messages, their parts and tools that a model doesn't get. */
export function listLostOptions(
  request: ModelRequest,
  allowFields: Limits["allowFields"],
): string[] {
  const { messages, tools } = request;
  const mayCache = allowFields.includes(CACHING);
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const lost = parts.flatMap((part) => Object.keys(part)).filter((at) => !isOfPart(at, mayCache));
  const all: unknown[] = [...messages, ...(Array.isArray(tools) ? tools : [])];
  const isCached = !mayCache && all.some((one) => Object.keys(one ?? {}).includes(CACHING));
  return [...new Set([...lost, ...(isCached ? [CACHING] : [])])];
}

/** A null refusal says nothing, and some upstreams don't know the field. */
function isOwn(message: ChatMessage, field: string): boolean {
  return OWN_FIELDS.has(field) || (field === "refusal" && message.refusal === null);
}

/** A tool is cached as a whole, or its function is. */
function uncached(tool: unknown): unknown {
  if (typeof tool !== "object" || tool === null) {
    return tool;
  }
  const kept = keepFields(tool as Record<string, unknown>, (field) => field !== CACHING);
  const called = uncached(kept.function);
  return called === kept.function ? kept : { ...kept, function: called };
}

/** The same object if it keeps all of them. */
function keepFields<T extends object>(value: T, isKept: (field: string) => boolean): T {
  return Object.keys(value).every(isKept)
    ? value
    : (Object.fromEntries(Object.entries(value).filter(([field]) => isKept(field))) as T);
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
