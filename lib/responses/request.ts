import type { ChatRequest } from "@/lib/chat/schema";
import type { CitationsRequest } from "@/lib/citations/schema";
import { AppError } from "@/lib/errors";
import type { ChatMessage } from "@/lib/models/schema";
import type { ResponseSettings } from "./response-schema";
import type { ResponsesRequest, Tool, ToolChoice } from "./schema";

type FileSearch = Extract<Tool, { type: "file_search" }>;
type FunctionTool = Extract<Tool, { type: "function" }>;

/** The chat completion that answers a Responses request. Throws invalid_request for tools that contradict each other. */
export function toChatRequest(
  body: ResponsesRequest,
  messages: readonly ChatMessage[],
): ChatRequest {
  const { model, instructions, stream, store, metadata, ...rest } = body;
  const tools = allowedFunctions(body);
  const citations = citationsOf(body);
  return {
    ...ownFieldsRemoved(rest),
    model,
    messages: withInstructions(messages, instructions ?? null),
    stream,
    // The end of a response carries its usage, streamed or not.
    ...(stream && { stream_options: { include_usage: true } }),
    ...(citations && { citations }),
    ...(store && { store, metadata }),
    ...(tools.length > 0 && toolFields(body, tools)),
    ...textFields(body),
    ...(body.max_output_tokens && { max_completion_tokens: body.max_output_tokens }),
  };
}

/** OpenAI's other fields have the same names in both APIs, such as `temperature` and `user`. */
function ownFieldsRemoved({
  input: _input,
  tools: _tools,
  tool_choice: _choice,
  parallel_tool_calls: _parallel,
  text: _text,
  reasoning: _reasoning,
  include: _include,
  max_output_tokens: _limit,
  max_tool_calls: _calls,
  stream_options: _options,
  previous_response_id: _previous,
  truncation: _truncation,
  citations: _citations,
  background: _background,
  top_logprobs: _logprobs,
  ...rest
}: Omit<ResponsesRequest, "model">) {
  const sent = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(sent);
}

/** Joined to a leading system message: many chat templates take only one. */
function withInstructions(
  messages: readonly ChatMessage[],
  instructions: string | null,
): ChatMessage[] {
  if (!instructions) {
    return [...messages];
  }
  const [first, ...others] = messages;
  if (first?.role !== "system" && first?.role !== "developer") {
    return [{ role: "system", content: instructions }, ...messages];
  }
  const content =
    typeof first.content === "string"
      ? `${instructions}\n\n${first.content}`
      : [{ type: "text", text: instructions }, ...(first.content ?? [])];
  return [{ ...first, content }, ...others];
}

/** The tool, and `citations` for what it has no field for; null when the request says nothing about a search. */
function citationsOf({
  tools,
  tool_choice: choice,
  citations,
}: ResponsesRequest): CitationsRequest | null {
  const searches = (tools ?? []).filter((tool) => tool.type === "file_search");
  const [tool, second] = searches;
  if (second) {
    throw new AppError(
      "invalid_request",
      "There are two file_search tools. Name all vector stores in one of them.",
      { param: `tools.${(tools ?? []).indexOf(second)}.type` },
    );
  }
  if (!tool) {
    rejectForcedSearch(choice ?? "auto");
    return citations ?? null;
  }
  return isSearchAllowed(choice ?? "auto")
    ? { ...citations, enabled: true, ...boundsOf(tool) }
    : { enabled: false };
}

/** The field that names what to search. */
export function sourcesParamOf({ tools }: ResponsesRequest): string {
  const index = (tools ?? []).findIndex(({ type }) => type === "file_search");
  return index < 0 ? "citations.sources" : `tools.${index}.vector_store_ids`;
}

function boundsOf({ vector_store_ids, max_num_results, ranking_options }: FileSearch) {
  const { score_threshold } = ranking_options ?? {};
  return {
    sources: vector_store_ids,
    ...(max_num_results !== undefined && { top_k: max_num_results }),
    ...(score_threshold !== undefined && { min_score: score_threshold }),
  };
}

function isSearchAllowed(choice: ToolChoice): boolean {
  if (typeof choice === "string") {
    return choice !== "none";
  }
  return choice.type !== "allowed_tools" || choice.tools.some(({ type }) => type === "file_search");
}

