import { countTokens, countTokensOf } from "@/lib/text/tokens";
import type { Model } from "./catalogue";
import { type ChatMessage, type ModelRequest, type ModelUsage, textOf } from "./schema";

/** OpenAI's overhead per message, and for the start of the response. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_ANSWER = 3;

/** Fields in which models send generated text; each of them is charged. */
const GENERATED_FIELDS = ["content", "refusal", "reasoning_content", "reasoning"];

/** Never part of a prompt. Every other field with text is counted, because an upstream may bill it. */
const UNBILLED_FIELDS = new Set([
  "model",
  "prediction",
  "stop",
  "stream_options",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "logit_bias",
]);

type PartKind = keyof Model["partTokens"];

const PART_KINDS: Readonly<Record<string, PartKind | "text">> = {
  text: "text",
  input_text: "text",
  output_text: "text",
  refusal: "text",
  image: "image",
  image_url: "image",
  input_image: "image",
  audio: "audio",
  audio_url: "audio",
  input_audio: "audio",
  document: "file",
  file: "file",
  input_file: "file",
};

/** More characters than this for each token aren't text that people or programs write: they are refused uncounted. */
const MOST_CHARACTERS_PER_TOKEN = 16;

/** The tokens of messages and fields: what a request passes on unchanged is counted once. */
const counted = new WeakMap<object, number>();

/** What is counted, and its texts. */
type Item = [value: unknown, texts: string[]];

/**
 * Text tokens of everything upstreams count as prompt: messages, tools, schemas. Lets others run meanwhile. Infinite
 * for a request beyond `limit`, of which little is counted.
 */
export async function countPromptTokens(
  { messages, ...fields }: ModelRequest,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  const items = [
    ...messages.map((message): Item => [message, textsOfMessage(message)]),
    ...Object.entries(fields).flatMap(([field, value]): Item[] =>
      UNBILLED_FIELDS.has(field) ? [] : [[value, textsOfValue(value)]],
    ),
  ];
  let sum = frameOf(messages);
  const characters = items
    .flatMap(([, texts]) => texts)
    .reduce((all, { length }) => all + length, 0);
  if (characters > (limit - sum) * MOST_CHARACTERS_PER_TOKEN) {
    return Number.POSITIVE_INFINITY;
  }
  for (const item of items) {
    sum += await countOnce(item, limit - sum);
    if (sum > limit) {
      return Number.POSITIVE_INFINITY;
    }
  }
  return sum;
}

async function countOnce([value, texts]: Item, limit: number): Promise<number> {
  const key = typeof value === "object" ? value : null;
  const known = key && counted.get(key);
  const tokens = known ?? (await countTokensOf(texts, limit));
  if (key && tokens <= limit) {
    counted.set(key, tokens);
  }
  return tokens;
}

/** The same for short messages of our own, at once. */
export function countMessageTokens(messages: readonly ChatMessage[]): number {
  return messages
    .flatMap(textsOfMessage)
    .reduce((sum, text) => sum + countTokens(text), frameOf(messages));
}

function frameOf(messages: readonly ChatMessage[]): number {
  return TOKENS_PER_ANSWER + messages.length * TOKENS_PER_MESSAGE;
}

function textsOfMessage({ role: _role, content, ...rest }: ChatMessage): string[] {
  const parts = Array.isArray(content) ? content : [];
  return [
    textOf(content),
    // What text parts contain besides their text, such as a refusal.
    ...parts.flatMap(({ type, text: _text, ...other }) =>
      PART_KINDS[type] === "text" ? textsOfFields(other) : [],
    ),
    ...textsOfFields(rest),
  ];
}

function textsOfFields(fields: object): string[] {
  return Object.keys(fields).length > 0 ? [JSON.stringify(fields)] : [];
}

/** Numbers and switches are no text. */
function textsOfValue(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null ? [JSON.stringify(value)] : [];
}

/**
 * The most tokens a prompt can have: its text, and the model's bound for each image, recording and file. A part without
 * a bound may fill the context.
 */
