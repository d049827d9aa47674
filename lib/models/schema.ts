import * as z from "zod";

const ContentPart = z.looseObject({ type: z.string(), text: z.string().optional() });

/** An OpenAI message. Unknown fields pass through unchanged. */
export const ChatMessage = z.looseObject({
  role: z.enum(["developer", "system", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(ContentPart), z.null()]).optional(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** An OpenAI chat completion request without Footnote's own fields. */
export interface ModelRequest {
  model: string;
  messages: ChatMessage[];
  n?: number | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  stop?: string | string[] | null;
  stream_options?: { include_usage?: boolean | null; [field: string]: unknown } | null;
  [field: string]: unknown;
}

export interface ModelUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [field: string]: unknown;
}

export interface Completion {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: {
    index: number;
    finish_reason: string;
    message: { role: "assistant"; content: string | null; [field: string]: unknown };
    [field: string]: unknown;
  }[];
  usage?: ModelUsage;
  [field: string]: unknown;
}

export interface ChunkDelta {
  role?: string;
  content?: string | null;
  [field: string]: unknown;
}

export interface CompletionChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: {
    index: number;
    finish_reason: string | null;
    delta: ChunkDelta;
    [field: string]: unknown;
  }[];
  usage?: ModelUsage | null;
  [field: string]: unknown;
}

/** What a model's call reports as it proceeds. */
export interface CallEvents {
  /** Called when an upstream has accepted a request for a stream, before its first chunk. */
  onAccepted?: () => void;
}

type Call<T, Events> = (request: ModelRequest, signal: AbortSignal, events?: Events) => Promise<T>;

/** Any model. `stream` resolves with the first chunk in hand; before it, retries and the fallback apply. Both throw AppError. */
export interface ChatModel<Events = CallEvents> {
  complete: Call<Completion, Events>;
  stream: Call<AsyncIterable<CompletionChunk>, Events>;
}

const tokenCount = z.int().min(0).max(100_000_000);

/** Null if incomplete; tokens are then counted locally. */
export const ReportedUsage = z
  .looseObject({ prompt_tokens: tokenCount, completion_tokens: tokenCount })
  .transform((usage) => ({
    ...usage,
    total_tokens: usage.prompt_tokens + usage.completion_tokens,
  }))
  .nullish()
  .catch(null);

const choice = {
  index: z.int().min(0).optional(),
  finish_reason: z.unknown().optional(),
};
const said = z.looseObject({});

/** The required parts of an upstream's completion, before it has OpenAI's form; anything else passes through. */
export const UpstreamCompletion = z.looseObject({
  choices: z.array(z.looseObject({ ...choice, message: said })).min(1),
  usage: ReportedUsage,
});

/** The required parts of an upstream's chunk. */
export const UpstreamChunk = z.looseObject({
  choices: z.array(z.looseObject({ ...choice, delta: said.nullish() })).nullish(),
  usage: ReportedUsage,
});

/** A message's string content, or its text parts joined. */
export function textOf(content: ChatMessage["content"]): string {
  if (typeof content === "string") {
    return content;
  }
  return (content ?? []).flatMap((part) => part.text ?? []).join("\n");
}
