import * as z from "zod";
import { Annotation, OutputItem, OutputPart, ResponseObject } from "./response-schema";

const ofItem = { item_id: z.string(), output_index: z.number() };
const ofPart = { ...ofItem, content_index: z.number() };
const logprobs = z.array(z.never());

/** What an event says, without its number in the stream. The names are OpenAI's. */
const bodies = [
  z.object({
    type: z.enum([
      "response.created",
      "response.in_progress",
      "response.completed",
      "response.incomplete",
      "response.failed",
    ]),
    response: ResponseObject,
  }),
  z.object({
    type: z.enum(["response.output_item.added", "response.output_item.done"]),
    output_index: z.number(),
    item: OutputItem,
  }),
  z.object({
    type: z.enum([
      "response.file_search_call.in_progress",
      "response.file_search_call.searching",
      "response.file_search_call.completed",
    ]),
    ...ofItem,
  }),
  z.object({
    type: z.enum(["response.content_part.added", "response.content_part.done"]),
    part: OutputPart,
    ...ofPart,
  }),
  z.object({
    type: z.literal("response.output_text.delta"),
    delta: z.string(),
    logprobs,
    ...ofPart,
  }),
  z.object({ type: z.literal("response.output_text.done"), text: z.string(), logprobs, ...ofPart }),
  z.object({
    type: z.literal("response.output_text.annotation.added"),
    annotation: Annotation,
    annotation_index: z.number(),
    ...ofPart,
  }),
  z.object({ type: z.literal("response.refusal.delta"), delta: z.string(), ...ofPart }),
  z.object({ type: z.literal("response.refusal.done"), refusal: z.string(), ...ofPart }),
  z.object({
    type: z.literal("response.function_call_arguments.delta"),
    delta: z.string(),
    ...ofItem,
  }),
  z.object({
    type: z.literal("response.function_call_arguments.done"),
    name: z.string(),
    arguments: z.string(),
    ...ofItem,
  }),
  z.object({
    type: z.literal("response.custom_tool_call_input.delta"),
    delta: z.string(),
    ...ofItem,
  }),
  z.object({
    type: z.literal("response.custom_tool_call_input.done"),
    input: z.string(),
    ...ofItem,
  }),
  z.object({
    type: z.literal("error"),
    code: z.string(),
    message: z.string(),
    param: z.string().nullable(),
  }),
] as const;

export const EventBody = z.discriminatedUnion("type", bodies);
export type EventBody = z.infer<typeof EventBody>;

const [first, ...others] = bodies.map((body) => body.extend({ sequence_number: z.number() }));

/** One event of a stream, numbered from 0. */
export const ResponseEvent = z.discriminatedUnion("type", [first as typeof first & {}, ...others]);
export type ResponseEvent = EventBody & { sequence_number: number };
