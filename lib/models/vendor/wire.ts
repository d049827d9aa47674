import type { ChatMessage, ModelRequest } from "../schema";
import { isFields, withUsage } from "./openai-answer";

/** How an upstream is asked, and how its answers become those of a chat completion, which the callers check. */
export interface Wire {
  /** Below the upstream's base URL. */
  path: "chat/completions" | "responses";
  /** Throws invalid_request for a field that the upstream's API doesn't have. */
  toBody: (request: ModelRequest & { stream: boolean }) => object;
  /** Names fields in an error's text as the request does. */
  toRequestTerms: (text: string, request: ModelRequest) => string;
  toCompletion: (answer: unknown) => unknown;
  /** The usage that an answer or event reports, whatever else it says. */
  toUsage: (value: unknown) => unknown;
  /** Reads one stream: returns the chunks of each event. */
  createReader: () => (event: unknown) => readonly unknown[];
}

/** OpenAI's chat completions, which most upstreams speak. */
export const chatWire: Wire = {
  path: "chat/completions",
  toBody: (request) => ({ ...request, messages: moveToolMedia(request.messages).messages }),
  toRequestTerms: (text, { messages }) => toOriginalPositions(text, messages),
  toCompletion: withUsage,
  toUsage: (value) => {
    const answer = withUsage(value);
    return isFields(answer) ? (answer.usage ?? null) : null;
  },
  createReader: () => (event) => [withUsage(event)],
};

type Part = Exclude<ChatMessage["content"], string | null | undefined>[number];

/** In the tool's message, which can't be empty. */
const ELSEWHERE = "[The images and files of this output are in the user message that follows.]";

/**
 * Messages as upstreams of chat completions take them: the output of a tool is text, so its images and files follow the
 * outputs as a message of the user. `origins`: the index that each had.
 */
function moveToolMedia(messages: readonly ChatMessage[]): {
  messages: ChatMessage[];
  origins: number[];
} {
  const moved: { message: ChatMessage; origin: number }[] = [];
  let media: Part[] = [];
  const flush = (origin: number) => {
    if (media.length > 0) {
      moved.push({ message: { role: "user", content: media }, origin });
      media = [];
    }
  };
  for (const [origin, message] of messages.entries()) {
    if (message.role !== "tool") {
      flush(origin - 1);
    }
    const parts = message.role === "tool" ? mediaOf(message) : [];
    media = [...media, ...parts];
    moved.push({ message: parts.length > 0 ? withoutMedia(message) : message, origin });
  }
  flush(messages.length - 1);
  return {
    messages: moved.map(({ message }) => message),
    origins: moved.map(({ origin }) => origin),
  };
}

/** Positions such as `messages[3]` in an upstream's error, as those of the messages before they were moved. */
function toOriginalPositions(text: string, messages: readonly ChatMessage[]): string {
  const { origins } = moveToolMedia(messages);
  return text.replace(
    /\bmessages([[.])(\d+)/g,
    (_, open: string, index: string) => `messages${open}${origins[Number(index)] ?? index}`,
  );
}

function mediaOf({ content }: ChatMessage): Part[] {
  return Array.isArray(content) ? content.filter(({ type }) => type !== "text") : [];
}

function withoutMedia(message: ChatMessage): ChatMessage {
  const parts = Array.isArray(message.content) ? message.content : [];
  const texts = parts.filter(({ type }) => type === "text");
  return { ...message, content: [...texts, { type: "text", text: ELSEWHERE }] };
}
