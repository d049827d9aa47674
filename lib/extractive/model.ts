import { setImmediate } from "node:timers/promises";
import { newId } from "@/lib/id";
import { countMessageTokens, toUsage } from "@/lib/models/message-tokens";
import type {
  ChatMessage,
  ChatModel,
  CompletionChunk,
  ModelRequest,
  ModelUsage,
} from "@/lib/models/schema";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { countTokens, takeTokens } from "@/lib/text/tokens";
import { type Candidate, readCorpus } from "./corpus";
import { readQuestion } from "./question";
import { select } from "./select";

interface Answer {
  message: { content: string; refusal?: null };
  /** The content as a stream sends it. */
  pieces: readonly string[];
  finishReason: "stop" | "length";
  count: number;
  usage: ModelUsage;
}

const NO_ANSWER = "The sources found do not answer this question.";
const ONLY_QUOTES =
  "I am an extractive model: I can only quote numbered sources, and this request has none. " +
  "Turn on `citations` to let me search a knowledge base, or choose another model.";
/** Yields to the event loop after this many pieces. */
const PIECES_PER_TURN = 32;
/** A word with the blanks before it. Long runs without blanks, as in Chinese, are split. */
const PIECE = /\s*\S{1,24}|\s+$/gu;

/** Punctuation that follows the marker, with closing quotes and brackets. */
const END_MARKS = /(?<![.!?…;,。！？；])[.!?…;,。！？；]+["'”’)\]*_]*$/u;
/** An abbreviation keeps its full stop before the marker. */
const SHORTENED = /(?:\p{L}\.){2}$|\b(?:etc|al|Inc|Ltd)\.$/u;

/** A model that knows its whole answer before it sends any of it. */
export function immediateModel(answerOf: (request: ModelRequest) => Answer): ChatModel {
  return {
    complete: async (request, signal) => {
      signal.throwIfAborted();
      const { message, finishReason, count, usage } = answerOf(request);
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
      return chunksOf(request, answerOf(request), signal);
    },
  };
}

/**
 * The built-in model: quotes the sentences of the sources that best answer the last user message, or says that none
 * does. It reads no source from the messages: callers write those. Null sources: the request didn't ask for any.
 */
export function createExtractModel(sources: readonly DelimitedSource[] | null): ChatModel {
  return immediateModel((request) => {
    const answer = sources ? extract(request.messages, sources) : ONLY_QUOTES;
    const whole = cutAtStop(answer, request.stop);
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
      usage: toUsage(countMessageTokens(request.messages), countTokens(content) * count),
    };
  });
}

function extract(messages: readonly ChatMessage[], sources: readonly DelimitedSource[]): string {
  const corpus = readCorpus(sources);
  const chosen = select(readQuestion(messages, corpus), corpus);
  return chosen.length > 0 ? compose(chosen) : NO_ANSWER;
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

/** Writes the chosen units with their markers: sources by their best unit, units by position, lists after their lead. */
export function compose(chosen: readonly Candidate[]): string {
  const numbers = new Set(chosen.map(({ source }) => source.number));
  return [...numbers]
    .flatMap((number) => passagesOf(chosen.filter(({ source }) => source.number === number)))
    .map(writePassage)
    .join("\n\n");
}

function passagesOf(units: readonly Candidate[]): Candidate[][] {
  const passages: Candidate[][] = [];
  for (const unit of units.toSorted((one, other) => one.index - other.index)) {
    const last = passages.at(-1);
    if (last?.[0]?.list === unit.list && last[0].lead === unit.lead) {
      last.push(unit);
    } else {
      passages.push([unit]);
    }
  }
  return passages;
}

function writePassage(units: readonly Candidate[]): string {
  const quotes = units.map(cite);
  const [first] = units;
  const isList =
    first?.list !== null && (units.length > 1 || first?.lead || !END_MARKS.test(first?.text ?? ""));
  if (!isList) {
    return quotes.join(" ");
  }
  return [
    ...(first?.lead ? [onOneLine(first.lead)] : []),
    ...quotes.map((quote) => `- ${quote}`),
  ].join("\n");
}

/** Turns "It is treated with rest." into "It is treated with rest [1]." */
function cite({ text, source }: Candidate): string {
  const quote = onOneLine(text);
  const end = SHORTENED.test(quote) ? "" : (END_MARKS.exec(quote)?.[0] ?? "");
  return `${quote.slice(0, quote.length - end.length)} [${source.number}]${end}`;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks));
}
