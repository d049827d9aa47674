import * as z from "zod";
import { MAX_MESSAGES, Metadata } from "@/lib/answers/chat/schema";
import { CitationsRequest } from "@/lib/answers/citations/schema";
import { MAX_PRESET_ID } from "@/lib/answers/presets/schema";
import { refused } from "@/lib/platform/http/refused";
import { supported, ToolChoice, Tools } from "./tool-schema";

const MAX_PARTS = 1000;

const NO_FILE_ID = "files can't be uploaded here; send the data itself";

export const ContentPart = z.discriminatedUnion(
  "type",
  [
    z.looseObject({ type: z.enum(["input_text", "output_text"]), text: z.string() }),
    z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
    z.looseObject({
      type: z.literal("input_image"),
      // Before what is required, whose absence would be reported instead.
      file_id: refused(NO_FILE_ID),
      image_url: z.string({ error: "expected the image's URL, or its data as a data: URL" }),
      detail: z.string().nullish(),
    }),
    z.looseObject({
      type: z.literal("input_file"),
      file_id: refused(NO_FILE_ID),
      file_url: refused("files aren't fetched; send the data in 'file_data'"),
      file_data: z.string({ error: "expected the file's data as a data: URL" }),
      filename: z.string().nullish(),
    }),
    z.looseObject({
      type: z.literal("input_audio"),
      input_audio: z.looseObject({ data: z.string(), format: z.string() }),
    }),
  ],
  { error: supported("a part", "input_text, input_image, input_file or output_text") },
);
export type ContentPart = z.output<typeof ContentPart>;

const parts = z.array(ContentPart).max(MAX_PARTS, `send at most ${MAX_PARTS} parts`);
const callId = z.string({ error: "expected the id of a function call" }).min(1).max(200);
const itemId = z.string().max(200).nullish();

const Message = z.looseObject({
  type: z.literal("message").default("message"),
  id: itemId,
  role: z.enum(["user", "assistant", "system", "developer"]),
  content: z.union([z.string(), parts]),
});

const FunctionCall = z.looseObject({
  type: z.literal("function_call"),
  id: itemId,
  call_id: callId,
  name: z.string().min(1).max(200),
  namespace: z.string().max(200).nullish(),
  arguments: z.string({ error: "expected the arguments as JSON text" }),
});

const FunctionCallOutput = z.looseObject({
  type: z.literal("function_call_output"),
  id: itemId,
  call_id: callId,
  output: z.union([z.string(), parts]),
});

const CustomToolCall = z.looseObject({
  type: z.literal("custom_tool_call"),
  id: itemId,
  call_id: callId,
  name: z.string().min(1).max(200),
  namespace: z.string().max(200).nullish(),
  input: z.string({ error: "expected the input as text" }),
});

const CustomToolCallOutput = FunctionCallOutput.extend({
  type: z.literal("custom_tool_call_output"),
});

/** Output items we return that aren't turns of the conversation. */
const PassedOver = z.looseObject({ type: z.enum(["reasoning", "file_search_call"]) });

const ItemReference = z.looseObject({
  type: z.literal("item_reference"),
  id: z.string({ error: "expected the id of an item" }).min(1).max(200),
});

const ITEMS = [
  ...[Message, FunctionCall, FunctionCallOutput, CustomToolCall, CustomToolCallOutput],
  ...[PassedOver, ItemReference],
] as const;

/** A tool's call or output that ran elsewhere: of any such type, so that the next one doesn't fail either. */
const HOSTED_ITEM = /^(?:\w+_call(?:_output)?|mcp_\w+|tool_search_output)$/;
const KNOWN_ITEMS = new Set<string>([
  ...["function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"],
  "file_search_call",
]);
const HostedItem = z
  .looseObject({
    type: z
      .string()
      .max(60)
      .refine((type) => HOSTED_ITEM.test(type) && !KNOWN_ITEMS.has(type), { abort: true }),
  })
  .describe("A call of a tool that ran elsewhere is left out, and named in `warnings`.")
  .transform(({ type: name }) => ({ type: "hosted" as const, name }));

const itemError = supported("an item", "message, function_call, function_call_output or reasoning");

/** One item of `input`. A message may leave its type out. */
export const InputItem = z.union(
  [z.discriminatedUnion("type", ITEMS, { error: itemError }), HostedItem],
  { error: itemError },
);
export type InputItem = z.output<typeof InputItem>;

const TextFormat = z.discriminatedUnion(
  "type",
  [
    z.looseObject({ type: z.literal("text") }),
    z.looseObject({ type: z.literal("json_object") }),
    z.looseObject({
      type: z.literal("json_schema"),
      name: z.string(),
      schema: z.record(z.string(), z.unknown()),
      description: z.string().nullish(),
      strict: z.boolean().nullish(),
    }),
  ],
  { error: supported("a format", "text, json_object or json_schema") },
);
export const TextConfig = z.looseObject({
  format: TextFormat.optional(),
  verbosity: z.string().nullish(),
});

