import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
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
    ["8 refuses top_k 0", withCitations({ top_k: 0 }), 400, "invalid_request", "citations.top_k"],
    ["8 refuses top_k 51", withCitations({ top_k: 51 }), 400, "invalid_request", "citations.top_k"],
    [
      "8 refuses top_k 1.5",
      withCitations({ top_k: 1.5 }),
      400,
      "invalid_request",
      "citations.top_k",
    ],
    [
      "8 refuses top_k as a string",
      withCitations({ top_k: "8" }),
      400,
      "invalid_request",
      "citations.top_k",
    ],
    [
      "8 refuses min_score below 0",
      withCitations({ min_score: -0.1 }),
      400,
      "invalid_request",
      "citations.min_score",
    ],
    [
      "8 refuses min_score above 1",
      withCitations({ min_score: 1.1 }),
      400,
      "invalid_request",
      "citations.min_score",
    ],
    [
      "8 refuses the null that a NaN min_score becomes in JSON",
      withCitations({ min_score: Number.NaN }),
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
      "2.2 refuses enabled as a string",
      withCitations({ enabled: "true" }),
      400,
      "invalid_request",
      "citations.enabled",
    ],
    [
      "2.2 refuses empty source_types",
      withCitations({ source_types: [] }),
      400,
      "invalid_request",
      "citations.source_types",
    ],
    [
      "refuses citations as a list",
      { model, messages, citations: [] },
      400,
      "invalid_request",
      "citations",
    ],
    [
      "refuses empty sources as a scope problem",
      withCitations({ sources: [] }),
      403,
      "insufficient_scope",
      "citations.sources",
    ],
    [
      "refuses 300 messages",
      { model, messages: Array(300).fill(messages[0]) },
      400,
      "invalid_request",
      "messages",
    ],
    ["refuses no messages", { model, messages: [] }, 400, "invalid_request", "messages"],
    ["refuses a missing model", { messages }, 400, "invalid_request", "model"],
    [
      "refuses an unknown role",
      { model, messages: [{ role: "robot", content: "Hi" }] },
      400,
      "invalid_request",
      "messages.0.role",
    ],
    [
      "refuses content that is a number",
      { model, messages: [{ role: "user", content: 5 }] },
      400,
      "invalid_request",
      "messages.0.content",
    ],
    [
      "refuses a content part without a type",
      { model, messages: [{ role: "user", content: [{ text: "x" }] }] },
      400,
      "invalid_request",
      "messages.0.content.0.type",
    ],
    [
      "refuses max_tokens 0",
      { model, messages, max_tokens: 0 },
      400,
      "invalid_request",
      "max_tokens",
    ],
    ["refuses n 0", { model, messages, n: 0 }, 400, "invalid_request", "n"],
    [
      "refuses stream as a string",
      { model, messages, stream: "yes" },
      400,
      "invalid_request",
      "stream",
    ],
    ["refuses a body that is a list", [], 400, "invalid_request", null],
    [
      "refuses messages longer than the model takes",
      { model: "scripted-small", messages: [{ role: "user", content: "word ".repeat(100) }] },
      400,
      "context_length_exceeded",
      "messages",
    ],
  ];

describe("bad input to chat completions", () => {
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

  it("refuses malformed JSON with 400", async () => {
    const { key } = await makeKeyedAccount();
    const headers = { "content-type": "application/json" };
    for (const raw of ["{", "", "{'a': 1}", '{"min_score": NaN}', "\uFFFD\u0000"]) {
      const { status, json } = await call("POST", PATH, { key, raw, headers });
      expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", null]);
    }
  });

  it("refuses another content type with 415", async () => {
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

  it("refuses a 5 MB body with 413, whether its length is announced or not", async () => {
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

  it("answers an unknown path with 404 and a wrong method with 405 and allow, as JSON", async () => {
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
