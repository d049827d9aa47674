import type { ChatMessage } from "../schema";

type Part = Exclude<ChatMessage["content"], string | null | undefined>[number];

/** In the tool's message, which can't be empty. */
const ELSEWHERE = "[The images and files of this output are in the user message that follows.]";

/**
 * Messages as upstreams of chat completions take them: the output of a tool is text, so its images and files follow the
 * outputs as a message of the user. `origins`: the index that each had.
 */
export function moveToolMedia(messages: readonly ChatMessage[]): {
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
export function toOriginalPositions(text: string, messages: readonly ChatMessage[]): string {
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
