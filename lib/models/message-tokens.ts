import { countTokens } from "@/lib/text/tokens";
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

/** Text tokens of everything upstreams count as prompt: messages, tools, schemas; stops soon after `limit`. */
export function countPromptTokens(request: ModelRequest, limit = Number.POSITIVE_INFINITY): number {
  return countTexts(textsOfPrompt(request), { frame: frameOf(request.messages), limit });
}

/** Text tokens of messages, with names, tool calls and the frame of each; stops soon after `limit`. */
export function countMessageTokens(
  messages: readonly ChatMessage[],
  limit = Number.POSITIVE_INFINITY,
): number {
  return countTexts(textsOfMessages(messages), { frame: frameOf(messages), limit });
}

function frameOf(messages: readonly ChatMessage[]): number {
  return TOKENS_PER_ANSWER + messages.length * TOKENS_PER_MESSAGE;
}

/** Reads no text after the limit. */
function countTexts(texts: Iterable<string>, { frame = 0, limit = 0 }): number {
  let sum = frame;
  for (const text of texts) {
    sum += countTokens(text, limit - sum);
    if (sum > limit) {
      break;
    }
  }
  return sum;
}

function* textsOfPrompt({ messages, ...fields }: ModelRequest): Generator<string> {
  yield* textsOfMessages(messages);
  for (const [field, value] of Object.entries(fields)) {
    if (!UNBILLED_FIELDS.has(field)) {
      yield* textsOfValue(value);
    }
  }
}

function* textsOfMessages(messages: readonly ChatMessage[]): Generator<string> {
  for (const { role: _role, content, ...rest } of messages) {
    yield textOf(content);
    for (const part of Array.isArray(content) ? content : []) {
      // What text parts contain besides their text, such as a refusal.
      const { type, text: _text, ...other } = part;
      yield* PART_KINDS[type] === "text" ? textsOfFields(other) : [];
    }
    yield* textsOfFields(rest);
  }
}

function* textsOfFields(fields: object): Generator<string> {
  if (Object.keys(fields).length > 0) {
    yield JSON.stringify(fields);
  }
}

/** Numbers and switches are no text. */
function* textsOfValue(value: unknown): Generator<string> {
  if (typeof value === "string") {
    yield value;
  } else if (typeof value === "object" && value !== null) {
    yield JSON.stringify(value);
  }
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
export function countPrompt(request: ModelRequest, model: Model): number {
  return boundPrompt(countPromptTokens(request), request.messages, model);
}

/** Tokens of a predicted output, which upstreams bill like an answer's. */
export function countPrediction({ prediction }: ModelRequest, limit: number): number {
  return countTexts(textsOfValue(prediction), { limit });
}

/**
 * The usage an upstream reported. What it left out or reported as zero is counted: some gateways report zeros for whole
 * answers.
 */
export function usageOf(
  reported: ModelUsage | null | undefined,
  counted: { prompt: () => number; completion: () => number },
): ModelUsage {
  if (reported && reported.prompt_tokens > 0 && reported.completion_tokens > 0) {
    return reported;
  }
  return {
    ...reported,
    ...toUsage(
      reported?.prompt_tokens || counted.prompt(),
      reported?.completion_tokens || counted.completion(),
    ),
  };
}

/** Those of the prompt that the upstream says it had cached, as OpenAI reports them. */
export function cachedTokensOf({
  prompt_tokens: prompt,
  prompt_tokens_details: details,
}: ModelUsage): number {
  const cached =
    typeof details === "object" && details !== null && Reflect.get(details, "cached_tokens");
  return typeof cached === "number" && Number.isInteger(cached)
    ? Math.min(Math.max(0, cached), prompt)
    : 0;
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