export const Reasoning = z.looseObject({
  effort: z.string().nullish(),
  summary: z.string().nullish(),
});

/** Those of tools that this endpoint doesn't have change nothing, so clients may send them. */
export const Includable = z.enum(
  [
    "file_search_call.results",
    "web_search_call.results",
    "web_search_call.action.sources",
    "message.input_image.image_url",
    "computer_call_output.output.image_url",
    "code_interpreter_call.outputs",
    "reasoning.encrypted_content",
  ],
  { error: "expected names such as file_search_call.results; log probabilities aren't supported" },
);
const include = z.array(Includable).max(20);

/** OpenAI's request plus `citations`. Other fields are passed to the upstream as those of a chat completion. */
export const ResponsesRequest = z.looseObject({
  model: z
    .string({ error: "expected the id of a model from GET /v1/models" })
    .min(1)
    .max(MAX_PRESET_ID)
    .describe("The id of a model or preset from `GET /v1/models`."),
  input: z
    .union(
      [z.string(), z.array(InputItem).max(MAX_MESSAGES, `send at most ${MAX_MESSAGES} items`)],
      {
        error: "expected text or a list of items",
      },
    )
    .describe("The question: text, or messages, calls and their outputs in order."),
  instructions: z.string().nullish().describe("A system message for this response alone."),
  tools: Tools.nullish().describe(
    "`file_search` retrieves and cites; functions are the caller's own.",
  ),
  tool_choice: ToolChoice.nullish().describe("Which tool the model may or must call."),
  parallel_tool_calls: z
    .boolean()
    .nullish()
    .describe("Whether one turn may call several functions."),
  text: TextConfig.nullish().describe(
    "The format of the answer: text, or JSON that follows a schema.",
  ),
  reasoning: Reasoning.nullish().describe("Passed to models that reason."),
  include: include.nullish().describe("Additional data to return, such as search results."),
  temperature: z.number().nullish().describe("Passed to the model."),
  top_p: z.number().nullish().describe("Passed to the model."),
  presence_penalty: z.number().nullish().describe("Passed to the model."),
  frequency_penalty: z.number().nullish().describe("Passed to the model."),
  service_tier: z
    .string()
    .nullish()
    .describe("`auto` or `default`, unless the model allows other tiers."),
  max_output_tokens: z
    .int()
    .min(1)
    .nullish()
    .describe("Maximum tokens in the answer, which also bounds its cost."),
  max_tool_calls: z.int().min(1).nullish().describe("Ignored: the search runs once."),
  stream: z.boolean().nullish().describe("Stream the answer as server-sent events."),
  stream_options: z
    .looseObject({})
    .nullish()
    .describe("Accepted for stock clients; changes nothing."),
  store: z
    .boolean()
    .nullish()
    .describe(
      "Store the response with its evidence. Left out, the same key can refer to it for one hour, and nobody can read it.",
    ),
  metadata: Metadata.nullish().describe("Your own key-value pairs, stored with the response."),
  previous_response_id: z
    .string()
    .max(200)
    .nullish()
    .describe("A stored response that the key may read; its turns come before `input`."),
  truncation: z
    .enum(["auto", "disabled"])
    .nullish()
    .describe("Accepted for stock clients; the context is never shortened."),
  user: z.string().nullish().describe("Passed to the model."),
  safety_identifier: z.string().nullish().describe("Passed to the model."),
  prompt_cache_key: z.string().nullish().describe("Passed to the model."),
  citations: CitationsRequest.nullish().describe(
    "Options that `file_search` has no field for. The tool's own fields take precedence.",
  ),
  background: z
    .literal(false, { error: "responses don't run in the background; leave 'background' out" })
    .nullish()
    .describe("Only false: responses don't run in the background."),
  top_logprobs: z
    .literal(0, { error: "log probabilities aren't supported" })
    .nullish()
    .describe("Only 0."),
  conversation: refused("use 'previous_response_id', or send the conversation in 'input'"),
  prompt: refused("prompt templates aren't stored here; send 'instructions' and 'input'"),
  context_management: refused("the context isn't shortened; leave it out"),
  moderation: refused("this server doesn't moderate; leave it out"),
  access_programs: refused("this server has no access programs; leave it out"),
  messages: refused("this is a field of chat completions; use 'input'"),
  n: refused("a response has one answer; leave 'n' out"),
  max_tokens: refused("this is a field of chat completions; use 'max_output_tokens'"),
  max_completion_tokens: refused("this is a field of chat completions; use 'max_output_tokens'"),
  response_format: refused("this is a field of chat completions; use 'text.format'"),
  functions: refused("this is a field of chat completions; use 'tools'"),
  function_call: refused("this is a field of chat completions; use 'tool_choice'"),
});
export type ResponsesRequest = z.output<typeof ResponsesRequest>;
