import * as z from "zod";
import { COPIES_STAY } from "@/lib/answers/chat/stored-schema";
import {
  Citation,
  Judged,
  SourceQuote,
  UrlCitation,
  Verdict,
  Verification,
  Warning,
} from "@/lib/answers/citations/schema";
import { Retrieval } from "@/lib/library/retrieval/schema";
import { openAIPageOf } from "@/lib/platform/http/list-page";
import { Reasoning, TextConfig } from "./schema";
import { Tool, ToolChoice } from "./tool-schema";

const span = UrlCitation.shape.url_citation.shape;

/** What both kinds of annotations add to OpenAI's: indexes are Unicode code points of the text, end exclusive. */
const CitedEvidence = {
  start_index: z.number(),
  end_index: z.number(),
  citation_id: span.citation_id.describe("The number of the cited source in the text."),
  claim: span.claim,
  extended: span.extended,
  path: span.path,
  verdict: Verdict.nullable(),
  verification: Judged.optional().describe("Absent with `verify: 'off'`."),
  quote: SourceQuote.nullable()
    .optional()
    .describe("The supporting words; null when there are none, absent with `quotes: false`."),
  page: z.number().nullable(),
  permalink: z.string().nullable(),
};

/** One marker in the text, and the document it cites. `index` is its position. */
const FileCitation = z.looseObject({
  type: z.literal("file_citation"),
  file_id: z.string(),
  filename: z.string(),
  index: z.number(),
  ...CitedEvidence,
});

/** The same marker, when the document has a public address. */
const WebCitation = z.looseObject({
  type: z.literal("url_citation"),
  start_index: z.number(),
  end_index: z.number(),
  title: z.string(),
  url: z.string(),
});

export const Annotation = z.discriminatedUnion("type", [FileCitation, WebCitation]);
export type Annotation = z.infer<typeof Annotation>;

export const ItemStatus = z.enum(["in_progress", "completed", "incomplete"]);
export type ItemStatus = z.infer<typeof ItemStatus>;

export const OutputPart = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("output_text"),
    text: z.string(),
    annotations: z.array(Annotation),
    logprobs: z.array(z.never()),
  }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
]);
export type OutputPart = z.infer<typeof OutputPart>;

export const MessageItem = z.looseObject({
  type: z.literal("message"),
  id: z.string(),
  role: z.literal("assistant"),
  status: ItemStatus,
  content: z.array(OutputPart),
});
export type MessageItem = z.infer<typeof MessageItem>;

const call = {
  id: z.string(),
  call_id: z.string(),
  name: z.string(),
  namespace: z.string().optional().describe("Of a function that was declared in a namespace."),
  extra_content: z
    .unknown()
    .optional()
    .describe(
      "What the model's provider wants back with the call, such as Gemini's thought signature.",
    ),
};

const FunctionCallItem = z.looseObject({
  type: z.literal("function_call"),
  ...call,
  arguments: z.string(),
  status: ItemStatus,
});

const CustomCallItem = z.looseObject({
  type: z.literal("custom_tool_call"),
  ...call,
  input: z.string(),
  status: ItemStatus,
});

export const CallItem = z.discriminatedUnion("type", [FunctionCallItem, CustomCallItem]);
export type CallItem = z.infer<typeof CallItem>;

/** The search, which runs once and before the model answers. */
export const SearchItem = z.looseObject({
  type: z.literal("file_search_call"),
  id: z.string(),
  status: z
    .enum(["in_progress", "completed", "failed"])
    .describe("`failed`: retrieval wasn't available, and the answer has no sources."),
  queries: z.array(z.string()),
  /** With `include: ["file_search_call.results"]`. */
  results: z
    .array(
      z.object({
        file_id: z.string(),
        filename: z.string(),
        score: z.number(),
        text: z.string().describe("The passage; an excerpt of it in a stored response."),
        attributes: z
          .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
          .describe("citation_id, scope, page, link, verdict and more."),
      }),
    )
    .nullable(),
});
export type SearchItem = z.infer<typeof SearchItem>;

export const OutputItem = z.discriminatedUnion("type", [
  SearchItem,
  MessageItem,
  FunctionCallItem,
  CustomCallItem,
]);
export type OutputItem = z.infer<typeof OutputItem>;

/** The fields of a request that its response repeats. */
export const ResponseSettings = z.object({
  frequency_penalty: z.number(),
  instructions: z.string().nullable(),
  max_output_tokens: z.number().nullable(),
  max_tool_calls: z.number().nullable(),
  parallel_tool_calls: z.boolean(),
  presence_penalty: z.number(),
  previous_response_id: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
  reasoning: Reasoning.nullable(),
  safety_identifier: z.string().nullable(),
  service_tier: z.string(),
  temperature: z.number(),
  text: TextConfig,
  tool_choice: ToolChoice,
  tools: z.array(Tool),
  top_p: z.number(),
  user: z.string().optional(),
});
export type ResponseSettings = z.infer<typeof ResponseSettings>;

export const ResponseUsage = z.looseObject({
  input_tokens: z.number(),
  input_tokens_details: z.object({ cached_tokens: z.number(), cache_write_tokens: z.number() }),
  output_tokens: z.number(),
  output_tokens_details: z.object({ reasoning_tokens: z.number() }),
  total_tokens: z.number(),
  cost_usd: z
    .string()
    .optional()
    .describe("Absent from a stored response once its usage record is deleted."),
  cost: z.number().optional().describe("`cost_usd` as a number, for clients that know this name."),
});
export type ResponseUsage = z.infer<typeof ResponseUsage>;

/** OpenAI's response with Footnote's fields. */
export const ResponseObject = ResponseSettings.extend({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.number(),
  status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
  completed_at: z.number().nullable().describe("Null unless the response is complete."),
  access_programs: z.null(),
  background: z.literal(false),
  error: z
    .object({
      code: z.enum(["server_error", "rate_limit_exceeded", "invalid_prompt"]),
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
    })
    .nullable(),
  incomplete_details: z
    .object({ reason: z.enum(["max_output_tokens", "content_filter"]) })
    .nullable(),
  metadata: z.record(z.string(), z.string()),
  model: z.string(),
  output: z.array(OutputItem),
  store: z.boolean().describe("Whether the response can be read again."),
  top_logprobs: z.literal(0),
  truncation: z.literal("disabled"),
  usage: ResponseUsage.nullable().describe("Null until the response has ended."),
  citations: z
    .array(Citation)
    .optional()
    .describe("Present when retrieval ran; empty when it found nothing."),
  retrieval: Retrieval.optional().describe("Present when retrieval ran."),
  verification: Verification.optional().describe(
    "Present when the answer was checked against its sources.",
  ),
  warnings: z.array(Warning).optional(),
});
export type ResponseObject = z.infer<typeof ResponseObject>;

export const DeletedResponse = z.object({
  id: z.string(),
  object: z.literal("response"),
  deleted: z.literal(true).describe(`Of this response alone. ${COPIES_STAY}`),
});
export type DeletedResponse = z.infer<typeof DeletedResponse>;

/** A turn of the conversation that led to a response. */
export const ConversationItem = z.looseObject({
  id: z.string(),
  type: z.enum(["message", "function_call", "custom_tool_call", "function_call_output"]),
  status: ItemStatus,
});
export type ConversationItem = z.infer<typeof ConversationItem>;

export const ItemPage = openAIPageOf(ConversationItem);
export type ItemPage = z.infer<typeof ItemPage>;
