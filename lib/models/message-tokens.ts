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
  "messages",
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
  let sum = countMessageTokens(request.messages, limit);
  for (const [field, value] of Object.entries(request)) {
    if (sum > limit) {
      break;
    }
    if (!UNBILLED_FIELDS.has(field)) {
      sum += countValue(value, limit - sum);
    }
  }
  return sum;
}

/** Text tokens of messages, with names, tool calls and the frame of each; stops soon after `limit`. */
export function countMessageTokens(
  messages: readonly ChatMessage[],
  limit = Number.POSITIVE_INFINITY,
): number {
  let sum = TOKENS_PER_ANSWER;
  for (const message of messages) {
    sum += TOKENS_PER_MESSAGE + countMessage(message, limit - sum);
    if (sum > limit) {
      break;
    }
  }
  return sum;
}

function countMessage(message: ChatMessage, limit: number): number {
  const { role: _role, content, ...rest } = message;
  const other = Object.keys(rest).length > 0 ? countTokens(JSON.stringify(rest), limit) : 0;
  return countTokens(textOf(content), limit) + countTextFields(content, limit) + other;
}

/** What text parts contain besides their text, such as a refusal. */
function countTextFields(content: ChatMessage["content"], limit: number): number {
  let sum = 0;
  for (const part of Array.isArray(content) ? content : []) {
    const { type, text: _text, ...rest } = part;
    if (PART_KINDS[type] === "text" && Object.keys(rest).length > 0) {
      sum += countTokens(JSON.stringify(rest), limit);
    }
  }
  return sum;
}

/** Numbers and switches are no text. */
function countValue(value: unknown, limit: number): number {
  if (typeof value === "string") {
    return countTokens(value, limit);
  }
  return typeof value === "object" && value !== null
    ? countTokens(JSON.stringify(value), limit)
    : 0;
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
  return countValue(prediction, limit);
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
