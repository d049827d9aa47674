import { describe, expect, it } from "vitest";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";

const PATH = "/v1/chat/completions";
const messages = [{ role: "user", content: "What is asthma?" }];
const model = "footnote-extract-1";

function withCitations(citations: object) {
  return { model, messages, citations: { enabled: true, ...citations } };
}

const REFUSED: [name: string, body: unknown, status: number, code: string, param: string | null][] =
  [
    ["8 rejects top_k 0", withCitations({ top_k: 0 }), 400, "invalid_request", "citations.top_k"],
    ["8 rejects top_k 51", withCitations({ top_k: 51 }), 400, "invalid_request", "citations.top_k"],
    [
      "8 rejects top_k 1.5",
      withCitations({ top_k: 1.5 }),
      400,
      "invalid_request",
      "citations.top_k",
    ],
    [
      "8 rejects top_k as a string",
      withCitations({ top_k: "8" }),
      400,
      "invalid_request",
      "citations.top_k",
    ],
    [
      "8 rejects min_score below 0",
      withCitations({ min_score: -0.1 }),
      400,
      "invalid_request",
      "citations.min_score",
    ],
    [
      "8 rejects min_score above 1",
      withCitations({ min_score: 1.1 }),
      400,
      "invalid_request",
      "citations.min_score",
    ],
    [
      "2.2 names an unknown field inside citations",
      withCitations({ topk: 3 }),
      400,
      "invalid_request",
      "citations.topk",
    ],
    [
      "2.2 rejects enabled as a string",
      withCitations({ enabled: "true" }),
      400,
      "invalid_request",
      "citations.enabled",
    ],
    [
      "2.2 rejects empty source_types",
      withCitations({ source_types: [] }),
      400,
      "invalid_request",
      "citations.source_types",
    ],
    [
      "rejects citations as a list",
      { model, messages, citations: [] },
      400,
      "invalid_request",
      "citations",
    ],
    [
      "rejects empty sources as a scope problem",
      withCitations({ sources: [] }),
      403,
      "insufficient_scope",
      "citations.sources",
    ],
    [
      "rejects 10,001 messages",
      { model, messages: Array(10_001).fill(messages[0]) },
      400,
      "invalid_request",
      "messages",
    ],
    [
      "rejects an empty list of messages",
      { model, messages: [] },
      400,
      "invalid_request",
      "messages",
    ],
    ["rejects a missing model", { messages }, 400, "invalid_request", "model"],
    [
      "rejects an unknown role",
      { model, messages: [{ role: "robot", content: "Hi" }] },
      400,
      "invalid_request",
      "messages.0.role",
    ],
    [
      "rejects content that is a number",
      { model, messages: [{ role: "user", content: 5 }] },
      400,
      "invalid_request",
      "messages.0.content",
    ],
    [
      "rejects a content part without a type",
      { model, messages: [{ role: "user", content: [{ text: "x" }] }] },
      400,
      "invalid_request",
      "messages.0.content.0.type",
    ],
    [
      "rejects max_tokens 0",
      { model, messages, max_tokens: 0 },
      400,
      "invalid_request",
      "max_tokens",
    ],
    ["rejects n 0", { model, messages, n: 0 }, 400, "invalid_request", "n"],
    [
      "rejects stream as a string",
      { model, messages, stream: "yes" },
      400,
      "invalid_request",
      "stream",
    ],
    ["rejects a body that is a list", [], 400, "invalid_request", null],
    [
      "rejects messages that exceed the model's context",
      { model: "scripted-small", messages: [{ role: "user", content: "word ".repeat(100) }] },
      400,
      "context_length_exceeded",
      "messages",
    ],
  ];