function rejectForcedSearch(choice: ToolChoice): void {
  if (typeof choice !== "string" && choice.type === "file_search") {
    throw new AppError(
      "invalid_request",
      "'tool_choice' asks for file_search, which isn't among 'tools'. Add it, or leave 'tool_choice' out.",
      { param: "tool_choice" },
    );
  }
}

/** The functions that the model may call. */
function allowedFunctions({ tools, tool_choice: choice }: ResponsesRequest): FunctionTool[] {
  const functions = (tools ?? []).filter((tool) => tool.type === "function");
  if (typeof choice !== "object" || choice === null || choice.type === "file_search") {
    return functions;
  }
  const names = choice.type === "function" ? [choice.name] : namesOf(choice.tools);
  const missing = names.find((name) => !functions.some((tool) => tool.name === name));
  if (missing !== undefined) {
    throw new AppError(
      "invalid_request",
      `'tool_choice' names the function '${missing.slice(0, 60)}', which isn't among 'tools'. Add it, or correct the name.`,
      { param: "tool_choice" },
    );
  }
  return choice.type === "function"
    ? functions
    : functions.filter(({ name }) => names.includes(name));
}

function namesOf(tools: readonly { type: string; name?: string | undefined }[]): string[] {
  return tools.flatMap(({ type, name }) =>
    type === "function" && name !== undefined ? [name] : [],
  );
}

/** Sent only with functions: upstreams refuse them otherwise. */
function toolFields(
  { tools, tool_choice: choice, parallel_tool_calls: parallel }: ResponsesRequest,
  functions: readonly FunctionTool[],
) {
  const isSearched =
    isSearchAllowed(choice ?? "auto") && (tools ?? []).some(({ type }) => type === "file_search");
  return {
    tools: functions.map(({ name, description, parameters, strict }) => ({
      type: "function",
      function: {
        name,
        ...(description && { description }),
        ...(parameters && { parameters }),
        ...(typeof strict === "boolean" && { strict }),
      },
    })),
    ...(choice && { tool_choice: toToolChoice(choice, isSearched) }),
    ...(typeof parallel === "boolean" && { parallel_tool_calls: parallel }),
  };
}

/** The search always runs, which is what `required` asks for when it is among the tools. */
function toToolChoice(choice: ToolChoice, isSearched: boolean) {
  if (typeof choice === "string") {
    return choice === "required" && isSearched ? "auto" : choice;
  }
  switch (choice.type) {
    case "function":
      return { type: "function", function: { name: choice.name } };
    case "file_search":
      return "auto";
    case "allowed_tools":
      return choice.mode === "required" && isSearched ? "auto" : choice.mode;
  }
}

function textFields({ text, reasoning }: ResponsesRequest) {
  const { format, verbosity } = text ?? {};
  return {
    ...(verbosity && { verbosity }),
    ...(reasoning?.effort && { reasoning_effort: reasoning.effort }),
    ...(format && format.type !== "text" && { response_format: toResponseFormat(format) }),
  };
}

type JsonFormat = Exclude<
  NonNullable<NonNullable<ResponsesRequest["text"]>["format"]>,
  { type: "text" }
>;

function toResponseFormat(format: JsonFormat) {
  if (format.type === "json_object") {
    return { type: "json_object" };
  }
  const { type, name, schema, description, strict } = format;
  return {
    type,
    json_schema: {
      name,
      schema,
      ...(description && { description }),
      ...(typeof strict === "boolean" && { strict }),
    },
  };
}

const REPEATED = [
  "instructions",
  "max_output_tokens",
  "max_tool_calls",
  "previous_response_id",
  "prompt_cache_key",
  "reasoning",
  "safety_identifier",
  "temperature",
  "top_p",
] as const;

/** What a response repeats of its request. */
export function settingsOf(body: ResponsesRequest): ResponseSettings {
  const repeated = REPEATED.map((name) => [name, body[name] ?? null]);
  return {
    ...(Object.fromEntries(repeated) as Pick<ResponseSettings, (typeof REPEATED)[number]>),
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    text: { ...body.text, format: body.text?.format ?? { type: "text" } },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    ...(typeof body.user === "string" && { user: body.user }),
  };
}
