import { itemLeftOut } from "@/lib/answers/chat/left-out";
import { MAX_MESSAGES } from "@/lib/answers/chat/schema";
import type { Warning } from "@/lib/answers/citations/schema";
import { type AppError, invalidRequest } from "@/lib/errors";
import type { ChatMessage } from "@/lib/models/schema";
import type { ContentPart, InputItem } from "./schema";
import { sentNameOf } from "./tools";

type Item<T extends InputItem["type"]> = Extract<InputItem, { type: T }>;
type MessageParts = Exclude<ChatMessage["content"], string | null | undefined>;

/** What a reference to an item of a stored response stands for; null for an item that is no turn. */
export type FindItem = (id: string, param: string) => InputItem | null;

/**
 * Items as the messages of a chat completion, after those of earlier turns. A model's text and calls that stand next
 * to each other are one message, and the outputs of calls, wherever they stand, follow it: upstreams refuse anything
 * else. Throws invalid_request for a call without an output, an output without a call, and for what no message can carry.
 */
export function toMessages(
  input: string | readonly InputItem[],
  earlier: readonly ChatMessage[],
  findItem: FindItem,
): ChatMessage[] {
  const items: readonly InputItem[] =
    typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
  const given = items.flatMap((item, index) => {
    const param = `input.${index}`;
    const found = item.type === "item_reference" ? findItem(item.id, `${param}.id`) : item;
    return found ? [{ item: found, param }] : [];
  });
  const outputs = outputsOf(given);
  const conversation = new Conversation(earlier, outputs);
  for (const { item, param } of given) {
    conversation.add(item, param);
  }
  return conversation.end();
}

/** Of items of tools that ran elsewhere, which are no turns. */
export function warningsOfItems(input: string | readonly InputItem[]): Warning[] {
  const items = typeof input === "string" ? [] : input;
  const hosted = items.flatMap((item) => (item.type === "hosted" ? [item.name] : []));
  return [...new Set(hosted)].map(itemLeftOut);
}

interface Output {
  message: ChatMessage;
  param: string;
}

/** By the call they belong to, in order: the calls of some models count from 0 in each turn. */
function outputsOf(given: readonly { item: InputItem; param: string }[]): Map<string, Output[]> {
  const outputs = new Map<string, Output[]>();
  for (const { item, param } of given) {
    if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
      const { call_id: id, output } = item;
      const content = typeof output === "string" ? output : toOutput(output, param);
      const message = { role: "tool" as const, tool_call_id: id, content };
      const before = outputs.get(id) ?? [];
      before.push({ message, param });
      outputs.set(id, before);
    }
  }
  return outputs;
}

class Conversation {
  readonly #messages: ChatMessage[];
  /** The calls whose output is to come, each with the field that made it. */
  readonly #open: Map<string, string>;
  /** The model's message at the end, in a copy that is this conversation's own. */
  #answer: (ChatMessage & { tool_calls?: object[] }) | null = null;

  constructor(
    earlier: readonly ChatMessage[],
    private readonly outputs: Map<string, Output[]>,
  ) {
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
        this.#addCall(item, item.arguments, param);
        break;
      case "custom_tool_call":
        this.#addCall(item, JSON.stringify({ input: item.input }), param);
        break;
      case "function_call_output":
      case "custom_tool_call_output":
        this.#closeAnswer();
        break;
    }
  }

  end(): ChatMessage[] {
    this.#closeAnswer();
    for (const [id, [left]] of this.outputs) {
      if (left) {
        throw invalid(
          `${left.param}.call_id`,
          `No function call '${id}' waits for an output. Send the call as well, and one output for each.`,
        );
      }
    }
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
      this.#addText(textsOfAnswer(content, param).join("\n"));
    } else {
      this.#closeAnswer();
      const sent = typeof content === "string" ? content : toContent(content, param);
      this.#messages.push({ role, content: sent });
    }
  }

  #addText(text: string): void {
    const answer = this.#openAnswer();
    const before = typeof answer.content === "string" ? answer.content : "";
    answer.content = before && text ? `${before}\n\n${text}` : before || text;
  }

  #addCall(
    { call_id: id, extra_content, ...named }: Item<"function_call" | "custom_tool_call">,
    args: string,
    param: string,
  ): void {
    if (this.#open.has(id)) {
      throw invalid(
        `${param}.call_id`,
        `There are two function calls '${id}'. Give each call an id of its own.`,
      );
    }
    const answer = this.#openAnswer();
    const call = {
      ...{ id, type: "function", function: { name: sentNameOf(named), arguments: args } },
      ...(isSet(extra_content) && { extra_content }),
    };
    answer.tool_calls ??= [];
    answer.tool_calls.push(call);
    this.#open.set(id, param);
  }

  /** The model's message that what it says next is added to. */
  #openAnswer(): ChatMessage & { tool_calls?: object[] } {
    if (!this.#answer) {
      const last = this.#messages.at(-1);
      const isGoingOn = last?.role === "assistant";
      const calls = isGoingOn ? callsOf(last) : [];
      this.#answer = {
        ...(isGoingOn ? last : { role: "assistant", content: null }),
        ...(calls.length > 0 && { tool_calls: [...calls] }),
      };
      this.#messages.splice(isGoingOn ? -1 : this.#messages.length, 1, this.#answer);
    }
    return this.#answer;
  }

  /** Puts the outputs of its calls behind it. */
  #closeAnswer(): void {
    this.#answer = null;
    for (const [id, param] of this.#open) {
      const output = this.outputs.get(id)?.shift();
      if (!output) {
        throw invalid(
          param,
          `The function call '${id}' has no output. Send a function_call_output with its call_id.`,
        );
      }
      this.#messages.push(output.message);
    }
    this.#open.clear();
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function textsOfAnswer(content: Item<"message">["content"], param: string): string[] {
  return typeof content === "string"
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

/** Text alone is sent as such. */
function toOutput(parts: readonly ContentPart[], param: string): string | MessageParts {
  return parts.every(isText)
    ? parts.map(({ text }) => text).join("\n")
    : parts.map((part, index) => toPart(part, `${param}.output.${index}.type`));
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

function invalid(param: string, message: string): AppError {
  return invalidRequest(message, param);
}
