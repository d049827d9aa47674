import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { replaceForwardingEmbedder } from "@/lib/models/embedding";
import { call, dispatch } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { embedWithFake } from "@/lib/testing/fake-embedder";
import { fakeVector } from "@/lib/testing/fake-embeddings";
import { upstream } from "@/lib/testing/fake-upstream";
import { countTokens } from "@/lib/text/tokens";

const PATH = "/v1/embeddings";
let made = 0;

/** Configures an embedding model that follows a script, and returns its name and the requests it gets. */
function useModel(script: object = {}, variables: Record<string, string> = {}) {
  made += 1;
  const name = `embeddings-route-${made}`;
  const model = `embed script:${JSON.stringify({ name, ...script })}`;
  embedWithFake({ EMBEDDING_MODEL: model, ...variables });
  const seen = () => upstream().seen.filter(({ body }) => body.model === model);
  return { model, seen };
}

afterEach(() => replaceForwardingEmbedder(undefined));

const vectorOf = (text: string) => [...fakeVector(text)];

describe("POST /v1/embeddings", () => {
  it("returns a vector for each text, in order, and charges the tokens that the model reports", async () => {
    const { model } = useModel({}, { EMBEDDING_BATCH_SIZE: "2" });
    const { key, id } = await makeKeyedAccount();
    const input = ["heart attack", "broken leg", "stroke"];
    const { status, headers, json } = await call("POST", PATH, { key, body: { model, input } });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(json).toEqual({
      object: "list",
      data: input.map((text, index) => ({
        object: "embedding",
        index,
        embedding: vectorOf(text),
      })),
      model,
      usage: { prompt_tokens: 5, total_tokens: 5, cost: 0.000001, cost_usd: "0.000001" },
    });
    expect(headers.get("x-footnote-cost-usd")).toBe("0.000001");
    expect(headers.get("x-litellm-response-cost")).toBe("0.000001");
    expect(await readMoney(id)).toMatchObject({ balance: 4_999_999n, held: 0n });
    expect(await lastUsage(id)).toMatchObject({
      kind: "embedding",
      endpoint: PATH,
      promptTokens: 5,
      rate: { embedding_usd_per_million_tokens: 0.02 },
      status: 200,
    });
  });

  it("works with the stock client, which asks for base64, and sends texts in batches as they are", async () => {
    const { model, seen } = useModel(
      {},
      { EMBEDDING_BATCH_SIZE: "2", EMBEDDING_QUERY_PREFIX: "query: " },
    );
    const { key } = await makeKeyedAccount();
    const client = new OpenAI({
      apiKey: key,
      baseURL: "http://localhost:3000/v1",
      fetch: dispatch,
      maxRetries: 0,
    });
    const input = ["heart attack", "broken leg", "stroke"];
    const { data } = await client.embeddings.create({ model, input });
    expect(data.map(({ embedding }) => embedding)).toEqual(input.map(vectorOf));
    expect(seen().map(({ body }) => body.input)).toEqual([input.slice(0, 2), input.slice(2)]);
    const one = await client.embeddings.create({ model, input: "stroke", dimensions: 16 });
    expect(one.data[0]?.embedding).toEqual([...fakeVector("stroke", 16)]);
  });

  it("counts tokens itself where the model reports none", async () => {
    const { model } = useModel({ noUsage: true });
    const { key } = await makeKeyedAccount();
    const input = "The dose of warfarin is adjusted by INR. ".repeat(200);
    const { json } = await call("POST", PATH, { key, body: { model, input } });
    expect(json.usage.prompt_tokens).toBe(countTokens(input));
  });

  it("is a 404 with the reason without an embedding model", async () => {
    replaceForwardingEmbedder(null);
    const { key } = await makeKeyedAccount();
    const { status, json } = await call("POST", PATH, { key, body: { model: "m", input: "a" } });
    expect([status, json.error.code]).toEqual([404, "not_found"]);
    expect(json.error.message).toContain("EMBEDDING_MODEL");
  });

  it.each([
    ["token ids", { input: [1, 2, 3] }, "input.0", "not token ids"],
    ["lists of token ids", { input: [[1, 2], [3]] }, "input.0", "not token ids"],
    ["a blank text", { input: ["a", "  "] }, "input.1", "write some text"],
    ["no text", { input: [] }, "input", "at least one text"],
    ["too many texts", { input: Array(2049).fill("a") }, "input", "2,048"],
    ["too long a text", { input: ["a", "heart ".repeat(9000)] }, "input.1", "8,191"],
    ["too many tokens", { input: Array(60).fill("heart ".repeat(6000)) }, "input", "300,000"],
    ["another model", { input: "a", model: "text-embedding-4" }, "model", "Use 'embed script"],
    ["an unknown field", { input: "a", truncate: true }, "truncate", "truncate"],
  ])("refuses %s, free of charge", async (_, body, param, words) => {
    const { model, seen } = useModel();
    const { key, id } = await makeKeyedAccount();
    const { status, json } = await call("POST", PATH, { key, body: { model, ...body } });
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", param]);
    expect(json.error.message).toContain(words);
    expect(seen()).toEqual([]);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("refuses dimensions that the model can't return, free of charge", async () => {
    const { model } = useModel({ dimensions: 64 });
    const { key, id } = await makeKeyedAccount();
    const { status, json } = await call("POST", PATH, {
      key,
      body: { model, input: "stroke", dimensions: 32 },
    });
    expect([status, json.error.param]).toEqual([400, "dimensions"]);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("refuses a response that would be too large before the model is asked", async () => {
    const { model, seen } = useModel();
    const { key } = await makeKeyedAccount();
    const { status, json } = await call("POST", PATH, {
      key,
      body: { model, input: Array(2048).fill("a"), dimensions: 8192 },
    });
    expect([status, json.error.param]).toEqual([400, "input"]);
    expect(json.error.message).toContain("384 texts");
    expect(seen()).toEqual([]);
  });

  it.each([
    [400, 400, "invalid_request"],
    [401, 502, "upstream_error"],
    [429, 429, "rate_limit_exceeded"],
    [500, 502, "upstream_error"],
  ])("answers the model's %i with %i, free of charge", async (failure, expected, code) => {
    const { model } = useModel({ status: failure, headers: { "retry-after": "7" } });
    const { key, id } = await makeKeyedAccount();
    const { status, json } = await call("POST", PATH, { key, body: { model, input: "stroke" } });
    expect([status, json.error.code]).toEqual([expected, code]);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
    expect(await lastUsage(id)).toMatchObject({ status: expected, costMicros: 0n });
  });

  it.each([
    [
      "refused",
      { failures: 1, failure: { status: 400 } },
      { status: 400, costMicros: 30n, shortfallMicros: 0n },
    ],
    [
      "too long",
      { failures: 1, failure: { status: 413 } },
      { status: 400, costMicros: 30n, shortfallMicros: 0n },
    ],
    ["failing", { failures: 9 }, { status: 502, costMicros: 0n, shortfallMicros: 30n }],
    [
      "rate-limited",
      { failures: 9, failure: { status: 429 } },
      { status: 429, costMicros: 0n, shortfallMicros: 30n },
    ],
    ["without vectors", { data: "none" }, { status: 502, costMicros: 0n, shortfallMicros: 41n }],
  ])("charges or records the batches before one that is %s", async (_, script, expected) => {
    const { model, seen } = useModel({ after: 2, ...script }, { EMBEDDING_BATCH_SIZE: "1" });
    const { key, id } = await makeKeyedAccount();
    const input = [1000, 500, 500].map((count) => Array(count).fill("fever").join(" "));
    const { status } = await call("POST", PATH, { key, body: { model, input } });
    expect(status).toBe(expected.status);
    expect(
      seen()
        .slice(0, 3)
        .map(({ body }) => body.input),
    ).toEqual(input.map((text) => [text]));
    expect(await lastUsage(id)).toMatchObject({ promptTokens: 1500, ...expected });
    expect(await readMoney(id)).toMatchObject({
      balance: 5_000_000n - expected.costMicros,
      held: 0n,
    });
  });

  it("charges a client that leaves for the batches that the model got", async () => {
    const { model, seen } = useModel(
      { after: 1, delayMs: 30_000 },
      { EMBEDDING_BATCH_SIZE: "1", EMBEDDING_TIMEOUT_MS: "60000" },
    );
    const { key, id } = await makeKeyedAccount();
    const leave = new AbortController();
    const input = ["stroke", "fever and a cough", "never sent"];
    const answer = dispatch(`http://localhost:3000${PATH}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, input }),
      signal: leave.signal,
    }).catch(() => null);
    await expect.poll(() => seen().length).toBe(2);
    leave.abort();
    await answer;
    await expect
      .poll(() => lastUsage(id))
      .toMatchObject({
        status: 499,
        promptTokens: 1 + countTokens("fever and a cough"),
        costMicros: 1n,
      });
    expect((await readMoney(id)).held).toBe(0n);
    expect(seen()).toHaveLength(2);
  });

  it("respects the key's scope and budget", async () => {
    const { model, seen } = useModel();
    const searching = await makeKeyedAccount({ scopes: ["kb:search"] });
    const body = { model, input: "stroke ".repeat(1000) };
    const refused = await call("POST", PATH, { key: searching.key, body });
    expect([refused.status, refused.json.error.code]).toEqual([403, "insufficient_scope"]);
    const poor = await makeKeyedAccount({ monthly_budget_usd: "0.000001" });
    const spent = await call("POST", PATH, { key: poor.key, body });
    expect([spent.status, spent.json.error.code]).toEqual([402, "key_budget_exceeded"]);
    expect(seen()).toEqual([]);
  });
});
