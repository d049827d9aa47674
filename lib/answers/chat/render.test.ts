import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { UrlCitation } from "@/lib/answers/citations/schema";
import { call, openai } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

const QUESTION = "What are the signs of a stroke?";
const ANSWER = "Call for help 👩‍⚕️ at once【3】. One side of the face droops [1][3]. Rest [9].";

function body(citations: object, extra: object = {}) {
  const content = `${QUESTION} script:${JSON.stringify({ text: ANSWER })}`;
  const query = { text: QUESTION };
  return {
    model: "scripted",
    messages: [{ role: "user" as const, content }],
    citations: { enabled: true, top_k: 4, min_score: 0, query, ...citations },
    ...extra,
  };
}

async function ask(citations: object, extra: object = {}) {
  const { key } = await makeKeyedAccount({ models: ["scripted"] });
  const { json } = await call("POST", "/v1/chat/completions", {
    key,
    body: body(citations, extra),
  });
  const { content, annotations, verification } = json.choices[0].message;
  return { key, json, content, annotations: annotations as UrlCitation[], verification };
}

function shownBy(content: string, { url_citation: at }: UrlCitation): string {
  return [...content].slice(at.start_index, at.end_index).join("");
}

describe("citations.render and citations.numbering", () => {
  it("link each marker to the public page of its passage, at the positions of the annotations", async () => {
    const { content, annotations, json } = await ask({ render: "links" });
    const [third] = annotations;
    const { document_id } = json.citations[2];
    expect(third?.url_citation.url).toMatch(
      new RegExp(`^http://localhost:3000/sources/${document_id}\\?quote=[\\w-]+$`),
    );
    expect(annotations.map((each) => shownBy(content, each))).toEqual(
      annotations.map(({ url_citation: { citation_id, url } }) => `[[${citation_id}]](${url})`),
    );
    for (const { url_citation } of annotations) {
      const { start_index, end_index, text } = url_citation.claim;
      expect([...content].slice(start_index, end_index).join("")).toBe(text);
    }
    expect(content).not.toContain("[9]");
  });

  it("list the cited sources as footnotes, with titles that differ", async () => {
    const { content, annotations, verification } = await ask({ render: "footnotes" });
    const [text, notes] = content.split("\n\n");
    expect(text).toContain("at once[^3]. One side of the face droops [^1][^3].");
    expect(notes.split("\n").map((note: string) => note.slice(0, 5))).toEqual(["[^1]:", "[^3]:"]);
    expect(annotations.map((each) => shownBy(content, each))).toEqual(["[^3]", "[^1]", "[^3]"]);
    expect(new Set(annotations.map(({ url_citation: { title } }) => title)).size).toBe(2);
    for (const { start_index, end_index, text: claim } of verification.claims) {
      expect([...content].slice(start_index, end_index).join("")).toBe(claim);
    }
  });

  it("number sources by appearance everywhere, also in the stored answer", async () => {
    const { key, content, annotations, json } = await ask(
      { numbering: "appearance" },
      { store: true },
    );
    const plain = await ask({});
    expect(content).toContain("at once[1]. One side of the face droops [2][1].");
    expect(annotations.map(({ url_citation: { citation_id } }) => citation_id)).toEqual([1, 2, 1]);
    const chunks = ({ json: { citations } }: typeof plain) =>
      citations.map(({ chunk_id }: { chunk_id: string }) => chunk_id);
    const [one, two, three, four] = chunks(plain);
    expect(json.citations.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4]);
    expect(chunks({ ...plain, json })).toEqual([three, one, two, four]);
    const stored = await call("GET", `/v1/chat/completions/${json.id}`, { key });
    expect(stored.json.choices[0].message.content).toBe(content);
    expect(stored.json.evidence.map(({ chunk_id }: { chunk_id: string }) => chunk_id)).toEqual(
      chunks({ ...plain, json }),
    );
  });

  it("are the same streamed, where the list by appearance comes with the finish", async () => {
    const options = { render: "footnotes", numbering: "appearance" };
    const { key, json } = await ask(options);
    const stream = await openai(key).chat.completions.create({ ...body(options), stream: true });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
    }
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(text).toBe(json.choices[0].message.content);
    expect(chunks[0]).not.toHaveProperty("citations");
    const { choices, citations } = chunks.at(-1) as unknown as typeof json;
    expect(citations).toEqual(json.citations);
    expect(choices[0].delta.annotations).toEqual(json.choices[0].message.annotations);
  });

  it("refuse several answers that would share one list", async () => {
    const { key } = await makeKeyedAccount({ models: ["scripted"] });
    const asked = body({ numbering: "appearance" }, { n: 2 });
    const { status, json } = await call("POST", "/v1/chat/completions", { key, body: asked });
    expect([status, json.error.param]).toEqual([400, "citations.numbering"]);
  });

  it("keep the sources' numbers in a response", async () => {
    const { key } = await makeKeyedAccount({ models: ["scripted"] });
    const { messages, model, citations } = body({ numbering: "appearance", render: "links" });
    const { json } = await call("POST", "/v1/responses", {
      key,
      body: { model, citations, input: messages[0]?.content },
    });
    const [part] = json.output.at(-1).content;
    expect(part.text).toMatch(/at once\[\[3\]\]\(http/);
    expect(part.annotations[0]).toMatchObject({ citation_id: 3 });
    const { start_index, end_index } = part.annotations[0];
    expect([...part.text].slice(start_index, end_index).join("")).toMatch(/^\[\[3\]\]\(http.*\)$/);
  });
});
