import { describe, expect, it, vi } from "vitest";
import { onRefusal } from "@/lib/platform/http/refusals";
import { addDocument, longText } from "@/lib/testing/add-document";
import { dispatch } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";

interface Options {
  key?: string;
  headers?: Record<string, string>;
  url?: string;
}

/** Sends one message as clients of either version of the protocol do. */
async function send(message: object, options: Options = {}) {
  const { key, headers, url = "http://localhost:3000/mcp" } = options;
  const response = await dispatch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify(Array.isArray(message) ? message : { jsonrpc: "2.0", id: 1, ...message }),
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, headers: response.headers, json: data && JSON.parse(data) };
}

const CURRENT = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": CURRENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function callTool(key: string, name: string, args: object) {
  const { json } = await send({ method: "tools/call", params: { name, arguments: args } }, { key });
  return json.result;
}

/** The error that a tool's result carries. */
function errorIn({ isError, content }: { isError?: boolean; content: { text: string }[] }) {
  expect(isError).toBe(true);
  return JSON.parse(content[0]?.text ?? "").error;
}

const LIST = { method: "tools/list" };
const TEXT = "Zorbafen is stored at 4 °C. Opened packs of zorbafen last 30 days.";

async function makeReader() {
  const account = await makeKeyedAccount();
  const document = await addDocument(account.id, { title: "Zorbafen", text: TEXT });
  return { ...account, document };
}

describe("POST /mcp", () => {
  it("connects clients of 2025-11-25, without a session", async () => {
    const { key } = await makeKeyedAccount();
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const { json, headers } = await send({ method: "initialize", params }, { key });
    expect(json.result).toMatchObject({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "footnote" },
      capabilities: { tools: {}, resources: {}, prompts: {} },
    });
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(headers.get("x-ratelimit-limit-requests")).toBe("600");
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await send({ ...note, id: undefined }, { key })).status).toBe(202);
  });

  it("answers clients of 2026-07-28 in JSON, and lists the same tools for both", async () => {
    const { key } = await makeKeyedAccount();
    const headers = { "mcp-protocol-version": CURRENT, "mcp-method": "tools/list" };
    const current = await send({ ...LIST, params: { _meta: META } }, { key, headers });
    expect(current.headers.get("content-type")).toBe("application/json");
    const { tools } = current.json.result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      ...["search", "fetch", "ask", "verify"],
    ]);
    expect(tools[0].inputSchema).toMatchObject({ required: ["query"], type: "object" });
    expect((await send(LIST, { key })).json.result.tools).toEqual(tools);
  });

  it("answers a missing or wrong key with 401, and other sites and hosts with 403", async () => {
    const { key } = await makeKeyedAccount();
    const missing = await send(LIST);
    expect([missing.status, missing.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const wrong = await send(LIST, { key: `${key}x` });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("www-authenticate")).toContain("invalid_token");
    expect(wrong.json.error.code).toBe("invalid_api_key");
    const foreign = [
      { headers: { origin: "https://evil.example" } },
      { headers: { origin: "null" } },
      { url: "http://rebound.example:3000/mcp" },
    ];
    for (const each of foreign) {
      expect((await send(LIST, { key, ...each })).status).toBe(403);
    }
    const own = { headers: { origin: "http://localhost:3000" } };
    expect((await send(LIST, { key, ...own })).status).toBe(200);
  });

  it("refuses lists of messages and subscriptions, and has no other method", async () => {
    const { key } = await makeKeyedAccount();
    expect((await send([LIST, LIST], { key })).json.error.message).toContain(
      "one JSON-RPC message",
    );
    const method = "subscriptions/listen";
    const headers = { "mcp-protocol-version": CURRENT, "mcp-method": method };
    const listen = await send(
      { method, params: { _meta: META, notifications: {} } },
      { key, headers },
    );
    expect(listen.json.error.message).toContain("limit reached");
    for (const each of ["GET", "DELETE"]) {
      const { status, headers: sent } = await dispatch("http://localhost:3000/mcp", {
        method: each,
      });
      expect([status, sent.get("allow")]).toEqual([405, "POST"]);
    }
  });

  it("limits requests: a tool's result says so, and other requests are a 429", async () => {
    const { key, id } = await makeKeyedAccount({ requests_per_minute: 1 });
    expect((await send(LIST, { key })).status).toBe(200);
    const { status, headers } = await send(LIST, { key });
    expect([status, headers.get("retry-after")]).toEqual([429, expect.any(String)]);
    const refused = errorIn(await callTool(key, "search", { query: "warfarin" }));
    expect(refused).toMatchObject({ code: "rate_limit_exceeded", message: expect.any(String) });
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });
});

