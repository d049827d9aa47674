import { countTokens } from "@/lib/text/tokens";
import {
  type ChatMessage,
  type Completion,
  type ModelRequest,
  type ModelUsage,
  textOf,
} from "./schema";

/** OpenAI's overhead per message, and for the start of the response. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_ANSWER = 3;
/** About the maximum for an image at its highest detail. */
const TOKENS_PER_IMAGE = 1500;

/** Fields in which models send generated text; each of them is charged. */
const GENERATED_FIELDS = ["content", "refusal", "reasoning_content", "reasoning"];

/** Tokens of everything upstreams count as prompt: messages, tools and response format; stops soon after `limit`. */
export function countPromptTokens(
  { messages, tools, functions, response_format }: ModelRequest,
  limit: number,
): number {
  const sum = countMessageTokens(messages, limit);
  return [tools, functions, response_format]
    .filter(Boolean)
    .reduce<number>((total, value) => total + countTokens(JSON.stringify(value), limit), sum);
}

/** Tokens of messages: text, names, tool calls and images, with the frame of each; stops soon after `limit`. */
export function countMessageTokens(
  messages: readonly ChatMessage[],
  limit = Number.POSITIVE_INFINITY,
): number {
  let sum = TOKENS_PER_ANSWER;
  for (const message of messages) {
    sum += TOKENS_PER_MESSAGE + countContent(message, limit - sum);
    if (sum > limit) {
      break;
    }
  }
  return sum;
}

function countContent(message: ChatMessage, limit: number): number {
  const { role: _role, content, ...rest } = message;
  const images = Array.isArray(content) ? content.filter((part) => part.type === "image_url") : [];
  const other = Object.keys(rest).length > 0 ? countTokens(JSON.stringify(rest), limit) : 0;
  return countTokens(textOf(content), limit) + images.length * TOKENS_PER_IMAGE + other;
}

/** The usage an upstream reported, or a count of the prompt and of all generated text. */
export function usageOf(
  { usage, choices }: Pick<Completion, "usage" | "choices">,
  messages: readonly ChatMessage[],
): ModelUsage {
  return (
    usage ??
    toUsage(
      countMessageTokens(messages),
      choices.reduce((sum, { message }) => sum + countTokens(generatedText(message)), 0),
    )
  );
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
