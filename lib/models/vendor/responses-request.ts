import { type AppError, invalidRequest } from "@/lib/errors";
import type { ChatMessage, ModelRequest } from "../schema";

type Fields = Record<string, unknown>;

/** The same in both APIs. Any other field is refused: an upstream's `previous_response_id` is every account's. */
const SAME = [
  ...["model", "stream", "temperature", "top_p", "parallel_tool_calls", "user", "metadata"],
  ...["service_tier", "safety_identifier", "prompt_cache_key"],
];
/** Written in another form, or always on. */
const REWRITTEN = [
  ...["messages", "tools", "tool_choice", "response_format", "verbosity", "reasoning_effort"],
  ...["max_tokens", "max_completion_tokens", "stream_options", "store"],
];
const KNOWN = new Set([...SAME, ...REWRITTEN]);

/** A chat completion's request for the Responses API. Throws invalid_request for what that can't express. */
export function toResponsesBody(request: ModelRequest & { stream: boolean }): object {
  const unknown = Object.keys(request).find((field) => !KNOWN.has(field) && isSet(request, field));
  if (unknown !== undefined) {
    throw refused(unknown, `This model doesn't support '${unknown.slice(0, 60)}'. Leave it out.`);
  }
  const { tools, tool_choice: choice, reasoning_effort: effort } = request;
  const limit = request.max_completion_tokens ?? request.max_tokens;
  return {
    ...Object.fromEntries(SAME.map((name) => [name, request[name] ?? undefined])),
    input: request.messages.flatMap(toItems),
    // Nobody could read or delete it there.
    store: false,
    ...(limit && { max_output_tokens: limit }),
    ...(Array.isArray(tools) && { tools: tools.map(toTool) }),
    ...(isSet(request, "tool_choice") && { tool_choice: toToolChoice(choice) }),
    ...(isSet(request, "reasoning_effort") && { reasoning: { effort } }),
    ...textOptions(request),
  };
}

/** Clients send zero, false and one answer for what they don't want. */
function isSet(request: ModelRequest, field: string): boolean {
  const value = request[field];
  return Boolean(value) && !(field === "n" && value === 1);
}

const CHAT_TERMS: [RegExp, string][] = [
  [/\bmax_output_tokens\b/g, "max_completion_tokens"],
  [/\breasoning\.effort\b/g, "reasoning_effort"],
  [/\btext\.format\b/g, "response_format"],
];

/** Names of the Responses API in an upstream's error, as those of a chat completion. An item is a part of a message. */
export function toChatTerms(text: string, { messages }: ModelRequest): string {
  const owners = messages.flatMap((message, index) => toItems(message).map(() => index));
  const renumbered = text
    .replace(/\binput\[(\d+)\]/g, (_, item: string) => `messages[${owners[Number(item)] ?? 0}]`)
    .replace(/^input\b/, "messages");
  return CHAT_TERMS.reduce((renamed, [term, name]) => renamed.replace(term, name), renumbered);
}

function refused(param: string, message: string): AppError {
  return invalidRequest(message, param.slice(0, 200));
}

function toItems(message: ChatMessage): object[] {
  const { role, content, tool_call_id: call_id } = message;
  if (role === "assistant") {
    return toAssistantItems(message);
  }
  const parts = typeof content === "string" ? content : (content ?? []).map(toPart);
  return role === "tool"
    ? [{ type: "function_call_output", call_id, output: parts }]
    : [{ role, content: parts }];
}

function toAssistantItems({ role, content, tool_calls: calls, refusal }: ChatMessage): object[] {
  const said = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  const parts = [
    ...said.map(({ type, text = "" }) =>
      type === "refusal" ? { type, refusal: text } : { type: "output_text", text },
    ),
    ...(typeof refusal === "string" ? [{ type: "refusal", refusal }] : []),
  ];
  return [
    ...(parts.length > 0 ? [{ role, content: parts }] : []),
    ...(Array.isArray(calls) ? calls.map(toCall) : []),
  ];
}

function toCall({ id, function: called, extra_content }: Fields): object {
  const { name, arguments: given } = asFields(called);
  return { type: "function_call", call_id: id, name, arguments: given, extra_content };
}

/** Text, an image, a file or a recording. */
function toPart({ type, text, ...part }: { type: string; text?: string | undefined } & Fields) {
  switch (type) {
    case "text":
      return { type: "input_text", text };
    case "image_url": {
      const { url, detail } = asFields(part.image_url);
      return { type: "input_image", image_url: url, detail: detail ?? "auto" };
    }
    case "file":
      return { type: "input_file", ...asFields(part.file) };
    default:
      return { type, text, ...part };
  }
}

/** Upstreams have tools of their own, with prices of their own. */
function toTool(tool: unknown): object {
  const { type, function: declared } = asFields(tool);
  if (type !== "function") {
    throw refused("tools", "This model supports tools of type 'function' only. Leave others out.");
  }
  const { strict, ...described } = asFields(declared);
  // The Responses API would be strict by default.
  return { type, ...described, strict: strict ?? false };
}

function toToolChoice(choice: unknown): unknown {
  if (typeof choice === "string") {
    return choice;
  }
  const { type, function: named, allowed_tools: allowed } = asFields(choice);
  if (type !== "allowed_tools") {
    return { type, ...asFields(named) };
  }
  const { mode, tools } = asFields(allowed);
  const named_tools = Array.isArray(tools) ? tools.map(toToolChoice) : tools;
  return { type, mode, tools: named_tools };
}

function textOptions({ response_format: format, verbosity }: ModelRequest) {
  const { type, json_schema: schema } = asFields(format);
  const text = {
    ...(typeof type === "string" && { format: { type, ...asFields(schema) } }),
    ...(typeof verbosity === "string" && { verbosity }),
  };
  return Object.keys(text).length > 0 ? { text } : {};
}

function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