describe("the tools of /mcp", () => {
  it("search returns results as connectors need them, and charges a search", async () => {
    const { key, id, document } = await makeReader();
    const { structuredContent, content } = await callTool(key, "search", {
      query: "zorbafen packs",
    });
    const [first] = structuredContent.results;
    expect(first).toEqual({
      id: expect.stringMatching(/^chk_/),
      title: "Zorbafen",
      url: expect.stringContaining(`http://localhost:3000/documents/${document}?quote=`),
    });
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    expect(await readMoney(id)).toMatchObject({ balance: 4_999_500n, held: 0n });
  });

  it("fetch reads what search found, public sources too, and long documents in parts", async () => {
    const { key, id, document } = await makeReader();
    const { structuredContent } = await callTool(key, "search", { query: "zorbafen packs" });
    const found = structuredContent.results[0].id;
    const own = await callTool(key, "fetch", { id: found });
    expect(own.structuredContent).toMatchObject({
      id: found,
      title: "Zorbafen",
      text: TEXT,
      metadata: { document_id: document, scope: "customer_kb", next: null },
    });
    const known = await callTool(key, "search", { query: "How is warfarin monitored?" });
    const [source] = known.structuredContent.results;
    const read = await callTool(key, "fetch", { id: source.id });
    expect(read.structuredContent).toMatchObject({
      url: source.url,
      metadata: { scope: "public_kb" },
    });
    const text = longText(Array.from({ length: 40 }, (_, at) => `Paragraph ${at}.`));
    let next: string | null = await addDocument(id, { title: "Long", text });
    const parts: string[] = [];
    while (next) {
      const part: { structuredContent: { text: string; metadata: { next: string | null } } } =
        await callTool(key, "fetch", { id: next });
      parts.push(part.structuredContent.text);
      next = part.structuredContent.metadata.next;
    }
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join("")).toBe(text);
    for (const other of ["doc_x", "\0", `doc_${"0".repeat(26)}`, `chk_${"0".repeat(26)}`]) {
      expect(errorIn(await callTool(key, "fetch", { id: other })).code).toBe("not_found");
    }
  });

  it("ask answers with markers, quotes, verdicts and links, and charges the answer", async () => {
    const { key, id } = await makeReader();
    const question = "How is zorbafen stored?";
    const { structuredContent: answer, content } = await callTool(key, "ask", {
      question,
      model: "footnote-extract-1",
    });
    expect(answer.text).toContain("[1]");
    expect(answer.citations[0]).toMatchObject({
      id: 1,
      title: "Zorbafen",
      verdict: "supported",
      quote: expect.stringContaining("4 °C"),
      permalink: expect.stringContaining("/documents/doc_"),
    });
    expect(answer.verification).toMatchObject({ supported: 1, contradicted: 0 });
    expect(content[0].text).toContain(`${answer.text}\n\nsupported: `);
    expect(await lastUsage(id)).toMatchObject({ kind: "grounded" });
    expect((await readMoney(id)).held).toBe(0n);
  });

  it("verify checks a text against given sources", async () => {
    const { key } = await makeKeyedAccount();
    const sources = [{ text: TEXT, title: "Leaflet" }];
    const { structuredContent } = await callTool(key, "verify", {
      text: "Zorbafen is stored at 4 °C [1]. Opened packs of zorbafen last 90 days [1].",
      sources,
    });
    const verdicts = structuredContent.citations.map(({ verdict }: { verdict: string }) => verdict);
    expect(verdicts).toEqual(["supported", "contradicted"]);
  });

  it("verify searches for each sentence of a text without sources", async () => {
    const { key, id } = await makeReader();
    const text =
      "Zorbafen is stored at 4 °C [7]. Opened packs of zorbafen last 90 days. Quibble frobs.";
    const { structuredContent, content } = await callTool(key, "verify", { text });
    const { claims, not_found, cost_usd } = structuredContent;
    const verdicts = claims.map(({ verdict }: { verdict: string }) => verdict);
    expect(verdicts).toEqual(["supported", "contradicted"]);
    expect(not_found).toEqual(["Quibble frobs."]);
    expect(content[0].text).toContain("not found: Quibble frobs.");
    const { balance, held } = await readMoney(id);
    expect([Number(5_000_000n - balance), held]).toEqual([Number(cost_usd) * 1_000_000, 0n]);
    const long = await callTool(key, "verify", { text: "Zorbafen is a medicine. ".repeat(20) });
    expect(errorIn(long)).toMatchObject({ code: "invalid_request", param: "text" });
  });

  it("report errors with their code, and leave them in the request log", async () => {
    const { key, keyId } = await makeKeyedAccount({ scopes: ["kb:search"] });
    const refused = vi.fn();
    onRefusal(refused);
    for (const [name, args] of [
      ["fetch", { id: "doc_x" }],
      ["ask", { question: "Is it?" }],
      ["verify", { text: "It is [1].", sources: [{ text: "It is." }] }],
    ] as const) {
      expect(errorIn(await callTool(key, name, args)).code).toBe("insufficient_scope");
    }
    expect((await callTool(key, "search", {})).isError).toBe(true);
    const entry = { endpoint: "/mcp", status: 403, key_id: keyId };
    expect(refused).toHaveBeenCalledTimes(3);
    expect(refused).toHaveBeenLastCalledWith(expect.objectContaining(entry));
  });
});

describe("resources and prompts of /mcp", () => {
  it("are a document's text by URI, and an error for one that isn't there", async () => {
    const { key, document } = await makeReader();
    const { json } = await send({ method: "resources/templates/list" }, { key });
    expect(
      json.result.resourceTemplates.map((each: { uriTemplate: string }) => each.uriTemplate),
    ).toEqual(["footnote://documents/{id}", "footnote://passages/{id}"]);
    const read = (id: string) =>
      send({ method: "resources/read", params: { uri: `footnote://documents/${id}` } }, { key });
    expect((await read(document)).json.result.contents[0]).toMatchObject({
      text: TEXT,
      mimeType: "text/plain",
    });
    expect((await read("doc_x")).json.error).toMatchObject({ data: { code: "not_found" } });
  });

  it("ask for an answer with citations", async () => {
    const { key } = await makeKeyedAccount();
    const params = { name: "answer_with_citations", arguments: { question: "Why?" } };
    const { json } = await send({ method: "prompts/get", params }, { key });
    expect(json.result.messages[0].content.text).toContain("Why?");
  });
});
