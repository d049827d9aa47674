import { countTokens } from "@/lib/text/tokens";
import { type ChatMessage, textOf } from "./schema";

/** OpenAI's overhead per message, and for the start of the response. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_ANSWER = 3;
/** About the maximum for an image at its highest detail. */
const TOKENS_PER_IMAGE = 1500;

/** Counts text, names, tool calls and images; stops soon after `limit`. */
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
