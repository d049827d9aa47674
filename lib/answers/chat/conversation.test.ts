import type OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Citation } from "@/lib/answers/citations/schema";
import type { Retrieval } from "@/lib/library/retrieval/schema";
import { textOf } from "@/lib/models/schema";
import { env } from "@/lib/platform/env";
import { call, openai } from "@/lib/testing/api";
import { lastUsage, makeKey, makeKeyedAccount } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { scriptRewriter } from "@/lib/testing/fake-upstream-rewriter";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
interface Found {
  retrieval?: Retrieval;
  citations?: Citation[];
  warnings?: { code: string }[];
}

const FIRST = "What is asthma?";
const FOLLOW_UP = "How is it treated?";
const MESSAGES = [
  { role: "user", content: FIRST },
  { role: "assistant", content: "A disease of the airways [1]." },
  { role: "user", content: FOLLOW_UP },
];
const STANDALONE = "How is asthma treated?";
const ALONE = {
  query: FOLLOW_UP,
  method: "last",
  corrections: [],
  notices: [{ code: "query_depends_on_conversation", message: expect.any(String) }],
};

let account: Awaited<ReturnType<typeof makeKeyedAccount>>;

beforeAll(async () => {
  await startBackgroundWork();
  account = await makeKeyedAccount({ knowledge_scopes: ["customer_kb"] });
  for (const [title, text] of [
    [
      "Asthma",
      "Asthma is treated with inhaled corticosteroids. Asthma is a disease of the airways.",
    ],
    [
      "Pneumonia",
      "Bacterial pneumonia is treated with antibiotics. Most people are treated at home.",
    ],
  ]) {
    const body = { scope: "customer_kb", title, text };
    const upload = await call("POST", "/v1/kb/documents", { key: account.key, body });
    const job = `/v1/kb/jobs/${upload.json.job_id}?wait=20`;
    expect((await call("GET", job, { key: account.key })).json.status).toBe("completed");
  }
}, 60_000);

afterAll(() => stopBackgroundWork());

afterEach(() => {
  env.REWRITE_MODEL = undefined;
  scriptRewriter(null);
});

function params(citations: object, extra: object = {}): Params {
  return {
    model: "footnote-extract-1",
    messages: MESSAGES,
    citations: { enabled: true, ...citations },
    ...extra,
  } as unknown as Params;
}

async function ask(
  citations: object,
  { key = account.key, ...extra }: { key?: string; [field: string]: unknown } = {},
) {
  const answer = await openai(key).chat.completions.create(params(citations, extra));
  return { ...(answer as typeof answer & Found), text: answer.choices[0]?.message.content ?? "" };
}

async function firstChunk(citations: object, extra: object = {}) {
  const request = { ...params(citations, extra), stream: true as const };
  const chunks: (OpenAI.ChatCompletionChunk & Found)[] = [];
  for await (const chunk of await openai(account.key).chat.completions.create(request)) {
    chunks.push(chunk as OpenAI.ChatCompletionChunk & Found);
  }
  expect(chunks.slice(1).filter(({ retrieval }) => retrieval)).toEqual([]);
  return chunks[0] as OpenAI.ChatCompletionChunk & Found;
}

