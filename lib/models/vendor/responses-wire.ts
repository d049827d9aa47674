import * as z from "zod";
import { toChatTerms, toResponsesBody } from "./responses-request";
import { malformed } from "./upstream-error";
import type { Wire } from "./wire";

/** OpenAI's Responses API, for upstreams whose entry in MODELS says so. */
export const responsesWire: Wire = {
  path: "responses",
  toBody: toResponsesBody,
  toRequestTerms: toChatTerms,
  toCompletion: (answer) => {
    const { data } = Answer.safeParse(answer);
    return data && data.status !== "failed" ? toCompletion(data) : null;
  },
  toUsage: (value) => {
    const { data } = Reporting.safeParse(value);
    return data ? (usageOf(data.response ?? data).usage ?? null) : null;
  },
  createReader,
};

const Usage = z.looseObject({
  input_tokens: z.unknown().optional(),
  output_tokens: z.unknown().optional(),
  input_tokens_details: z.unknown().optional(),
  output_tokens_details: z.unknown().optional(),
});

const CallItem = z.looseObject({
  type: z.literal("function_call"),
  /** Some servers have the item's id alone, or none. */
  call_id: z.string().nullish(),
  id: z.string().nullish(),
  name: z.string(),
  /** JSON text, or the object itself. */
  arguments: z.unknown().optional(),
  extra_content: z.unknown().optional(),
});
type CallItem = z.output<typeof CallItem>;
const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  refusal: z.string().optional(),
});
const MessageItem = z.looseObject({ type: z.literal("message"), content: z.array(Part) });
/** Reasoning, and whatever else is no part of the answer. */
const OtherItem = z.looseObject({ type: z.string() });

const Answer = z.looseObject({
  id: z.string(),
  created_at: z.number().default(0),
  model: z.string().default(""),
  status: z.string().optional(),
  incomplete_details: z.looseObject({ reason: z.string().optional() }).nullish(),
  output: z.array(z.union([CallItem, MessageItem, OtherItem])),
  usage: Usage.nullish(),
  service_tier: z.unknown().optional(),
});
type Answer = z.output<typeof Answer>;

function toCompletion(answer: Answer) {
  const calls = answer.output.flatMap((item) => CallItem.safeParse(item).data ?? []);
  const parts = answer.output.flatMap((item) => MessageItem.safeParse(item).data?.content ?? []);
  const text = parts.map((part) => part.text ?? "").join("");
  const refusal = parts.map((part) => part.refusal ?? "").join("");
  const message = {
    role: "assistant",
    content: text === "" && (calls.length > 0 || refusal !== "") ? null : text,
    refusal: refusal || null,
    ...(calls.length > 0 && {
      tool_calls: calls.map(toToolCall),
    }),
  };
  return {
    ...frameOf(answer),
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finishOf(answer, calls.length > 0) }],
    ...usageOf(answer),
  };
}

function toToolCall({ call_id, id, name, arguments: given, extra_content }: CallItem) {
  return {
    id: call_id ?? id,
    type: "function",
    function: { name, arguments: given },
    ...(extra_content !== undefined && { extra_content }),
  };
}

function frameOf({ id, created_at: created, model, service_tier }: Answer) {
  return { id, created, model, ...(typeof service_tier === "string" && { service_tier }) };
}

function finishOf({ status, incomplete_details: details }: Answer, hasCalls: boolean): string {
  if (status === "incomplete") {
    return details?.reason === "content_filter" ? "content_filter" : "length";
  }
  return hasCalls ? "tool_calls" : "stop";
}

/** An answer, or the event that ends one. */
const Reporting = z.looseObject({
  usage: Usage.nullish(),
  response: z.looseObject({ usage: Usage.nullish() }).nullish(),
});

function usageOf({ usage }: Pick<Answer, "usage">) {
  return usage
    ? {
        usage: {
          prompt_tokens: usage.input_tokens,
          completion_tokens: usage.output_tokens,
          prompt_tokens_details: usage.input_tokens_details,
          completion_tokens_details: usage.output_tokens_details,
        },
      }
    : {};
}

