import { setImmediate } from "node:timers/promises";
import { yieldIfLong } from "@/lib/event-loop";
import { newId } from "@/lib/id";
import { countPromptTokens, toUsage } from "@/lib/models/message-tokens";
import {
  type ChatMessage,
  type ChatModel,
  type CompletionChunk,
  type ModelRequest,
  type ModelUsage,
  textOf,
} from "@/lib/models/schema";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { countTokens, takeTokens } from "@/lib/text/tokens";
import { type Asked, answerFrom, noAnswerTo } from "./answer";
import { CHAT_FIELDS, type FieldNames } from "./fields";
import replies from "./replies.json" with { type: "json" };
import { wantsJsonObject } from "./unsupported";

interface Answer {
  message: { content: string; refusal: null };
  /** The content as a stream sends it. */
  pieces: readonly string[];
  finishReason: "stop" | "length";
  count: number;
  usage: ModelUsage;
}

/** Yields to the event loop after this many pieces. */
const PIECES_PER_TURN = 32;
/** A word with the blanks before it. Long runs without blanks, as in Chinese, are split. */
const PIECE = /\s*\S{1,24}|\s+$/gu;

/** A model that knows its whole answer before it sends any of it. */
export function immediateModel(
  answerOf: (request: ModelRequest) => Answer | Promise<Answer>,
): ChatModel {
  return {
    complete: async (request, signal) => {
      signal.throwIfAborted();
      const { message, finishReason, count, usage } = await answerOf(request);
      return {
        ...frameOf(request),
        object: "chat.completion",
        choices: Array.from({ length: count }, (_, index) => ({
          index,
          finish_reason: finishReason,
          message: { role: "assistant", ...message },
          logprobs: null,
        })),
        usage,
      };
    },
    stream: async (request, signal) => {
      signal.throwIfAborted();
      return chunksOf(request, await answerOf(request), signal);
    },
  };
}

/**
 * The built-in model: quotes the sentences of the sources that answer the question, or says that none does. It reads no
 * source from the messages: callers write those. Null sources: the request didn't ask for any, or the search failed.
 */
export function createExtractModel(
  sources: readonly DelimitedSource[] | null,
  asked: Partial<Asked> = {},
  fields: FieldNames = CHAT_FIELDS,
): ChatModel {
  return immediateModel(async (request) => {
    const answer = sources
      ? answerFrom(sources, { ...lastOf(request.messages), ...asked })
      : withoutSources(fields);
    const whole = inFormat(cutAtStop(answer, request.stop), request);
    const { max_tokens, max_completion_tokens } = request;
    const unlimited = Number.POSITIVE_INFINITY;
    const content = takeTokens(
      whole,
      Math.min(max_tokens ?? unlimited, max_completion_tokens ?? unlimited),
    );
    const count = Math.max(1, request.n ?? 1);
    return {
      message: { content, refusal: null },
      pieces: content.match(PIECE) ?? [],
      finishReason: content === whole ? "stop" : "length",
      count,
      usage: toUsage(
        await countPromptTokens({ model: request.model, messages: request.messages }),
        countTokens(content) * count,
      ),
    };
  });
}

/** Answers in place of a model when the search found nothing and the request wants only answers from sources. */
export const abstainingModel = immediateModel((request) => {
  const content = inFormat(noAnswerTo(lastOf(request.messages).question), request);
  return {
    message: { content, refusal: null },
    pieces: [content],
    finishReason: "stop",
    count: request.n ?? 1,
    usage: toUsage(0, 0),
  };
});

function withoutSources({ search }: FieldNames): string {
  return search ? replies.noSources.replace("{search}", search) : replies.failedSearch;
}

/** A text as the request wants it: with `response_format` json_object, the `answer` of an object. */
function inFormat(text: string, request: ModelRequest): string {
  return wantsJsonObject(request) ? JSON.stringify({ answer: text }) : text;
}

/** The last user message, as it is searched unless the caller says otherwise. */
function lastOf(messages: readonly ChatMessage[]): Asked {
  const last = messages.findLast(({ role }) => role === "user");
  return { question: last ? textOf(last.content) : "", dependsOnConversation: false };
}

function cutAtStop(text: string, stop: ModelRequest["stop"]): string {
  const places = [stop ?? []]
    .flat()
    .filter((mark) => mark !== "")
    .map((mark) => text.indexOf(mark))
    .filter((place) => place >= 0);
  return text.slice(0, Math.min(text.length, ...places));
}

async function* chunksOf(
  request: ModelRequest,
  { pieces, finishReason, count, usage }: Answer,
  signal: AbortSignal,
): AsyncGenerator<CompletionChunk> {
  const frame = { ...frameOf(request), object: "chat.completion.chunk" as const };
  const includesUsage = request.stream_options?.include_usage;
  const steps: Pick<CompletionChunk["choices"][number], "delta" | "finish_reason">[] = [
    { delta: { role: "assistant", content: "" }, finish_reason: null },
    ...pieces.map((content) => ({ delta: { content }, finish_reason: null })),
    { delta: {}, finish_reason: finishReason },
  ];
  for (const [at, step] of steps.entries()) {
    if (at % PIECES_PER_TURN === PIECES_PER_TURN - 1) {
      await setImmediate();
    }
    for (let index = 0; index < count; index += 1) {
      await yieldIfLong();
      signal.throwIfAborted();
      yield { ...frame, choices: [{ index, ...step }], ...(includesUsage && { usage: null }) };
    }
  }
  if (includesUsage) {
    yield { ...frame, choices: [], usage };
  }
}

function frameOf({ model }: ModelRequest) {
  return { id: newId("completion"), created: Math.floor(Date.now() / 1000), model };
}
