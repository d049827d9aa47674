import { setImmediate } from "node:timers/promises";
import { newId } from "@/lib/id";
import { countMessageTokens } from "@/lib/models/message-tokens";
import {
  type ChatMessage,
  type ChatModel,
  type Completion,
  type CompletionChunk,
  type ModelRequest,
  type ModelUsage,
  textOf,
} from "@/lib/models/schema";
import { type DelimitedSource, NO_SOURCES, parseDelimitedSources } from "@/lib/text/delimiters";
import { countTokens, takeTokens } from "@/lib/text/tokens";
import { compose } from "./compose";
import { readCorpus } from "./corpus";
import { readQuestion } from "./question";
import { select } from "./select";

interface Answer {
  text: string;
  finishReason: "stop" | "length";
  count: number;
  usage: ModelUsage;
}

type Frame = Pick<CompletionChunk, "id" | "created" | "model">;
type Delta = Pick<CompletionChunk["choices"][number], "delta" | "finish_reason">;

const NO_ANSWER = "The sources found do not answer this question.";
const ONLY_QUOTES =
  "I am an extractive model: I can only quote numbered sources, and this request has none. " +
  "Turn on `citations` to let me search a knowledge base, or choose another model.";
/** Bounds the work on a hand-written prompt; retrieval returns far fewer sources. */
const SOURCES = 50;
const SOURCE_CHARACTERS = 20_000;
/** Yields to the event loop after this many pieces. */
const PIECES_PER_TURN = 32;
/** A word with the blanks before it. Long runs without blanks, as in Chinese, are split. */
const PIECE = /\s*\S{1,24}|\s+$/gu;

/**
 * The built-in model. It answers by quoting the sentences of the numbered sources that best answer the last
 * user message, each with its marker, or says that none does.
 */
export function createExtractModel(): ChatModel {
  return {
    complete: async (request, signal) => {
      signal.throwIfAborted();
      return completionOf(request, answer(request));
    },
    stream: async (request, signal) => {
      signal.throwIfAborted();
      return chunksOf(request, answer(request), signal);
    },
  };
}

function answer(request: ModelRequest): Answer {
  const whole = extract(request.messages);
  const said = cutAtStop(whole, request.stop);
  const limit = Math.min(
    request.max_tokens ?? Number.POSITIVE_INFINITY,
    request.max_completion_tokens ?? Number.POSITIVE_INFINITY,
  );
  const text = takeTokens(said, limit);
  const count = Math.max(1, request.n ?? 1);
  const promptTokens = countMessageTokens(request.messages);
  const completionTokens = countTokens(text) * count;
  return {
    text,
    finishReason: text === said ? "stop" : "length",
    count,
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

function extract(messages: readonly ChatMessage[]): string {
  const sources = readSources(messages)
    .slice(0, SOURCES)
    .map((source) => ({ ...source, text: source.text.slice(0, SOURCE_CHARACTERS) }));
  if (sources.length === 0) {
    return messages.some(isEmptySearch) ? NO_ANSWER : ONLY_QUOTES;
  }
  const corpus = readCorpus(sources);
  const chosen = select(readQuestion(messages, corpus), corpus);
  return chosen.length > 0 ? compose(chosen) : NO_ANSWER;
}

function isEmptySearch({ role, content }: ChatMessage): boolean {
  return role === "system" && textOf(content).includes(NO_SOURCES);
}

/** The sources of the first system message that contains any. */
function readSources(messages: readonly ChatMessage[]): DelimitedSource[] {
  const prompts = messages.filter(({ role }) => role === "system");
  return (
    prompts
      .map(({ content }) => parseDelimitedSources(textOf(content)))
      .find(({ length }) => length > 0) ?? []
  );
}

function cutAtStop(text: string, stop: ModelRequest["stop"]): string {
  const places = [stop ?? []]
    .flat()
    .filter((mark) => mark !== "")
    .map((mark) => text.indexOf(mark))
    .filter((place) => place >= 0);
  return text.slice(0, Math.min(text.length, ...places));
}

function completionOf(
  request: ModelRequest,
  { text, finishReason, count, usage }: Answer,
): Completion {
  return {
    ...frameOf(request),
    object: "chat.completion",
    choices: Array.from({ length: count }, (_, index) => ({
      index,
      finish_reason: finishReason,
      message: { role: "assistant", content: text, refusal: null },
      logprobs: null,
    })),
    usage,
  };
}

async function* chunksOf(
  request: ModelRequest,
  { text, finishReason, count, usage }: Answer,
  signal: AbortSignal,
): AsyncGenerator<CompletionChunk> {
  const frame = { ...frameOf(request), object: "chat.completion.chunk" as const };
  const includesUsage = wantsUsage(request);
  const steps: Delta[] = [
    { delta: { role: "assistant", content: "" }, finish_reason: null },
    ...(text.match(PIECE) ?? []).map((content) => ({ delta: { content }, finish_reason: null })),
    { delta: {}, finish_reason: finishReason },
  ];
  for (const [at, step] of steps.entries()) {
    if (at % PIECES_PER_TURN === PIECES_PER_TURN - 1) {
      await setImmediate();
    }
    for (let index = 0; index < count; index += 1) {
      signal.throwIfAborted();
      yield { ...frame, choices: [{ index, ...step }], ...(includesUsage && { usage: null }) };
    }
  }
  if (includesUsage) {
    yield { ...frame, choices: [], usage };
  }
}

function frameOf({ model }: ModelRequest): Frame {
  return { id: newId("completion"), created: Math.floor(Date.now() / 1000), model };
}

function wantsUsage({ stream_options: options }: ModelRequest): boolean {
  return (
    typeof options === "object" &&
    options !== null &&
    "include_usage" in options &&
    options.include_usage === true
  );
}