const Lifecycle = z.looseObject({ response: Answer });
const Delta = z.looseObject({ delta: z.string() });
const ItemEvent = z.looseObject({ output_index: z.number(), item: z.union([CallItem, OtherItem]) });
const ArgumentsDelta = z.looseObject({ output_index: z.number(), delta: z.string() });
const Failed = z.looseObject({ response: z.looseObject({ error: z.unknown().optional() }) });

/** A stream's events, and what each adds to the chunks. Others add nothing. */
function createReader() {
  let frame: object = { id: "", created: 0, model: "" };
  const calls = createCallReader();
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{ ...frame, object: "chat.completion.chunk" },
    choices: [{ index: 0, delta, finish_reason }],
  });
  const begin = (event: unknown) => {
    frame = frameOf(read(Lifecycle, event).response);
    return [chunk({ role: "assistant", content: "" })];
  };
  const end = (event: unknown) => {
    const { response } = read(Lifecycle, event);
    frame = frameOf(response);
    const usage = { ...chunk({}), choices: [], ...usageOf(response) };
    return [chunk({}, finishOf(response, calls.hasAny())), usage];
  };
  const readers: Readonly<Record<string, (event: unknown) => unknown[]>> = {
    "response.created": begin,
    "response.output_text.delta": (event) => [chunk({ content: read(Delta, event).delta })],
    "response.refusal.delta": (event) => [chunk({ refusal: read(Delta, event).delta })],
    "response.output_item.added": (event) => calls.begin(event).map((delta) => chunk(delta)),
    "response.function_call_arguments.delta": (event) =>
      calls.extend(event).map((delta) => chunk(delta)),
    "response.output_item.done": (event) => calls.finish(event).map((delta) => chunk(delta)),
    "response.completed": end,
    "response.incomplete": end,
    "response.failed": (event) => [{ error: read(Failed, event).response.error ?? {} }],
    error: (event) => [{ error: event }],
  };
  return (event: unknown) => {
    const type = z.looseObject({ type: z.string() }).safeParse(event).data?.type ?? "";
    return Object.hasOwn(readers, type) ? (readers[type]?.(event) ?? []) : [];
  };
}

/** Chunks number calls by themselves, events by their place in the output. Events of items that are no calls give nothing. */
function createCallReader() {
  const begun = new Map<number, { index: number; isWritten: boolean }>();
  const callIn = (event: unknown) => {
    const { output_index: place, item } = read(ItemEvent, event);
    return { place, item: CallItem.safeParse(item).data };
  };
  const begin = (place: number, item: CallItem) => {
    const index = begun.size;
    begun.set(place, { index, isWritten: Boolean(item.arguments) });
    return [{ tool_calls: [{ index, ...toToolCall(item) }] }];
  };
  const write = (place: number, written: unknown) => {
    const call = begun.get(place);
    if (!call || !written) {
      return [];
    }
    call.isWritten = true;
    return [{ tool_calls: [{ index: call.index, function: { arguments: written } }] }];
  };
  return {
    hasAny: () => begun.size > 0,
    begin(event: unknown) {
      const { place, item } = callIn(event);
      return item && !begun.has(place) ? begin(place, item) : [];
    },
    extend(event: unknown) {
      const { output_index: place, delta } = read(ArgumentsDelta, event);
      return write(place, delta);
    },
    /** Some servers send calls and their arguments only when they are done. */
    finish(event: unknown) {
      const { place, item } = callIn(event);
      if (!item) {
        return [];
      }
      const call = begun.get(place);
      return call ? write(place, call.isWritten ? "" : item.arguments) : begin(place, item);
    },
  };
}

function read<S extends z.ZodType>(schema: S, event: unknown): z.output<S> {
  const { data } = schema.safeParse(event);
  if (!data) {
    throw malformed();
  }
  return data;
}
