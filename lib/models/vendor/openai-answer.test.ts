import fc from "fast-check";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { describe, expect, it } from "vitest";
import { type CompletionChunk, ReportedUsage, UpstreamCompletion } from "../schema";
import { chunksOf } from "./chat";
import type { UpstreamResponse } from "./exchange";
import { createCallIds, toOpenAiCompletion, withUsage } from "./openai-answer";
import { chatWire } from "./wire";

const ID = "chatcmpl-1";
const callIds = createCallIds(ID);

/** What a model said, apart from how its server writes it. */
interface Said {
  text: string;
  reasoning: string;
  calls: { id: string | null; name: string; arguments: Record<string, unknown> }[];
  finish: "stop" | "length" | "tool_calls" | "content_filter";
}

const name = fc.constantFrom("search", "f", "get_weather");
const said: fc.Arbitrary<Said> = fc.record({
  text: fc.string({ unit: "grapheme", maxLength: 12 }),
  reasoning: fc.string({ maxLength: 6 }),
  calls: fc.array(
    fc.record({
      id: fc.option(fc.uuid()),
      name,
      arguments: fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue(), { maxKeys: 2 }),
    }),
    { maxLength: 3 },
  ),
  finish: fc.constantFrom("stop", "length", "tool_calls", "content_filter"),
});

/** OpenAI's own form of it. */
function canonical({ text, reasoning, calls, finish }: Said) {
  const ending = finish === "stop" || finish === "tool_calls" ? ordinaryEnd(calls) : finish;
  return {
    role: "assistant",
    content: text,
    refusal: null,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, at) => ({
        id: call.id ?? callIds(0, at),
        type: "function",
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      })),
    }),
    finish: ending,
  };
}

function ordinaryEnd(calls: Said["calls"]): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

/** How a server departs from OpenAI's form. */
const deviations = fc.record({
  hasParts: fc.boolean(),
  hasObjects: fc.boolean(),
  indexes: fc.constantFrom("right", "none", "zero"),
  finishWord: fc.nat(),
  finishes: fc.constantFrom(1, 2, 9),
  hasEmptyEvents: fc.boolean(),
  hasDone: fc.boolean(),
  isNamedAgain: fc.boolean(),
  cut: fc.integer({ min: 1, max: 5 }),
});
type Deviations = typeof deviations extends fc.Arbitrary<infer T> ? T : never;

const WORDS = {
  ordinary: ["stop", "eos", "end_turn", "STOP", "stop_sequence", "tool_use", null, undefined],
  length: ["length", "max_tokens", "MAX_TOKENS", "model_length"],
  content_filter: ["content_filter", "SAFETY", "refusal"],
};

function finishWord({ finish, calls }: Said, { finishWord: at }: Deviations): unknown {
  const words = finish === "length" || finish === "content_filter" ? WORDS[finish] : WORDS.ordinary;
  const word = words[at % words.length];
  return word === "tool_use" && calls.length === 0 ? "end_turn" : word;
}

function contentOf(text: string, reasoning: string, { hasParts }: Deviations) {
  return hasParts
    ? {
        content: [
          ...(reasoning
            ? [{ type: "thinking", thinking: [{ type: "text", text: reasoning }] }]
            : []),
          { type: "text", text },
        ],
      }
    : { content: text, ...(reasoning && { reasoning_content: reasoning }) };
}

function plainOf(answer: Said, how: Deviations): unknown {
  const { text, reasoning, calls } = answer;
  const tool_calls = calls.map(({ id, name: called, arguments: given }, index) => ({
    ...(id !== null && { id }),
    ...(how.indexes === "zero" && { index: 0 }),
    ...(how.indexes === "right" && { index, type: "function" }),
    function: { name: called, arguments: how.hasObjects ? given : JSON.stringify(given) },
  }));
  const message = { role: "assistant", ...contentOf(text, reasoning, how), tool_calls };
  return { id: ID, choices: [{ message, finish_reason: finishWord(answer, how) }] };
}

function streamOf(answer: Said, how: Deviations): string {
  const { text, reasoning, calls } = answer;
  const deltas: object[] = [
    { role: "assistant", content: "" },
    ...(reasoning ? [contentOf("", reasoning, how)] : []),
    ...slices(text, how.cut).map((piece) => contentOf(piece, "", how)),
    ...calls.flatMap((call, at) => callDeltas(call, at, how)),
  ];
  const word = finishWord(answer, how);
  const events: object[] = deltas.map((delta, at) => ({
    id: ID,
    // Some servers end each chunk.
    choices: [{ index: 0, delta, finish_reason: how.finishes === 9 && at > 1 ? word : null }],
  }));
  for (let at = 0; at < Math.min(2, how.finishes); at += 1) {
    events.push({ id: ID, choices: [{ index: 0, delta: {}, finish_reason: word }] });
  }
  const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  const between = how.hasEmptyEvents ? "data:\n\ndata: \n\n" : "";
  // A stream without a finish needs an end marker.
  const done = how.hasDone || !word ? "data: [DONE]\n\n" : "";
  return between + lines.join(between) + between + done;
}

function callDeltas(call: Said["calls"][number], at: number, how: Deviations): object[] {
  const text = JSON.stringify(call.arguments);
  const numbered = { right: { index: at }, none: {}, zero: { index: 0 } }[how.indexes];
  const identified = { ...numbered, ...(call.id !== null && { id: call.id }) };
  if (how.hasObjects) {
    return [
      { tool_calls: [{ ...identified, function: { name: call.name, arguments: call.arguments } }] },
    ];
  }
  const [first = "", ...rest] = slices(text, how.cut);
  const again = how.isNamedAgain && call.id !== null ? { name: call.name } : {};
  return [
    { tool_calls: [{ ...identified, function: { name: call.name, arguments: first } }] },
    ...rest.map((piece) => ({
      tool_calls: [
        { ...(how.isNamedAgain ? identified : numbered), function: { ...again, arguments: piece } },
      ],
    })),
  ];
}

