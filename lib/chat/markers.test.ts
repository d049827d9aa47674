import fc from "fast-check";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { StreamState } from "@/lib/chat/stream-state";
import { guardMarkers } from "@/lib/citations/markers";
import type { Citation } from "@/lib/citations/schema";
import type { CompletionChunk } from "@/lib/models/schema";
import { openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

const WILD =
  "Asthma causes wheezing【1】 and cough [Source 2]. It is treated [1, 2][9] with inhalers [1-3]. `a[0]` stays ([1]).";
const QUESTION = "What are the symptoms of asthma?";

type Annotated = { annotations?: { url_citation: Record<string, unknown> }[]; content?: string };

/** The scripted model writes `text`, with the question in the same message, so that passages are found. */
function request(text: string, extra: object = {}) {
  return {
    model: "scripted",
    messages: [
      { role: "user", content: `${QUESTION} script:${JSON.stringify({ text, pieceMs: 0 })}` },
    ],
    citations: { enabled: true, top_k: 2, min_score: 0 },
    ...extra,
  } as unknown as OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
}

async function streamed(key: string, text: string, extra: object = {}) {
  const stream = await openai(key).chat.completions.create({
    ...request(text, extra),
    stream: true,
  });
  let content = "";
  let annotations: unknown;
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta as Annotated | undefined;
    content += delta?.content ?? "";
    annotations = delta?.annotations ?? annotations;
  }
  return { content, annotations };
}

describe("a model's markers", () => {
  it("go out in one form, those without a source not at all, plain and streamed alike", async () => {
    const { key } = await makeKeyedAccount();
    const plain = await openai(key).chat.completions.create(request(WILD));
    const message = plain.choices[0]?.message as Annotated | undefined;
    expect((plain as unknown as { citations: unknown[] }).citations).toHaveLength(2);
    expect(message?.content).toBe(
      "Asthma causes wheezing[1] and cough [2]. It is treated [1][2] with inhalers [1][2]. `a[0]` stays [1].",
    );
    expect(message?.annotations?.map(({ url_citation }) => url_citation.citation_id)).toEqual([
      1, 2, 1, 2, 1, 2, 1,
    ]);
    expect(message?.annotations?.[0]?.url_citation.claim).toMatchObject({
      text: "Asthma causes wheezing",
    });
    expect(await streamed(key, WILD)).toEqual({
      content: message?.content,
      annotations: message?.annotations,
    });
  });

  it("are left as they are in an answer that a program reads as JSON", async () => {
    const { key } = await makeKeyedAccount();
    const json = '{"doses":[1, 2],"text":"twice [7]"}';
    const asked = { response_format: { type: "json_object" } };
    const plain = await openai(key).chat.completions.create(request(json, asked));
    expect(plain.choices[0]?.message).toMatchObject({ content: json });
    expect((await streamed(key, json, asked)).content).toBe(json);
  });

  it("are left as they are when there is nothing to cite from", async () => {
    const { key } = await makeKeyedAccount();
    const without = request(WILD, { citations: { enabled: false } });
    const plain = await openai(key).chat.completions.create(without);
    expect(plain.choices[0]?.message.content).toBe(WILD);
  });
});

const frame = {
  id: "chatcmpl-upstream",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
} as const;

function chunkOf(content: string, finish: string | null): CompletionChunk {
  return {
    ...frame,
    choices: [{ index: 0, delta: { content }, finish_reason: finish, logprobs: null }],
  } as CompletionChunk;
}

function piecesOf(text: string, places: readonly number[]): string[] {
  const ends = [...new Set([...places, text.length])].toSorted((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

function incomingOf(
  places: readonly number[],
  { finishesWithText, finishes }: { finishesWithText: boolean; finishes: boolean },
): CompletionChunk[] {
  const pieces = piecesOf(WILD, places);
  const last = finishesWithText ? (pieces.pop() ?? "") : "";
  return [...pieces.map((piece) => chunkOf(piece, null)), chunkOf(last, finishes ? "stop" : null)];
}

function textOf(deltas: readonly Annotated[]): string {
  return deltas.map(({ content }) => content ?? "").join("");
}

const sources = [1, 2].map((id) => ({
  ...{ id, title: "T", document_id: "doc_1", metadata: {} },
})) as unknown as Citation[];

describe("a stream cut anywhere", () => {
  it("has the text and the annotations of the whole", () => {
    const whole = guardMarkers(WILD, 2).text;
    const cuts = fc.array(fc.nat({ max: WILD.length }), { maxLength: 30 });
    fc.assert(
      fc.property(cuts, fc.boolean(), fc.boolean(), (places, finishesWithText, finishes) => {
        const state = new StreamState("m", { citations: sources, isProse: true });
        const incoming = incomingOf(places, { finishesWithText, finishes });
        const out = [...incoming.flatMap((chunk) => state.accept(chunk)), ...state.end()];
        const deltas = out.map(({ choices }) => choices[0]?.delta as Annotated);
        expect(textOf(deltas)).toBe(whole);
        const annotations = deltas.flatMap((delta) => delta.annotations ?? []);
        expect(annotations).toHaveLength(finishes ? 7 : 0);
        expect(out.filter(({ choices }) => choices[0]?.finish_reason)).toHaveLength(
          finishes ? 1 : 0,
        );
      }),
      { numRuns: 500 },
    );
  });
});
