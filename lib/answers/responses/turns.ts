import type { StoredMessage } from "@/lib/answers/chat/stored-schema";
import type { ChatMessage, Completion } from "@/lib/models/schema";

/** Stored in place of an image or a file that was sent as data. */
const NOT_STORED = "[An image or a file of an earlier turn, which isn't stored.]";

type Part = Exclude<ChatMessage["content"], string | null | undefined>[number];

/** The turns of a stored answer, itself included, as they go to a model again. */
export function toEarlierTurns(
  messages: readonly StoredMessage[],
  { choices }: Completion,
): ChatMessage[] {
  const { content, refusal, tool_calls }: Record<string, unknown> = choices[0]?.message ?? {};
  const said = [content, refusal].find((each) => typeof each === "string") as string | undefined;
  const calls = Array.isArray(tool_calls) && tool_calls.length > 0 ? { tool_calls } : {};
  return [...messages.map(toMessage), { role: "assistant", content: said ?? null, ...calls }];
}

function toMessage({ id: _id, content, content_parts, name, role, ...rest }: StoredMessage) {
  return {
    ...rest,
    role: role as ChatMessage["role"],
    content: (content_parts as Part[] | null)?.map(withoutEmptyData) ?? content,
    ...(name !== null && { name }),
  };
}

/** Only the start of a data: URL is stored. */
function withoutEmptyData(part: Part): Part {
  const isEmpty = part.type !== "text" && /:"(?:data:[^",]*,)?"/.test(JSON.stringify(part));
  return isEmpty ? { type: "text", text: NOT_STORED } : part;
}
