import * as z from "zod";
import type { Completion, ModelUsage } from "@/lib/models/schema";
import { evidenceOf, ownFieldsOf, type SourceTexts, toSearchItems } from "./evidence";
import type {
  Annotation,
  CallItem,
  ItemStatus,
  MessageItem,
  OutputItem,
  ResponseObject,
  ResponseSettings,
  ResponseUsage,
} from "./response-schema";
import type { Tool } from "./tool-schema";
import { callablesByName } from "./tools";

/** What every form of one response has in common. */
export interface Frame {
  settings: ResponseSettings;
  metadata: Record<string, string>;
  isStored: boolean;
  /** Whether the search's results are included. */
  includesResults: boolean;
  /** When it ended, in seconds: the first time that it is asked for. */
  completedAt: () => number;
}

const COMPLETION = "chatcmpl-";
const RESPONSE = "resp_";

/** The id of a stored response. */
export const RESPONSE_ID = /^resp_[0-9a-z]{1,60}$/;

/** A response and its completion have one id, with different prefixes. */
export function responseIdOf(completionId: string): string {
  return RESPONSE + suffixOf(completionId);
}

export function completionIdOf(responseId: string): string {
  return COMPLETION + responseId.slice(RESPONSE.length);
}

export function suffixOf(completionId: string): string {
  return completionId.slice(COMPLETION.length);
}

/** A completion as a response. */
export function toResponse(
  completion: Completion,
  frame: Frame,
  texts: SourceTexts,
): ResponseObject {
  const [choice] = completion.choices;
  const message: Record<string, unknown> = choice?.message ?? {};
  const evidence = evidenceOf(completion, message);
  const ending = endingOf(choice?.finish_reason);
  const status = ending.status === "completed" ? "completed" : "incomplete";
  const suffix = suffixOf(completion.id);
  const { tools } = frame.settings;
  const calls = toCallItems(suffix, message.tool_calls, { status, tools });
  const spoken = {
    text: typeof message.content === "string" ? message.content : "",
    refusal: typeof message.refusal === "string" ? message.refusal : "",
    annotations: evidence.annotations,
    status,
  } as const;
  const output: OutputItem[] = [
    ...toSearchItems(suffix, evidence, frame.includesResults ? texts : null),
    ...(spoken.text || spoken.refusal || calls.length === 0 ? [toMessageItem(suffix, spoken)] : []),
    ...calls,
  ];
  const { id, created, model, usage } = completion;
  return {
    ...toFrame({ id, created, model }, frame),
    ...ending,
    completed_at: completedAt(ending, frame),
    output,
    usage: usage ? toResponseUsage(usage) : null,
    ...ownFieldsOf(evidence),
    ...(Array.isArray(completion.warnings) && { warnings: completion.warnings }),
  };
}

/** Null unless it is whole. */
export function completedAt(
  { status }: Pick<ResponseObject, "status">,
  frame: Pick<Frame, "completedAt">,
): number | null {
  return status === "completed" ? frame.completedAt() : null;
}

/** A response that has just begun. */
export function toFrame(
  { id, created, model }: Pick<Completion, "id" | "created" | "model">,
  { settings, metadata, isStored }: Frame,
): ResponseObject {
  return {
    id: responseIdOf(id),
    object: "response",
    created_at: created,
    completed_at: null,
    status: "in_progress",
    access_programs: null,
    background: false,
    error: null,
    incomplete_details: null,
    ...settings,
    metadata,
    model,
    output: [],
    store: isStored,
    top_logprobs: 0,
    truncation: "disabled",
    usage: null,
  };
}

export function endingOf(
  finish: string | undefined,
): Pick<ResponseObject, "status" | "incomplete_details"> {
  switch (finish) {
    case "length":
      return { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    case "content_filter":
      return { status: "incomplete", incomplete_details: { reason: "content_filter" } };
    default:
      return { status: "completed", incomplete_details: null };
  }
}

export function toMessageItem(
  suffix: string,
  {
    text,
    refusal,
    annotations,
    status,
  }: { text: string; refusal: string; annotations: Annotation[]; status: ItemStatus },
): MessageItem {
  return {
    id: `msg_${suffix}`,
    type: "message",
    role: "assistant",
    status,
    content: [
      ...(text || !refusal
        ? [{ type: "output_text" as const, text, annotations, logprobs: [] }]
        : []),
      ...(refusal ? [{ type: "refusal" as const, refusal }] : []),
    ],
  };
}

const Call = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.string() }),
  extra_content: z.unknown().optional(),
});

/** A call of chat completions, whole or as far as it has come. */
export interface ModelCall {
  id?: string | null | undefined;
  name: string;
  arguments: string;
  extra_content?: unknown;
}

export function toCallItems(
  suffix: string,
  calls: unknown,
  frame: { status: ItemStatus; tools: readonly Tool[] },
): CallItem[] {
  return (Array.isArray(calls) ? calls : []).flatMap((call, index) => {
    const { data } = Call.safeParse(call);
    const called = data && { ...data.function, id: data.id, extra_content: data.extra_content };
    return called ? [toCallItem(`${suffix}_${index}`, called, frame)] : [];
  });
}

/** As the tool was declared. An upstream that names no id gets one. */
export function toCallItem(
  suffix: string,
  { id, name: sentName, arguments: args, extra_content }: ModelCall,
  { status, tools }: { status: ItemStatus; tools: readonly Tool[] },
): CallItem {
  const callable = callablesByName(tools).get(sentName);
  const { name = sentName, namespace } = callable ?? {};
  const named = {
    call_id: id || `call_${suffix}`,
    name,
    ...(namespace && { namespace }),
    status,
    ...(extra_content !== undefined && { extra_content }),
  };
  return callable?.tool.type === "custom"
    ? { id: `ctc_${suffix}`, type: "custom_tool_call", ...named, input: inputOf(args) }
    : { id: `fc_${suffix}`, type: "function_call", ...named, arguments: args };
}

/** The text in the arguments of a custom tool. A model that writes it bare is understood as well. */
function inputOf(args: string): string {
  try {
    const { input } = JSON.parse(args);
    return typeof input === "string" ? input : args;
  } catch {
    return args;
  }
}

export function toResponseUsage({
  prompt_tokens,
  completion_tokens,
  total_tokens,
  prompt_tokens_details: input,
  completion_tokens_details: output,
  ...ours
}: ModelUsage): ResponseUsage {
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: {
      cached_tokens: countIn(input, "cached_tokens"),
      cache_write_tokens: countIn(input, "cache_write_tokens"),
    },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: countIn(output, "reasoning_tokens") },
    total_tokens,
    ...ours,
  };
}

function countIn(details: unknown, name: string): number {
  const value =
    typeof details === "object" && details !== null && name in details
      ? (details as Record<string, unknown>)[name]
      : 0;
  return typeof value === "number" ? value : 0;
}
