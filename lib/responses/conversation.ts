import { AppError } from "@/lib/errors";
import type { ChatMessage } from "@/lib/models/schema";
import type { ContentPart, InputItem } from "./schema";

/** As chat completions, which upstreams have the same limit for. */
const MAX_MESSAGES = 256;

type Item<T extends InputItem["type"]> = Extract<InputItem, { type: T }>;
type MessageParts = Exclude<ChatMessage["content"], string | null | undefined>;

/** What a reference to an item of a stored response stands for; null for an item that is no turn. */
export type FindItem = (id: string, param: string) => InputItem | null;

/**
 * Items as the messages of a chat completion, after those of earlier turns. A model's text and calls that stand next
 * to each other are one message, and the outputs of calls follow their calls: upstreams refuse anything else. Throws
 * invalid_request for a call without an output, an output without a call, and for what no message can carry.
 */
export function toMessages(
  input: string | readonly InputItem[],
  earlier: readonly ChatMessage[],
  findItem: FindItem,
): ChatMessage[] {
  const conversation = new Conversation(earlier);
  const items: readonly InputItem[] =
    typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
  for (const [index, item] of items.entries()) {
    const param = `input.${index}`;
    const found = item.type === "item_reference" ? findItem(item.id, `${param}.id`) : item;
    if (found) {
      conversation.add(found, param);
    }
  }
  return conversation.end();
}

class Conversation {
  readonly #messages: ChatMessage[];
  /** The calls whose output is to come, each with the field that made it. */
  readonly #open: Map<string, string>;

  constructor(earlier: readonly ChatMessage[]) {
    this.#messages = [...earlier];
    const ids = callsOf(earlier.at(-1)).map(({ id }) => id);
    this.#open = new Map(ids.map((id) => [id, "previous_response_id"]));
  }

  add(item: InputItem, param: string): void {
    switch (item.type) {
      case "message":
        this.#addMessage(item, param);
        break;
      case "function_call":
        this.#addCall(item, param);
        break;
      case "function_call_output":
        this.#addOutput(item, param);
        break;
    }
  }

  end(): ChatMessage[] {
    this.#requireOutputs();
    if (this.#messages.length === 0) {
      throw invalid("input", "There is nothing to answer. Send text or at least one message.");
    }
    if (this.#messages.length > MAX_MESSAGES) {
      throw invalid(
        "input",
        `The conversation has ${this.#messages.length} messages, and at most ${MAX_MESSAGES} are allowed. Leave earlier turns out.`,
      );
    }
    return this.#messages;
  }

  #addMessage(item: Item<"message">, param: string): void {
    const { role, content } = item;
    if (role === "assistant") {
      this.#addAnswer(item, param);
    } else {
      this.#requireOutputs();
      const sent = typeof content === "string" ? content : toContent(content, param);
      this.#messages.push({ role, content: sent });
    }
  }

  #addAnswer({ content }: Item<"message">, param: string): void {
    const texts =
      typeof content === "string"
        ? [content]
        : content.map((part, index) => {
            if (!isText(part) && part.type !== "refusal") {
              throw invalid(
                `${param}.content.${index}.type`,
                "A model's message has text only. Send images and files as the user's.",
              );
            }
            return part.type === "refusal" ? part.refusal : part.text;
          });
    const text = texts.join("\n");
    const last = this.#answerAtEnd();
    if (last) {
      const before = typeof last.content === "string" ? last.content : "";
      last.content = [before, text].filter(Boolean).join("\n\n");
    } else {
      this.#requireOutputs();
      this.#messages.push({ role: "assistant", content: text });
    }
  }

  #addCall({ call_id: id, name, arguments: args }: Item<"function_call">, param: string): void {
    if (this.#open.has(id)) {
      throw invalid(
        `${param}.call_id`,
        `There are two function calls '${id}'. Give each call an id of its own.`,
      );
    }
    const call = { id, type: "function", function: { name, arguments: args } };
    const last = this.#answerAtEnd();
    if (last) {
      last.tool_calls = [...callsOf(last), call];
    } else {
      this.#requireOutputs();
      this.#messages.push({ role: "assistant", content: null, tool_calls: [call] });
    }
    this.#open.set(id, param);
  }

  #addOutput({ call_id: id, output }: Item<"function_call_output">, param: string): void {
    if (!this.#open.delete(id)) {
      throw invalid(
        `${param}.call_id`,
        `No function call '${id}' waits for an output. Send the call before its output, and one output for each.`,
      );
    }
    this.#messages.push({ role: "tool", tool_call_id: id, content: toOutputText(output, param) });
  }

  /** The model's message that can still be added to, in a copy that is this conversation's own. */
  #answerAtEnd(): ChatMessage | null {
    const last = this.#messages.at(-1);
    if (last?.role !== "assistant") {
      return null;
    }
    const copy = { ...last };
    this.#messages[this.#messages.length - 1] = copy;
    return copy;
  }

  #requireOutputs(): void {
    for (const [id, param] of this.#open) {
      throw invalid(
        param,
        `The function call '${id}' has no output. Send a function_call_output for it right after the calls.`,
      );
    }
  }
}

function callsOf(message: ChatMessage | undefined): { id: string }[] {
  return Array.isArray(message?.tool_calls) ? message.tool_calls : [];
}

function isText(part: ContentPart): part is Extract<ContentPart, { text: string }> {
  return part.type === "input_text" || part.type === "output_text";
}

/** A single text is sent as such: clients write every message in parts, which some upstreams don't take. */
function toContent(parts: readonly ContentPart[], param: string): string | MessageParts {
  const [only, ...others] = parts;
  return only && others.length === 0 && isText(only)
    ? only.text
    : parts.map((part, index) => toPart(part, `${param}.content.${index}.type`));
}

function toPart(part: ContentPart, param: string): MessageParts[number] {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return { type: "text", text: part.text };
    case "input_image": {
      const { image_url: url, detail } = part;
      return { type: "image_url", image_url: { url, ...(detail && { detail }) } };
    }
    case "input_file": {
      const { file_data, filename } = part;
      return { type: "file", file: { file_data, ...(filename && { filename }) } };
    }
    case "input_audio":
      return { type: "input_audio", input_audio: part.input_audio };
    case "refusal":
      throw invalid(param, "Only a model's message can be a refusal.");
  }
}

function toOutputText(output: string | readonly ContentPart[], param: string): string {
  if (typeof output === "string") {
    return output;
  }
  return output
    .map((part, index) => {
      if (!isText(part)) {
        throw invalid(
          `${param}.output.${index}.type`,
          "The output of a function is text. Send images and files in a message of the user.",
        );
      }
      return part.text;
    })
    .join("\n");
}

function invalid(param: string, message: string): AppError {
  return new AppError("invalid_request", message, { param });
}
