import type { StoredMessage } from "@/lib/answers/chat/stored-schema";
import { toCallItems } from "./output";
import type { ConversationItem } from "./response-schema";
import type { Tool } from "./tool-schema";

/** The messages of a stored answer's request as items, each with an id of its own. */
export function toConversationItems(
  messages: readonly StoredMessage[],
  { suffix, tools }: { suffix: string; tools: readonly Tool[] },
): ConversationItem[] {
  return messages.flatMap((message, index) => {
    const id = `${suffix}_${index}`;
    if (message.role === "tool") {
      return [toOutput(message, `fco_${id}`)];
    }
    const { content, content_parts: parts, tool_calls: calls } = message;
    const isSaid = content !== null || parts !== null;
    return [
      ...(isSaid ? [toMessage(message, `msg_${id}`)] : []),
      ...toCallItems(id, calls, { status: "completed", tools }),
    ];
  });
}

function toMessage(
  { role, content, content_parts: parts }: StoredMessage,
  id: string,
): ConversationItem {
  const texts = parts ?? [{ type: "text", text: content ?? "" }];
  return {
    id,
    type: "message",
    status: "completed",
    role,
    content:
      role === "assistant"
        ? texts.map(({ text }) => ({ type: "output_text", text: text ?? "", annotations: [] }))
        : texts.map(toInputPart),
  };
}

function toInputPart(part: { type: string; [field: string]: unknown }) {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image_url": {
      const { url, detail = "auto" } = part.image_url as { url: string; detail?: string };
      return { type: "input_image", image_url: url, detail };
    }
    case "file":
      return { type: "input_file", ...(part.file as object) };
    default:
      return part;
  }
}

function toOutput(
  { tool_call_id: call_id, content, content_parts: parts }: StoredMessage,
  id: string,
): ConversationItem {
  const output = parts?.map(toInputPart) ?? content ?? "";
  return { id, type: "function_call_output", status: "completed", call_id, output };
}
