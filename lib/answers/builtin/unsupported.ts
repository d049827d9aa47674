import type { ModelRequest } from "@/lib/models/schema";
import { CHAT_FIELDS, type FieldNames } from "./fields";

/** What a request asks for that a model of quotes can't give. */
interface Unsupported {
  param: string;
  /** As the object of "doesn't support". */
  what: string;
}

const TEXT_PARTS = new Set(["text", "input_text", "output_text", "refusal"]);
const FORMATS = new Set<unknown>(["text", "json_object"]);
const FREE_CHOICES = new Set<unknown>([undefined, null, "auto", "none"]);

/**
 * The fields that would be ignored although the answer depends on them; tools that the model is free to call or not,
 * and what tools have returned, are no such fields.
 */
export function listUnsupported(
  request: ModelRequest,
  fields: FieldNames = CHAT_FIELDS,
): Unsupported[] {
  const { tool_choice, function_call, response_format, logprobs } = request;
  const format = typeOf(response_format);
  const checks: [isAsked: boolean, Unsupported][] = [
    [!isFree(tool_choice), { param: "tool_choice", what: "tools" }],
    [!FREE_CHOICES.has(function_call), { param: "function_call", what: "functions" }],
    [
      format !== undefined && !FORMATS.has(format),
      { param: "response_format", what: `'${fields.responseFormat}' of type '${String(format)}'` },
    ],
    [logprobs === true, { param: "logprobs", what: "log probabilities" }],
    [
      hasMedia(request.messages.filter(({ role }) => role !== "tool")),
      { param: "messages", what: `images, audio and files in '${fields.messages}'` },
    ],
  ];
  return checks.flatMap(([isAsked, unsupported]) => (isAsked ? [unsupported] : []));
}

/** Whether a model that supports tools could call one. */
export function offersTools({
  tools,
  tool_choice,
  functions,
  function_call,
}: ModelRequest): boolean {
  return (
    (isFilled(tools) && tool_choice !== "none") || (isFilled(functions) && function_call !== "none")
  );
}

/** `{"type": "allowed_tools"}` is as free as its mode. */
function isFree(choice: unknown): boolean {
  const { type, allowed_tools } = Object(choice) as { type?: unknown; allowed_tools?: unknown };
  const isSelection = type === "allowed_tools";
  return FREE_CHOICES.has(choice) || (isSelection && Object(allowed_tools).mode !== "required");
}

/** Whether an answer has to be a JSON object. */
export function wantsJsonObject({ response_format }: ModelRequest): boolean {
  return typeOf(response_format) === "json_object";
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function typeOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
}

export function hasToolMedia({ messages }: ModelRequest): boolean {
  return hasMedia(messages.filter(({ role }) => role === "tool"));
}

function hasMedia(messages: ModelRequest["messages"]): boolean {
  return messages.some(
    ({ content }) => Array.isArray(content) && content.some(({ type }) => !TEXT_PARTS.has(type)),
  );
}
