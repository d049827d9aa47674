import { fileSearchBounds } from "@/lib/answers/chat/file-search";
import type { ChatRequest } from "@/lib/answers/chat/schema";
import type { CitationsRequest } from "@/lib/answers/citations/schema";
import type { ChatMessage } from "@/lib/models/schema";
import type { ResponseSettings } from "./response-schema";
import type { ResponsesRequest } from "./schema";
import type { ToolChoice } from "./tool-schema";
import { type Callable, chosenOf, isSearchAllowed, type UsedTools, withoutHosted } from "./tools";

/** The chat completion that answers a Responses request. */
export function toChatRequest(
  body: ResponsesRequest,
  messages: readonly ChatMessage[],
  used: UsedTools,
): ChatRequest {
  const { model, instructions, stream, store, metadata, ...rest } = body;
  const citations = citationsOf(body, used);
  return {
    ...ownFieldsRemoved(rest),
    model,
    messages: withInstructions(messages, instructions ?? null),
    stream,
    // The end of a response carries its usage, streamed or not.
    ...(stream && { stream_options: { include_usage: true } }),
    ...(citations && { citations }),
    ...(store && { store, metadata }),
    ...(used.callables.length > 0 && toolFields(body, used)),
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
  // Codex describes itself and its session.
  client_metadata: _client,
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
function citationsOf(
  { tool_choice: choice, citations }: ResponsesRequest,
  { search }: UsedTools,
): CitationsRequest | null {
  if (!search) {
    return citations ?? null;
  }
  return isSearchAllowed(choice ?? "auto")
    ? { ...citations, ...fileSearchBounds(search) }
    : { enabled: false };
}

/** Sent only with tools that the model may call: upstreams refuse them otherwise. */
function toolFields(
  { tool_choice: choice, parallel_tool_calls: parallel }: ResponsesRequest,
  { callables, search }: UsedTools,
) {
  return {
    tools: callables.map(toFunction),
    ...(choice && { tool_choice: toToolChoice(choice, callables, search !== null) }),
    ...(typeof parallel === "boolean" && { parallel_tool_calls: parallel }),
  };
}

/** A tool that takes free text is a function of one text: few upstreams have another kind. */
function toFunction({ sentName: name, tool }: Callable) {
  if (tool.type === "custom") {
    const format = tool.format && tool.format.type !== "text" ? JSON.stringify(tool.format) : "";
    const description = [tool.description, format && `The input has this format: ${format}`];
    return {
      type: "function",
      function: {
        name,
        description: description.filter(Boolean).join("\n\n"),
        parameters: CUSTOM_PARAMETERS,
      },
    };
  }
  const { description, parameters, strict } = tool;
  return {
    type: "function",
    function: {
      name,
      ...(description && { description }),
      ...(parameters && { parameters }),
      ...(typeof strict === "boolean" && { strict }),
    },
  };
}

const CUSTOM_PARAMETERS = {
  type: "object",
  properties: { input: { type: "string", description: "The whole input of the tool." } },
  required: ["input"],
  additionalProperties: false,
};

/** The search always runs, which is what `required` asks for when it is among the tools. */
function toToolChoice(choice: ToolChoice, callables: readonly Callable[], hasSearch: boolean) {
  const isSearched = hasSearch && isSearchAllowed(choice);
  if (typeof choice === "string") {
    return choice === "required" && isSearched ? "auto" : choice;
  }
  switch (choice.type) {
    case "function":
    case "custom": {
      const name = chosenOf(callables, choice)?.sentName ?? choice.name;
      return { type: "function", function: { name } };
    }
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
] as const;

/** What a response repeats of its request. */
export function settingsOf(body: ResponsesRequest): ResponseSettings {
  const repeated = REPEATED.map((name) => [name, body[name] ?? null]);
  const { service_tier: tier } = body;
  return {
    ...(Object.fromEntries(repeated) as Pick<ResponseSettings, (typeof REPEATED)[number]>),
    frequency_penalty: body.frequency_penalty ?? 0,
    presence_penalty: body.presence_penalty ?? 0,
    service_tier: tier ?? "default",
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    text: { ...body.text, format: body.text?.format ?? { type: "text" } },
    tool_choice: body.tool_choice ?? "auto",
    tools: withoutHosted(body.tools ?? []),
    ...(typeof body.user === "string" && { user: body.user }),
  };
}
