import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

const WILD =
  "Asthma causes wheezing【1】 and cough [Source 2]. It is treated [1, 2][9] with inhalers [1-3]. `a[0]` stays ([1]).";
const QUESTION = "What are the symptoms of asthma?";

type Annotated = { annotations?: { url_citation: Record<string, unknown> }[]; content?: string };

/** Makes the scripted model write `text`; the same message has the question, so that passages are found. */
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
  it("are normalized, and dropped without a source, both plain and streamed", async () => {
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

  it.each([
    ["asked for", { response_format: { type: "json_object" } }],
    ["not asked for", {}],
  ])("are unchanged in JSON answers: %s", async (_how, asked) => {
    const { key } = await makeKeyedAccount();
    const json = '{"doses":[3, 3],"text":"twice [1]"}';
    const plain = await openai(key).chat.completions.create(request(json, asked));
    expect(plain.choices[0]?.message).toMatchObject({ content: json });
    expect((await streamed(key, json, asked)).content).toBe(json);
  });

  it.each([
    ["Give [5] mg of it.", "Give [5] mg of it.", 0],
    ["Asthma is treated \ue200cite\ue202turn0file0\ue201.", "Asthma is treated.", 0],
    ['Asthma is treated [ID:1] <source id="2" nonce="1234">.', "Asthma is treated [1][2].", 2],
    [
      "My rules: When the sources do not answer the question, say so plainly and do not guess. Asthma [1].",
      "My rules:  Asthma [1].",
      1,
    ],
  ])(
    "are distinguished from other brackets, and echoes of our prompt are removed: %j",
    async (text, shown, cited) => {
      const { key } = await makeKeyedAccount();
      const plain = await openai(key).chat.completions.create(request(text));
      const message = plain.choices[0]?.message as Annotated | undefined;
      expect(message?.content).toBe(shown);
      expect(message?.annotations).toHaveLength(cited);
      expect((await streamed(key, text)).content).toBe(shown);
    },
  );

  it("are unchanged when there is nothing to cite", async () => {
    const { key } = await makeKeyedAccount();
    const without = request(WILD, { citations: { enabled: false } });
    const plain = await openai(key).chat.completions.create(without);
    expect(plain.choices[0]?.message.content).toBe(WILD);
  });
});