export function boundPrompt(
  textTokens: number,
  messages: readonly ChatMessage[],
  { partTokens, contextLength }: Pick<Model, "partTokens" | "contextLength">,
): number {
  let bound = textTokens;
  let isBounded = true;
  for (const kind of messages.flatMap(partKindsOf)) {
    const most = kind && partTokens[kind];
    bound += most ?? 0;
    isBounded &&= typeof most === "number";
  }
  return isBounded ? bound : Math.max(bound, contextLength);
}

/** What other vocabularies, and the templates around messages and tools, add at most to a count. */
const VOCABULARY_FACTOR = 1.5;
const TEMPLATE_TOKENS = 400;

/** The most tokens that a text of so many by our count has for a model; the built-in one counts as we do. */
export function mostTokens(counted: number, { upstream }: Pick<Model, "upstream">): number {
  return upstream ? Math.ceil(counted * VOCABULARY_FACTOR) + TEMPLATE_TOKENS : counted;
}

/** The kinds of a message's parts other than text; undefined for one we don't know. */
function partKindsOf({ content, audio }: ChatMessage): (PartKind | undefined)[] {
  const kinds = (Array.isArray(content) ? content : []).map(({ type }) => PART_KINDS[type]);
  // An assistant's message may name an earlier recording.
  return [
    ...kinds.flatMap((kind) => (kind === "text" ? [] : [kind])),
    ...(audio ? (["audio"] as const) : []),
  ];
}

/** The prompt as counted, for a request whose upstream didn't report it. */
export async function countPrompt(request: ModelRequest, model: Model): Promise<number> {
  return boundPrompt(await countPromptTokens(request), request.messages, model);
}

/** Tokens of a predicted output, which upstreams bill like an answer's. */
export function countPrediction({ prediction }: ModelRequest, limit: number): Promise<number> {
  return countTokensOf(textsOfValue(prediction), limit);
}

/** Those of the prompt that the upstream read from its cache, in the names of OpenAI, DeepSeek and Anthropic. */
export function cachedTokensOf(usage: ModelUsage): number {
  return firstCount(usage, [
    detailOf(usage, "cached_tokens"),
    usage.prompt_cache_hit_tokens,
    usage.cache_read_input_tokens,
  ]);
}

/** Those that it wrote to its cache, in the names of OpenRouter, LiteLLM and Anthropic; no token is both read and written. */
export function cacheWriteTokensOf(usage: ModelUsage): number {
  const written = firstCount(usage, [
    detailOf(usage, "cache_write_tokens"),
    detailOf(usage, "cache_creation_tokens"),
    usage.cache_creation_input_tokens,
  ]);
  return Math.min(written, usage.prompt_tokens - cachedTokensOf(usage));
}

function detailOf({ prompt_tokens_details: details }: ModelUsage, name: string): unknown {
  return typeof details === "object" && details !== null ? Reflect.get(details, name) : undefined;
}

/** Never more than the prompt has. */
function firstCount({ prompt_tokens: prompt }: ModelUsage, reported: readonly unknown[]): number {
  const count = reported.find((value) => Number.isInteger(value));
  return Math.min(Math.max(0, Number(count ?? 0)), prompt);
}

export function toUsage(prompt: number, completion: number): ModelUsage {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

/** The generated text of a message or delta: answer, refusal, reasoning, and the names and arguments of calls. */
export function generatedText(message: Record<string, unknown>): string {
  const texts = GENERATED_FIELDS.map((field) => message[field]);
  const calls = [message.tool_calls, message.function_call].flat().flatMap(callTexts);
  return [...texts, ...calls].filter((text) => typeof text === "string").join("");
}

function callTexts(call: unknown): unknown[] {
  if (typeof call !== "object" || call === null) {
    return [];
  }
  const { name, arguments: args, input, ...nested } = call as Record<string, unknown>;
  return [name, args, input, ...callTexts(nested.function), ...callTexts(nested.custom)];
}