describe("the chat completions endpoint", () => {
  it.each(REFUSED)("%s", async (_name, body, status, code, param) => {
    const { key, id } = await makeKeyedAccount();
    const { status: answered, json, headers } = await call("POST", PATH, { key, body });
    expect([answered, json.error.code, json.error.param]).toEqual([status, code, param]);
    expect(json.error.message.length).toBeGreaterThan(20);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    expect(await db().hold.count({ where: { accountId: id } })).toBe(0);
  });

  it("8 accepts top_k 1 and 50 and min_score 0 and 1", async () => {
    const { key } = await makeKeyedAccount();
    for (const citations of [{ top_k: 1 }, { top_k: 50 }, { min_score: 0 }, { min_score: 1 }]) {
      const { status, json } = await call("POST", PATH, { key, body: withCitations(citations) });
      expect(status).toBe(200);
      expect(json.citations.length).toBeLessThanOrEqual(citations.top_k ?? 8);
    }
  });

  it("takes null in citations as absent, as clients with typed options send it", async () => {
    const { key } = await makeKeyedAccount();
    const fields = "required sources query top_k source_types min_score context verify".split(" ");
    const others = ["on_unsupported", "on_empty", "return", "quotes"];
    const nulls = Object.fromEntries([...fields, ...others].map((field) => [field, null]));
    const { status, json } = await call("POST", PATH, { key, body: withCitations(nulls) });
    const plain = await call("POST", PATH, { key, body: withCitations({}) });
    expect([status, json.citations]).toEqual([200, plain.json.citations]);
    expect(json.citations.length).toBeGreaterThan(0);
    const off = { model, messages, citations: { ...nulls, enabled: null } };
    expect((await call("POST", PATH, { key, body: off })).json).not.toHaveProperty("citations");
    const unknown = await call("POST", PATH, { key, body: withCitations({ topk: null }) });
    expect([unknown.status, unknown.json.error.param]).toEqual([400, "citations.topk"]);
    const search = { query: "asthma", sources: null, top_k: null, min_score: null, explain: null };
    expect((await call("POST", "/v1/kb/search", { key, body: search })).status).toBe(200);
  });

  it("rejects malformed JSON with 400", async () => {
    const { key } = await makeKeyedAccount();
    const headers = { "content-type": "application/json" };
    for (const raw of ["{", "", "{'a': 1}", '{"min_score": NaN}', "\uFFFD\u0000"]) {
      const { status, json } = await call("POST", PATH, { key, raw, headers });
      expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", null]);
    }
  });

  it("rejects another content type with 415", async () => {
    const { key } = await makeKeyedAccount();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
      const { status, json } = await call("POST", PATH, {
        key,
        raw: "{}",
        headers: { "content-type": type },
      });
      expect([status, json.error.code]).toEqual([415, "unsupported_media_type"]);
    }
  });

  it("rejects a number that JSON.parse reads as Infinity", async () => {
    const { key } = await makeKeyedAccount();
    const headers = { "content-type": "application/json" };
    for (const number of ["1e999", "-1e999"]) {
      const raw = `{"model":"scripted","messages":[{"role":"user","content":"Hi"}],"temperature":${number}}`;
      const { status, json } = await call("POST", PATH, { key, raw, headers });
      expect([status, json.error.code]).toEqual([400, "invalid_request"]);
      expect(json.error.message).toContain("out of range");
    }
  });

  it.each(["gzip", "br", "zstd"])(
    "rejects a body compressed with %s, naming it",
    async (encoding) => {
      const { key } = await makeKeyedAccount();
      const raw = Buffer.from("anything");
      const headers = { "content-type": "application/json", "content-encoding": encoding };
      const { status, json, headers: sent } = await call("POST", PATH, { key, raw, headers });
      expect([status, json.error.code]).toEqual([415, "unsupported_media_type"]);
      expect(json.error.message).toContain(`'${encoding}'`);
      expect(sent.get("accept-encoding")).toBe("identity");
      const identity = { ...headers, "content-encoding": "identity" };
      const body = JSON.stringify({ model, messages });
      expect((await call("POST", PATH, { key, raw: body, headers: identity })).status).toBe(200);
    },
  );

  it("rejects a 5 MB body with 413, with or without a content-length", async () => {
    const { key } = await makeKeyedAccount();
    const text = JSON.stringify({
      model,
      messages: [{ role: "user", content: "x".repeat(5 * 1024 * 1024) }],
    });
    const headers = { "content-type": "application/json" };
    const stream = new Response(text).body as ReadableStream;
    for (const raw of [text, stream]) {
      const { status, json } = await call("POST", PATH, { key, raw, headers });
      expect([status, json.error.code]).toEqual([413, "payload_too_large"]);
    }
  });

  it("accepts OpenAI's other fields and unknown ones", async () => {
    const { key } = await makeKeyedAccount();
    const body = {
      model: "scripted",
      messages,
      temperature: 0.2,
      seed: 7,
      user: "u",
      logit_bias: {},
      brand_new: { a: 1 },
    };
    const { status } = await call("POST", PATH, { key, body });
    expect(status).toBe(200);
  });

  it("responds with JSON: 404 for an unknown path, 405 and an allow header for a wrong method", async () => {
    for (const path of ["/v1", "/v1/chat", "/v1/nope", "/v1/chat/completions/x/y", "/v1/kb"]) {
      const { status, json } = await call("GET", path);
      expect([status, json.error.code, json.error.type]).toEqual([
        404,
        "not_found",
        "invalid_request_error",
      ]);
    }
    const wrong = await call("PUT", PATH);
    expect([wrong.status, wrong.json.error.code, wrong.headers.get("allow")]).toEqual([
      405,
      "method_not_allowed",
      "GET, POST",
    ]);
    const documents = await call("PUT", "/v1/kb/documents");
    expect(documents.headers.get("allow")).toBe("GET, POST");
  });
});
