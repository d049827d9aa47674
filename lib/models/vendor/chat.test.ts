import { describe, expect, it } from "vitest";
import { call, dispatch } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";

function ask(key: string, script: object, extra: object = {}) {
  const messages = [{ role: "user", content: `script:${JSON.stringify(script)}` }];
  return call("POST", "/v1/chat/completions", {
    key,
    body: { model: "scripted", messages, ...extra },
  });
}

async function askStreamed(key: string, script: object, model = "scripted"): Promise<string> {
  const messages = [{ role: "user", content: `script:${JSON.stringify(script)}` }];
  const response = await dispatch("http://localhost:3000/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages, stream: true }),
  });
  return response.text();
}

/** The completions asked for with a text. Other tests send passages to the same server, for reranking. */
function sent(needle: string) {
  return upstream().seen.filter(
    ({ body }) => "messages" in body && JSON.stringify(body).includes(needle),
  );
}

describe("an upstream model", () => {
  it("receives the caller's fields with its own model id, and answers with ours", async () => {
    const { key } = await makeKeyedAccount();
    const extra = {
      temperature: 0.3,
      tools: [{ type: "function", function: { name: "f" } }],
      brand_new: { a: 1 },
    };
    const { json } = await ask(key, { text: "Hi.", name: "pass-through" }, extra);
    expect(sent("pass-through")[0]?.body).toMatchObject({ ...extra, model: "upstream-model" });
    expect(json).toMatchObject({ model: "scripted", system_fingerprint: "fp_scripted" });
    expect(json.id).toMatch(/^chatcmpl-/);
    expect(json.usage).toMatchObject({
      prompt_tokens: 100,
      completion_tokens: 1,
      cost_usd: expect.any(String),
    });
  });

  it("has its cost repeated in a response header", async () => {
    const { key } = await makeKeyedAccount();
    const { json, headers } = await ask(key, { text: "Hi." });
    expect(headers.get("x-footnote-cost-usd")).toBe(json.usage.cost_usd);
    expect(headers.get("x-litellm-response-cost")).toBe(json.usage.cost_usd);
  });

  const FAILURES: [script: object, status: number, code: string, param: string | null][] = [
    [
      { status: 400, error: { message: "Bad temperature.", param: "temperature" } },
      400,
      "invalid_request",
      "temperature",
    ],
    [
      {
        status: 400,
        error: { message: "Too long.", param: "messages", code: "context_length_exceeded" },
      },
      400,
      "context_length_exceeded",
      "messages",
    ],
    [{ status: 401 }, 502, "upstream_error", null],
    [{ status: 403 }, 502, "upstream_error", null],
    [{ status: 404 }, 502, "upstream_error", null],
    [{ status: 429, headers: { "retry-after": "17" } }, 429, "rate_limit_exceeded", null],
    [{ status: 500 }, 502, "upstream_error", null],
  ];

  it.each(FAILURES)("has %o mapped to an API error", async (script, status, code, param) => {
    const { key, id } = await makeKeyedAccount();
    const { status: answered, json, headers } = await ask(key, script);
    expect([answered, json.error.code, json.error.param]).toEqual([status, code, param]);
    expect(headers.get("retry-after")).toBe(status === 429 ? "17" : null);
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("has its error message forwarded only if the caller can fix the request", async () => {
    const { key } = await makeKeyedAccount();
    const mine = await ask(key, { status: 400, error: { message: "Bad temperature." } });
    expect(mine.json.error.message).toBe("Bad temperature.");
    const ours = await ask(key, { status: 401, error: { message: "Incorrect key sk-secret" } });
    expect(ours.json.error.message).not.toMatch(/sk-secret/);
  });

  it("times out when it is too slow", async () => {
    const { key } = await makeKeyedAccount();
    const { status, json } = await ask(key, { delayMs: 1500 }, { model: "scripted-slow" });
    expect([status, json.error.code]).toEqual([504, "upstream_timeout"]);
  });

  it("has its usage counted locally if it reports invalid usage, and never a negative cost", async () => {
    const { key, id } = await makeKeyedAccount();
    const wrong = [
      {},
      { prompt_tokens: -5_000_000, completion_tokens: 1 },
      { prompt_tokens: 5, completion_tokens: null },
      { prompt_tokens: 1.5, completion_tokens: 1 },
      "many",
    ];
    for (const usage of wrong) {
      const before = (await readMoney(id)).balance;
      const { status, json } = await ask(key, { text: "One two three four.", usage });
      expect([status, json.usage.completion_tokens]).toEqual([200, 5]);
      const after = await readMoney(id);
      expect(after.balance).toBeLessThan(before);
      expect(after).toMatchObject({ held: 0n, ledgerSum: after.balance });
    }
  });

  it("causes an upstream error that costs nothing when its answer isn't a completion", async () => {
    const { key, id } = await makeKeyedAccount();
    for (const choices of [
      null,
      "x",
      [{ index: 0 }],
      [{ index: 0, message: { content: [{ type: "text" }] } }],
    ]) {
      const { status, json } = await ask(key, { choices }, { citations: { enabled: true } });
      expect([status, json.error.code]).toEqual([502, "upstream_error"]);
    }
    expect(await readMoney(id)).toMatchObject({ balance: 5_000_000n, held: 0n });
  });

  it("times out when it stays silent in a stream for too long", async () => {
    const { key, id } = await makeKeyedAccount();
    const { status, json } = await ask(
      key,
      { text: "a b", pieceMs: 1500 },
      { model: "scripted-slow" },
    );
    expect(status).toBe(200);
    expect(json.choices[0].message.content).toBe("a b");
    const response = await dispatch("http://localhost:3000/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "scripted-slow",
        stream: true,
        messages: [{ role: "user", content: 'script:{"text":"a b","pieceMs":1500}' }],
      }),
    });
    expect(await response.text()).toMatch(/"code":"upstream_timeout"/);
    expect(await readMoney(id)).toMatchObject({ held: 0n });
  });

  it("is retried after a transient failure before the first byte", async () => {
    const { key } = await makeKeyedAccount();
    const { status } = await ask(key, { failures: 1, name: "flaky" });
    expect(status).toBe(200);
    expect(sent("flaky")).toHaveLength(2);
  });

  it("is replaced by its fallback when it can't be reached, which the answer names", async () => {
    const { key } = await makeKeyedAccount();
    const { status, json } = await ask(
      key,
      { text: "From the fallback." },
      { model: "vendor/with-fallback" },
    );
    expect(status).toBe(200);
    expect(json.choices[0].message.content).toBe("From the fallback.");
    expect(json.model).toBe("scripted");
  });

  it("is billed at the rates of the fallback that answered, in plain answers, chunks and records", async () => {
    const { key, id } = await makeKeyedAccount({ models: ["scripted-priced"] });
    const script = { status: 500, only: "priced-model" };
    const { json } = await ask(key, script, { model: "scripted-priced" });
    const usage = await lastUsage(id);
    // 100 tokens at 11 dollars a million and 3 at 17.
    expect([json.model, usage.model, usage.costMicros]).toEqual([
      "scripted-dear",
      "scripted-dear",
      1151n,
    ]);
    expect(usage.rate).toEqual({ input: 11, output: 17 });
    const stream = await askStreamed(key, script, "scripted-priced");
    expect(stream).toContain('"model":"scripted-dear"');
    expect(stream).not.toContain("scripted-priced");
    expect((await lastUsage(id)).costMicros).toBe(1151n);
  });

  it("gets the fields that its entry allows, and the limit that it obeys", async () => {
    const { key } = await makeKeyedAccount({ models: ["scripted-priced", "scripted-dear"] });
    const extra = { service_tier: "auto", models: ["other"], max_completion_tokens: 1 };
    await ask(key, { name: "restricted" }, { model: "scripted-priced", ...extra });
    await ask(
      key,
      { name: "allowing" },
      { model: "scripted-dear", ...extra, service_tier: "priority" },
    );
    const restricted = sent("restricted")[0]?.body;
    expect(restricted).toMatchObject({ max_tokens: 1 });
    expect(Object.keys(restricted ?? {}).sort()).toEqual([
      "max_tokens",
      "messages",
      "model",
      "stream",
    ]);
    const allowing = sent("allowing")[0]?.body;
    expect(allowing).toMatchObject({ service_tier: "priority", max_completion_tokens: 1 });
    expect(allowing).not.toHaveProperty("models");
  });

  it.each([false, true])(
    "isn't believed when it reports zero for an answer (streamed: %s)",
    async (stream) => {
      const { key, id } = await makeKeyedAccount();
      const usage = { prompt_tokens: 0, completion_tokens: 0 };
      const script = { text: "One two three four.", usage };
      await (stream ? askStreamed(key, script) : ask(key, script));
      const { promptTokens, completionTokens } = await lastUsage(id);
      expect(promptTokens).toBeGreaterThan(5);
      expect(completionTokens).toBe(5);
    },
  );

  it("is billed by locally counted tokens when it reports no usage", async () => {
    const { key } = await makeKeyedAccount();
    const { json } = await ask(key, { text: "One two three four.", noUsage: true });
    expect(json.usage.completion_tokens).toBe(5);
    expect(json.usage.prompt_tokens).toBeGreaterThan(5);
  });
});
