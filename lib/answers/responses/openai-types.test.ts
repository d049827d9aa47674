import type OpenAI from "openai";
import { expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { EventBody, ResponseEvent } from "./events";
import type {
  Annotation,
  CallItem,
  MessageItem,
  ResponseObject,
  ResponseSettings,
  ResponseUsage,
  SearchItem,
} from "./response-schema";
import type { InputItem, ResponsesRequest } from "./schema";
import type { Tool } from "./tool-schema";

// The compiler checks these, so a drift between our schemas and the client's types breaks the build.

type Params = OpenAI.Responses.ResponseCreateParams;
type Theirs = OpenAI.Responses.Response;
type Items = OpenAI.Responses.ResponseInputItem;

/** A type's named fields at every depth, without index signatures. */
type Named<T> = T extends readonly (infer Item)[]
  ? Named<Item>[]
  : T extends object
    ? { [Field in keyof T as string extends Field ? never : Field]: Named<T[Field]> }
    : T;

/** The fields that only our type has. */
type Own<Ours, Stock> = Exclude<keyof Named<Ours>, keyof Stock>;

/** Our types of the fields that OpenAI's type also has. */
type Shared<Ours, Stock> = Pick<Named<Ours>, Extract<keyof Named<Ours>, keyof Stock>>;

/** Our extensions to OpenAI's type. Absent and undefined are the same on the wire. */
type Wrong<Ours, Stock> = {
  [Field in keyof Ours & keyof Stock]: Exclude<Ours[Field], undefined> extends Stock[Field]
    ? never
    : Field;
}[keyof Ours & keyof Stock];

/** The fields of which we take only some values. */
type Narrowed =
  | "input"
  | "tools"
  | "tool_choice"
  | "include"
  | "background"
  | "top_logprobs"
  | "conversation"
  | "prompt"
  | "context_management"
  | "moderation"
  | "access_programs"
  | "text";

it("accepts the requests of the stock client and adds only citations", () => {
  type Body = z.input<typeof ResponsesRequest>;
  type Chat =
    | "messages"
    | "n"
    | "max_tokens"
    | "max_completion_tokens"
    | "response_format"
    | "functions"
    | "function_call";
  // OpenResponses has these.
  type Penalty = "presence_penalty" | "frequency_penalty";
  expectTypeOf<Omit<Params, Narrowed>>().toExtend<Omit<Shared<Body, Params>, Narrowed | "model">>();
  expectTypeOf<Exclude<Own<Body, Params>, Chat | Penalty>>().toEqualTypeOf<"citations">();
});

it("accepts the stock client's messages, calls, outputs and tools", () => {
  type Taken = z.input<typeof InputItem>;
  expectTypeOf<OpenAI.Responses.ResponseFunctionToolCall>().toExtend<Named<Taken>>();
  expectTypeOf<OpenAI.Responses.ResponseOutputMessage>().toExtend<Named<Taken>>();
  expectTypeOf<OpenAI.Responses.ResponseReasoningItem>().toExtend<Named<Taken>>();
  expectTypeOf<OpenAI.Responses.ResponseFileSearchToolCall>().toExtend<Named<Taken>>();
  expectTypeOf<OpenAI.Responses.FunctionTool>().toExtend<Named<z.input<typeof Tool>>>();
  expectTypeOf<{
    type: "file_search";
    vector_store_ids: string[];
    max_num_results: number;
    ranking_options: { ranker: "auto"; score_threshold: number };
  }>().toExtend<OpenAI.Responses.FileSearchTool & Named<z.input<typeof Tool>>>();
});

type Repeated = "tools" | "tool_choice" | "text" | "reasoning" | "service_tier";

it("returns OpenAI's response, with additional fields", () => {
  // Items are compared one by one below; the others repeat what the caller sent.
  type Checked = Omit<ResponseObject, "output" | "usage" | Repeated>;
  expectTypeOf<Wrong<Shared<Checked, Theirs>, Theirs>>().toBeNever();
  // The client adds `output_text`.
  type Required = keyof { [F in keyof Theirs as undefined extends Theirs[F] ? never : F]: F };
  expectTypeOf<Exclude<Required, keyof ResponseObject>>().toEqualTypeOf<"output_text">();
  expectTypeOf<Own<ResponseObject, Theirs>>().toEqualTypeOf<
    | "citations"
    | "retrieval"
    | "verification"
    | "warnings"
    | "store"
    | "presence_penalty"
    | "frequency_penalty"
  >();
  expectTypeOf<Own<ResponseSettings, Theirs>>().toEqualTypeOf<
    "presence_penalty" | "frequency_penalty"
  >();
  expectTypeOf<ResponseUsage>().toExtend<OpenAI.Responses.ResponseUsage>();
  expectTypeOf<Own<ResponseUsage, OpenAI.Responses.ResponseUsage>>().toEqualTypeOf<
    "cost" | "cost_usd"
  >();
  expectTypeOf<MessageItem>().toExtend<OpenAI.Responses.ResponseOutputMessage>();
  expectTypeOf<
    Extract<CallItem, { type: "function_call" }>
  >().toExtend<OpenAI.Responses.ResponseFunctionToolCall>();
  expectTypeOf<
    Extract<CallItem, { type: "custom_tool_call" }>
  >().toExtend<OpenAI.Responses.ResponseCustomToolCall>();
  expectTypeOf<SearchItem>().toExtend<OpenAI.Responses.ResponseFileSearchToolCall>();
  expectTypeOf<Annotation>().toExtend<OpenAI.Responses.ResponseOutputText["annotations"][number]>();
  expectTypeOf<MessageItem | CallItem | SearchItem>().toExtend<Items>();
});

it("sends OpenAI's events", () => {
  type Stock = OpenAI.Responses.ResponseStreamEvent;
  type Lifecycle = Extract<EventBody, { response: unknown }>;
  expectTypeOf<EventBody["type"]>().toExtend<Stock["type"]>();
  expectTypeOf<Exclude<ResponseEvent, { response: unknown }>>().toExtend<Stock>();
  expectTypeOf<Lifecycle["type"]>().toExtend<Extract<Stock, { response: unknown }>["type"]>();
});