describe("citations.query", () => {
  it("searches with the last message alone by default, and says when that depends on the others", async () => {
    const { retrieval, text } = await ask({});
    expect(retrieval).toEqual(ALONE);
    expect(text).toMatch(/depends on earlier messages/);
    expect((await firstChunk({ query: "last" })).retrieval).toEqual(ALONE);
    expect((await ask({}, { messages: MESSAGES.slice(0, 1) })).retrieval).toEqual({
      ...ALONE,
      query: FIRST,
      notices: [],
    });
  });

  it("searches with a standalone question made from the conversation", async () => {
    const made = { query: STANDALONE, method: "rules", corrections: [], notices: [] };
    const { retrieval, citations, text } = await ask({ query: "conversation" });
    expect(retrieval).toEqual(made);
    expect(citations?.[0]?.title).toBe("Asthma");
    expect(text).toContain("inhaled corticosteroids");
    const chunk = await firstChunk({ query: "conversation" });
    expect([chunk.retrieval, chunk.citations?.[0]?.title]).toEqual([made, "Asthma"]);
    const unchanged = await ask({ query: "conversation" }, { messages: MESSAGES.slice(0, 1) });
    expect(unchanged.retrieval).toEqual({ ...made, query: FIRST, method: "last" });
  });

  it.each(["last", "conversation"])(
    "says that a follow-up question in another language was searched alone, with %s",
    async (query) => {
      const question = "Darf man es mit Ibuprofen nehmen?";
      const messages = [
        { role: "user", content: "Was ist Metformin?" },
        { role: "assistant", content: "Ein Medikament." },
        { role: "user", content: question },
      ];
      const { retrieval, text } = await ask({ query }, { messages });
      expect(retrieval).toEqual({ ...ALONE, query: question });
      expect(text).not.toMatch(/\[\d+\]/);
      const alone = await ask({ query }, { messages: messages.slice(2) });
      expect(alone.retrieval?.notices).toEqual([]);
    },
  );

  it("searches with the caller's own text", async () => {
    const query = { text: "treatment of pneumonia" };
    const { retrieval, citations } = await ask({ query });
    expect(retrieval).toEqual({
      query: query.text,
      method: "given",
      corrections: [],
      notices: [],
    });
    expect(citations?.[0]?.title).toBe("Pneumonia");
  });

  it.each([
    ["all", "citations.query"],
    [5, "citations.query"],
    [{ text: "" }, "citations.query.text"],
    [{ text: " \n" }, "citations.query.text"],
    [{ text: "a\0" }, "citations.query.text"],
    [{ text: "a", mode: "last" }, "citations.query"],
    [{}, "citations.query"],
  ])("refuses %j and names the field", async (query, param) => {
    const body = params({ query });
    const { status, json } = await call("POST", "/v1/chat/completions", { key: account.key, body });
    expect([status, json.error.code]).toEqual([400, "invalid_request"]);
    expect(json.error.param).toContain(param);
  });

  it("is at most 4,000 characters long", async () => {
    const body = params({ query: { text: "word ".repeat(10_000) } });
    const { status, json } = await call("POST", "/v1/chat/completions", { key: account.key, body });
    expect([status, json.error.param]).toEqual([400, "citations.query.text"]);
  });

  it("is what the key says when a request leaves it out", async () => {
    const { secret: key } = await makeKey(account.ctx, {
      knowledge_scopes: ["customer_kb"],
      query_mode: "conversation",
    });
    expect((await ask({}, { key })).retrieval?.query).toBe(STANDALONE);
    expect((await ask({ query: "last" }, { key })).retrieval).toEqual(ALONE);
  });

  it.each([
    [[{ role: "assistant", content: "Hello." }]],
    [[{ role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] }]],
  ])("warns about messages without a user's text: %j", async (messages) => {
    const { warnings, retrieval } = await ask(
      { query: "conversation" },
      { messages, ignore_unsupported: true },
    );
    expect([warnings?.[0]?.code, retrieval]).toEqual(["invalid_request", undefined]);
  });

  it("is absent from responses without retrieval", async () => {
    const answer = await openai(account.key).chat.completions.create(
      params({ enabled: false, query: "conversation" }),
    );
    expect(answer).not.toHaveProperty("retrieval");
  });
});