function slices(text: string, count: number): string[] {
  const signs = [...text];
  const size = Math.max(1, Math.ceil(signs.length / count));
  return Array.from({ length: Math.ceil(signs.length / size) }, (_, at) =>
    signs.slice(at * size, (at + 1) * size).join(""),
  );
}

async function read(stream: string): Promise<CompletionChunk[]> {
  async function* pieces() {
    yield Buffer.from(stream);
  }
  const answer: UpstreamResponse = { status: 200, headers: {}, text: async () => stream, pieces };
  const chunks: CompletionChunk[] = [];
  for await (const chunk of chunksOf(answer)) {
    chunks.push(chunk);
  }
  return chunks;
}

interface WholeCall {
  id: unknown;
  type: unknown;
  function: { name: string; arguments: string };
}

function addPiece(calls: WholeCall[], { index, ...piece }: WholeCall & { index: number }): void {
  const call = calls[index];
  if (call) {
    expect(Object.keys(piece.function)).toEqual(["arguments"]);
    call.function.arguments += piece.function.arguments;
  } else {
    expect(index).toBe(calls.length);
    calls.push(structuredClone(piece));
  }
}

/** As a client without any tolerance puts chunks together. */
function joined(chunks: readonly CompletionChunk[]) {
  const calls: WholeCall[] = [];
  const whole = { content: "", reasoning: "", finishes: [] as unknown[] };
  for (const { delta, finish_reason } of chunks.flatMap(({ choices }) => choices)) {
    whole.content += delta.content ?? "";
    whole.reasoning += delta.reasoning_content ?? "";
    whole.finishes.push(...(finish_reason ? [finish_reason] : []));
    for (const piece of (delta.tool_calls ?? []) as (WholeCall & { index: number })[]) {
      addPiece(calls, piece);
    }
  }
  expect(whole.finishes).toHaveLength(1);
  return {
    role: "assistant",
    content: whole.content,
    refusal: null,
    ...(whole.reasoning && { reasoning_content: whole.reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
    finish: whole.finishes[0],
  };
}

function completed(answer: unknown) {
  const { choices } = toOpenAiCompletion(UpstreamCompletion.parse(withUsage(answer)));
  return { ...choices[0]?.message, finish: choices[0]?.finish_reason };
}

describe("an upstream's answer in a form of its own", () => {
  it("is OpenAI's, plain and streamed, whatever the form", async () => {
    const property = fc.asyncProperty(said, deviations, async (answer, how) => {
      const expected = canonical(answer);
      expect(completed(plainOf(answer, how))).toEqual(expected);
      expect(joined(await read(streamOf(answer, how)))).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 1000 });
  });

  it("has two calls for two that have no index, or the same", async () => {
    for (const index of [{}, { index: 0 }]) {
      const calls = [
        { ...index, id: "k0", type: "function", function: { name: "f", arguments: "{}" } },
        { ...index, id: "k1", type: "function", function: { name: "g", arguments: '{"a":1}' } },
      ];
      const events = [
        ...calls.map((call) => ({
          id: ID,
          choices: [{ index: 0, delta: { role: "assistant", tool_calls: [call] } }],
        })),
        { id: ID, choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
      ];
      const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
      const chunks = await read(stream);
      const lines = chunks.map((chunk) => JSON.stringify({ ...chunk, created: 1, model: "m" }));
      const body = new Response(`${lines.join("\n")}\n`).body;

      const runner = ChatCompletionStream.fromReadableStream(body as ReadableStream);
      const { choices } = await runner.finalChatCompletion();
      const ids = choices[0]?.message.tool_calls?.map((call) => call.id);
      expect(ids).toEqual(["k0", "k1"]);
    }
  });

  it("keeps what a provider adds to a call, in whichever piece it comes", async () => {
    const extra_content = { google: { thought_signature: "c2lnbmVk" } };
    const begun = { index: 0, id: "k0", function: { name: "f", arguments: "{}" } };
    for (const pieces of [[{ ...begun, extra_content }], [begun, { index: 0, extra_content }]]) {
      const events = pieces.map((piece) => ({
        choices: [{ index: 0, delta: { tool_calls: [piece] } }],
      }));
      const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
      const chunks = await read(`${stream}data: [DONE]\n\n`);
      const streamed = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
      expect(Object.assign({}, ...streamed)).toMatchObject({ extra_content });
    }
    const plain = { choices: [{ message: { tool_calls: [{ ...begun, extra_content }] } }] };
    expect(completed(plain)).toMatchObject({ tool_calls: [{ id: "k0", extra_content }] });
  });

  it.each([
    ["under other names", { usage: { input_tokens: 3, output_tokens: 4 } }],
    ["in an extension", { x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } }],
    ["as OpenAI has it", { usage: { prompt_tokens: 3, completion_tokens: 4 } }],
  ])("has its usage %s", (_where, usage) => {
    const answer = { choices: [{ message: { content: "Hi." } }], ...usage };
    const expected = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    expect(UpstreamCompletion.parse(withUsage(answer)).usage).toEqual(expected);
    expect(ReportedUsage.parse(chatWire.toUsage(answer))).toEqual(expected);
  });

  it("is an upstream error when its content is no text", () => {
    expect(() => completed({ choices: [{ message: { content: 5 } }] })).toThrow("chat completion");
  });
});
