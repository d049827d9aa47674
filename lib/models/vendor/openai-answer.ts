import { createHash, randomUUID } from "node:crypto";
import type * as z from "zod";
import type { ChunkDelta, Completion, UpstreamCompletion } from "../schema";
import { malformed } from "./upstream-error";

type Fields = Record<string, unknown>;

/** What other servers call the reasons of OpenAI's list. Those of an ordinary end, and unknown ones, follow from the answer. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  max_new_tokens: "length",
  max_length: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  tool_calls: "tool_calls",
  tool_call: "tool_calls",
  tool_use: "tool_calls",
  function_call: "tool_calls",
  content_filter: "content_filter",
  content_filtered: "content_filter",
  guardrail_intervened: "content_filter",
  refusal: "content_filter",
  safety: "content_filter",
  recitation: "content_filter",
  blocklist: "content_filter",
  prohibited_content: "content_filter",
  spii: "content_filter",
};

/** The reason as OpenAI gives it for an answer with these calls, even where an upstream says "stop". */
export function finishReasonOf(
  reason: unknown,
  { hasCalls, hasFunctionCall }: { hasCalls: boolean; hasFunctionCall: boolean },
): string {
  const called = hasFunctionCall && !hasCalls ? "function_call" : "tool_calls";
  const known = specificReason(reason) ?? (hasCalls || hasFunctionCall ? called : "stop");
  return known === "tool_calls" ? called : known;
}

/** Null for an ordinary end. */
export function specificReason(reason: unknown): string | null {
  const name = typeof reason === "string" ? reason.toLowerCase() : "";
  return Object.hasOwn(FINISH_REASONS, name) ? (FINISH_REASONS[name] ?? null) : null;
}

/** An id for a call that has none: the same for the same call of the same answer, plain or streamed. */
export function createCallIds(answerId: unknown): (choice: number, call: number) => string {
  const answer = typeof answerId === "string" && answerId !== "" ? answerId : randomUUID();
  return (choice, call) => {
    const digest = createHash("sha256").update(`${answer}\0${choice}\0${call}`).digest("hex");
    return `call_${digest.slice(0, 24)}`;
  };
}

/** Upstreams say "function" by default. A tool of type "custom" has a text as input. */
export function kindOf({ type, custom }: Fields): "function" | "custom" {
  return type === "custom" || isFields(custom) ? "custom" : "function";
}

export function argumentsName(kind: "function" | "custom"): "arguments" | "input" {
  return kind === "custom" ? "input" : "arguments";
}

/** Arguments are JSON text; some servers send the object itself. */
export function toArguments(value: unknown): string {
  if (value === null || value === undefined) {
    return "";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A message's or a delta's text, reasoning and refusal, of content that may be a list of parts. */
export function withPlainContent<T extends Fields>(said: T): T {
  const { content } = said;
  if (content === undefined || content === null || typeof content === "string") {
    return said;
  }
  if (typeof content !== "object") {
    throw malformed();
  }
  const { text, reasoning, refusal } = readParts(Array.isArray(content) ? content : [content]);
  return {
    ...said,
    content: text,
    ...(reasoning !== null && {
      reasoning_content: joined(said.reasoning_content, reasoning),
    }),
    ...(refusal !== null && { refusal: joined(said.refusal, refusal) }),
  };
}

interface Parts {
  text: string | null;
  reasoning: string | null;
  refusal: string | null;
}

function readParts(parts: readonly unknown[]): Parts {
  const read: Parts = { text: null, reasoning: null, refusal: null };
  for (const part of parts) {
    const { type, text, thinking, reasoning, refusal } = isFields(part) ? part : toTextPart(part);
    if (type === "thinking" || type === "reasoning") {
      read.reasoning = joined(read.reasoning, textOf(thinking ?? reasoning ?? text));
    } else {
      if (type === "text" && typeof text !== "string") {
        throw malformed();
      }
      read.text = joined(read.text, text);
      read.refusal = joined(read.refusal, refusal);
    }
  }
  return read;
}

function toTextPart(text: unknown): Fields {
  return { type: "text", text };
}

/** Thoughts are a text, or parts themselves. */
function textOf(value: unknown): unknown {
  return Array.isArray(value) ? readParts(value).text : value;
}

function joined(before: unknown, text: unknown): string | null {
  const start = typeof before === "string" ? before : null;
  return typeof text === "string" ? (start ?? "") + text : start;
}

/** The calls of a plain message, each whole. */
function toCalls(calls: unknown, idOf: (call: number) => string): Fields[] {
  return listOf(calls)
    .filter(isFields)
    .map(({ index: _index, ...call }, at) => {
      const kind = kindOf(call);
      const { name, ...called } = isFields(call[kind]) ? call[kind] : {};
      const field = argumentsName(kind);
      const written = toArguments(called[field]);
      return {
        ...call,
        id: idFrom(call) ?? idOf(at),
        type: kind,
        [kind]: {
          ...called,
          name: typeof name === "string" ? name : "",
          [field]: written === "" && kind === "function" ? "{}" : written,
        },
      };
    });
}

export function idFrom({ id }: Fields): string | null {
  return typeof id === "string" && id !== "" ? id : null;
}

/** One call may come without the list around it. */
export function listOf(value: unknown): unknown[] {
  return [value ?? []].flat();
}

/** The deprecated single call, with its arguments as text. */
export function withFunctionCall<T extends Fields>(said: T): T {
  const { function_call: call } = said;
  return isFields(call) && typeof call.arguments === "object"
    ? { ...said, function_call: { ...call, arguments: toArguments(call.arguments) } }
    : said;
}

/** An upstream's completion as OpenAI would send it. */
export function toOpenAiCompletion(answer: z.output<typeof UpstreamCompletion>): Completion {
  const idOf = createCallIds(answer.id);
  const created = typeof answer.created === "number" ? answer.created : Date.now() / 1000;
  const choices = answer.choices.map(({ message, ...choice }, position) => {
    const index = choice.index ?? position;
    const { tool_calls, ...said } = withFunctionCall(withPlainContent(message));
    const calls = toCalls(tool_calls, (call) => idOf(index, call));
    const has = { hasCalls: calls.length > 0, hasFunctionCall: isFields(said.function_call) };
    return {
      ...choice,
      index,
      finish_reason: finishReasonOf(choice.finish_reason, has),
      logprobs: choice.logprobs ?? null,
      message: {
        ...said,
        role: "assistant" as const,
        content: said.content ?? null,
        refusal: said.refusal ?? null,
        ...(has.hasCalls && { tool_calls: calls }),
      },
    };
  });
  return { ...answer, created: Math.floor(created), choices } as object as Completion;
}

/** Usage under OpenAI's names, where other servers have it under others or elsewhere. */
export function withUsage(answer: unknown): unknown {
  if (!isFields(answer)) {
    return answer;
  }
  const { usage, x_groq: groq } = answer;
  const found = usage ?? (isFields(groq) ? groq.usage : null);
  if (!isFields(found) || (found === usage && found.prompt_tokens !== undefined)) {
    return answer;
  }
  const { input_tokens: prompt_tokens, output_tokens: completion_tokens, ...others } = found;
  return { ...answer, usage: { prompt_tokens, completion_tokens, ...others } };
}

/** Whether a delta needs no reading: text alone, as almost all are. */
export function isPlainDelta({ content, tool_calls, function_call }: ChunkDelta): boolean {
  return (
    tool_calls === undefined &&
    function_call === undefined &&
    (typeof content === "string" || content === undefined || content === null)
  );
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