describe("what was searched", () => {
  it.each([false, true])("is stored with an answer (stream: %s)", async (stream) => {
    const request = params({ query: "conversation" }, { store: true, stream });
    const created = await openai(account.key).chat.completions.create(request);
    let { id } = created;
    if (stream) {
      for await (const chunk of created as unknown as AsyncIterable<{ id: string }>) {
        id = chunk.id;
      }
    }
    const stored = await openai(account.key).chat.completions.retrieve(id);
    expect((stored as typeof stored & Found).retrieval).toMatchObject({
      query: STANDALONE,
      method: "rules",
    });
  });

  it("is part of a search's result", async () => {
    const body = { query: FOLLOW_UP };
    const { json } = await call("POST", "/v1/kb/search", { key: account.key, body });
    expect(json.retrieval).toEqual({ ...ALONE, method: "given", notices: [] });
  });

  it("warns the model about old numbers, and sources found with the last message alone", async () => {
    await ask({}, { model: "scripted" });
    const rules = () => textOf(upstream().seen.at(-1)?.body.messages[0]?.content);
    const sources = () => textOf(upstream().seen.at(-1)?.body.messages.at(-1)?.content);
    expect(rules()).toContain("Numbers such as [1] in earlier messages");
    expect(sources()).toContain("found with the last message alone");
    await ask({ query: "conversation" }, { model: "scripted" });
    expect(rules()).toContain("Numbers such as [1] in earlier messages");
    expect(sources()).not.toContain("found with the last message alone");
  });
});

describe("REWRITE_MODEL", () => {
  it("makes the question, reads the conversation as data and is billed", async () => {
    env.REWRITE_MODEL = "scripted";
    let prompt = "";
    scriptRewriter((conversation) => {
      prompt = conversation;
      return {
        text: '"How is pneumonia treated?"',
        usage: { prompt_tokens: 200, completion_tokens: 9 },
      };
    });
    const { retrieval, citations, usage } = await ask({ query: "conversation" });
    expect(retrieval).toMatchObject({ query: "How is pneumonia treated?", method: "model" });
    expect(citations?.[0]?.title).toBe("Pneumonia");
    expect(JSON.parse(prompt.split("\n")[1] ?? "")).toMatchObject(
      MESSAGES.map(({ role, content }) => ({ role, text: content.replace("[1]", "(1)") })),
    );
    const used = { model: "scripted", prompt_tokens: 200, completion_tokens: 9 };
    expect(usage).toMatchObject({ rewrite: used });
    expect(await lastUsage(account.id)).toMatchObject({ rate: { rewrite: used } });
  });

  it("is billed for what it had cached at that rate", async () => {
    env.REWRITE_MODEL = "scripted-priced";
    scriptRewriter(() => ({
      text: "How is pneumonia treated?",
      usage: {
        ...{ prompt_tokens: 200, completion_tokens: 9, total_tokens: 209 },
        prompt_tokens_details: { cached_tokens: 150 },
      },
    }));
    await ask({ query: "conversation" });
    expect(await lastUsage(account.id)).toMatchObject({
      rate: { rewrite: { model: "scripted-priced", cached_tokens: 150, cached_input: 0.013 } },
    });
  });

  it.each([
    ["late", { text: "How is pneumonia treated?", delayMs: 60_000 }],
    ["failing", { status: 400, error: { message: "No." } }],
    ["empty", { text: " " }],
    ["too long", { text: "pneumonia ".repeat(100) }],
    ["not one line", { text: "Sure.\nHow is pneumonia treated?" }],
  ])("is replaced by rules when it is %s", async (_case, script) => {
    env.REWRITE_MODEL = "scripted";
    scriptRewriter(() => script);
    const { retrieval } = await ask({ query: "conversation" });
    expect(retrieval).toMatchObject({ query: STANDALONE, method: "rules" });
  });

  it("is stopped upstream when it is late", async () => {
    env.REWRITE_MODEL = "scripted";
    scriptRewriter(() => ({ text: "How is pneumonia treated?", delayMs: 60_000 }));
    const before = upstream().seen.length;
    await ask({ query: "conversation" });
    await vi.waitFor(() => expect(upstream().seen[before]?.isAborted).toBe(true));
  });

  it("isn't asked about a first message, for other queries or without retrieval", async () => {
    env.REWRITE_MODEL = "scripted";
    const before = upstream().seen.length;
    await ask({ query: "conversation" }, { messages: MESSAGES.slice(0, 1) });
    await ask({});
    await ask({ query: { text: "asthma" } });
    await ask({ enabled: false, query: "conversation" });
    expect(upstream().seen).toHaveLength(before);
  });
});
