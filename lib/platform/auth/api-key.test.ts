import { describe, expect, it } from "vitest";
import { revokeKey } from "@/lib/money/keys/write/keys";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { call, openai } from "@/lib/testing/api";
import { makeAccount, makeKey, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { setLimit } from "@/lib/testing/set-limit";
import { SCOPES } from "./schema";
import { generateApiKey } from "./secret";

/** Every /v1 endpoint with its required scope and a valid body. */
const ENDPOINTS = [
  [
    "POST",
    "/v1/chat/completions",
    "chat:completions",
    { model: "footnote-extract-1", messages: [{ role: "user", content: "Hello" }] },
  ],
  ["GET", "/v1/models", "chat:completions", undefined],
  ["GET", "/v1/models/footnote-extract-1", "chat:completions", undefined],
  ["POST", "/v1/kb/search", "kb:search", { query: "asthma" }],
  ["POST", "/v1/kb/documents", "kb:documents:write", { scope: "customer_kb", text: "Hello." }],
  ["GET", "/v1/kb/documents", "kb:documents:read", undefined],
  ["GET", "/v1/kb/documents/doc_x", "kb:documents:read", undefined],
  ["DELETE", "/v1/kb/documents/doc_x", "kb:documents:write", undefined],
  ["GET", "/v1/kb/jobs/job_x", "kb:documents:read", undefined],
  ["GET", "/v1/billing/credits", "billing:read", undefined],
] as const;

describe("the API key gate", () => {
  it("5 answers 401 missing_api_key without a bearer token, on every endpoint", async () => {
    for (const [method, path, , body] of ENDPOINTS) {
      for (const authorization of ["", "Basic Zm9v", "Bearer", "Bearer  ", "footnote_test_x"]) {
        const { status, json, headers } = await call(method, path, {
          body,
          headers: { authorization },
        });
        expect([status, json.error.code, json.error.type]).toEqual([
          401,
          "missing_api_key",
          "authentication_error",
        ]);
        expect(headers.get("x-request-id")).toMatch(/^req_/);
      }
    }
  });

  it("5 answers 403 invalid_api_key to malformed, unknown, revoked and expired keys alike", async () => {
    const { ctx } = await makeAccount();
    const good = await makeKey(ctx);
    const revoked = await makeKey(ctx);
    await revokeKey(ctx, revoked.id);
    const expired = await makeKey(ctx);
    await db().apiKey.updateMany({
      where: { id: expired.id },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    const wrong = [
      "nope",
      "sk-123",
      good.secret.slice(0, -1),
      `${good.secret}x`,
      good.secret.replace("_test_", "_live_"),
      good.secret.slice(0, 20) + (good.secret[20] === "a" ? "b" : "a") + good.secret.slice(21),
      generateApiKey("live"),
      revoked.secret,
      expired.secret,
    ];
    const bodies = new Set<string>();
    for (const key of wrong) {
      const { status, json } = await call("GET", "/v1/models", { key });
      expect([status, json.error.code, json.error.type]).toEqual([
        403,
        "invalid_api_key",
        "authentication_error",
      ]);
      bodies.add(JSON.stringify(json));
    }
    expect(bodies.size).toBe(1);
  });

  it("5 charges live and test keys to the same balance", async () => {
    const { id, ctx } = await makeAccount();
    for (const mode of ["live", "test"] as const) {
      const before = (await readMoney(id)).balance;
      const { secret } = await makeKey(ctx, { mode });
      expect(secret).toMatch(new RegExp(`^footnote_${mode}_`));
      await openai(secret).chat.completions.create({
        model: "footnote-extract-1",
        messages: [{ role: "user", content: "Hello" }],
      });
      expect((await readMoney(id)).balance).toBeLessThan(before);
    }
  });

  it("5 answers 403 insufficient_scope to a key without the endpoint's scope", async () => {
    const { ctx } = await makeAccount();
    for (const [method, path, scope, body] of ENDPOINTS) {
      const { secret } = await makeKey(ctx, { scopes: SCOPES.filter((other) => other !== scope) });
      const { status, json } = await call(method, path, { key: secret, body });
      expect([path, status, json.error.code, json.error.type]).toEqual([
        path,
        403,
        "insufficient_scope",
        "permission_error",
      ]);
    }
  });

  it("5 rejects a key on the first request after it is revoked", async () => {
    const { ctx, key, keyId } = await makeKeyedAccount();
    expect((await call("GET", "/v1/models", { key })).status).toBe(200);
    await revokeKey(ctx, keyId);
    expect((await call("GET", "/v1/models", { key })).status).toBe(403);
  });

  it("5 applies the models, scopes and limits that a key was last given from the next request on", async () => {
    const { key, keyId } = await makeKeyedAccount({ models: ["footnote-extract-1"] });
    const [, path, , body] = ENDPOINTS[0];
    const ask = () => call("POST", path, { key, body });
    // As another process would, without this one's knowledge.
    const change = (data: object) => db().apiKey.updateMany({ where: { id: keyId }, data });
    expect((await ask()).status).toBe(200);
    await change({ models: ["scripted"] });
    expect((await ask()).json.error).toMatchObject({ code: "invalid_request", param: "model" });
    await change({ models: ["footnote-extract-1"], requestsPerMinute: 60 });
    const again = await ask();
    expect([again.status, again.headers.get("x-ratelimit-limit-requests")]).toEqual([200, "60"]);
    await change({ scopes: SCOPES.filter((scope) => scope !== "chat:completions") });
    expect((await ask()).json.error.code).toBe("insufficient_scope");
    await change({ scopes: [...SCOPES], expiresAt: new Date(Date.now() - 1000) });
    expect((await ask()).json.error.code).toBe("invalid_api_key");
  });

  it("checks the credential, then the scope, then the body, so validation reveals nothing to outsiders", async () => {
    const { ctx } = await makeAccount();
    const raw = "{not json";
    const headers = { "content-type": "text/plain" };
    const { secret: scopeless } = await makeKey(ctx, { scopes: ["billing:read"] });
    const { secret: good } = await makeKey(ctx);
    const post = (key?: string) =>
      call("POST", "/v1/chat/completions", { raw, headers, ...(key && { key }) });
    expect((await post()).status).toBe(401);
    expect((await post("nope")).status).toBe(403);
    expect((await post(scopeless)).json.error.code).toBe("insufficient_scope");
    expect((await post(good)).status).toBe(415);
  });

  it("reports the remaining rate limit, and answers 429 with retry-after beyond it", async () => {
    const { ctx } = await makeAccount();
    const { id, secret } = await makeKey(ctx);
    await db().apiKey.updateMany({ where: { id }, data: { requestsPerMinute: 2 } });
    const first = await call("GET", "/v1/models", { key: secret });
    expect(first.headers.get("x-ratelimit-limit-requests")).toBe("2");
    expect(first.headers.get("x-ratelimit-remaining-requests")).toBe("1");
    expect(first.headers.get("x-ratelimit-reset-requests")).toMatch(/^\d+\.\d{3}s$/);
    await call("GET", "/v1/models", { key: secret });
    const third = await call("GET", "/v1/models", { key: secret });
    expect([third.status, third.json.error.code, third.json.error.type]).toEqual([
      429,
      "rate_limit_exceeded",
      "rate_limit_error",
    ]);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("limits the requests of all keys of an account together, and reports the tighter limit", async () => {
    setLimit("ACCOUNT_REQUESTS_PER_MINUTE", 3);
    const { ctx } = await makeAccount();
    const keys = [await makeKey(ctx), await makeKey(ctx), await makeKey(ctx), await makeKey(ctx)];
    const responses = [];
    for (const { secret } of keys) {
      responses.push(await call("GET", "/v1/models", { key: secret }));
    }
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(responses[0]?.headers.get("x-ratelimit-limit-requests")).toBe("3");
    expect(responses[0]?.headers.get("x-ratelimit-limit-tokens")).toBe(
      String(env.TOKENS_PER_MINUTE),
    );
    expect(responses[3]?.json.error).toMatchObject({
      code: "rate_limit_exceeded",
      message: expect.stringContaining("Your account reached its limit of 3 requests per minute."),
    });
    const { key } = await makeKeyedAccount();
    expect((await call("GET", "/v1/models", { key })).status).toBe(200);
  });

  it("doesn't count what a key's own limit refuses against the account's other keys", async () => {
    setLimit("ACCOUNT_REQUESTS_PER_MINUTE", 3);
    const { ctx } = await makeAccount();
    const { id, secret } = await makeKey(ctx);
    await db().apiKey.updateMany({ where: { id }, data: { requestsPerMinute: 1 } });
    for (const status of [200, 429, 429, 429]) {
      const { status: got, json } = await call("GET", "/v1/models", { key: secret });
      expect([got, json.error?.message ?? ""]).toEqual([
        status,
        status === 200 ? "" : expect.stringContaining("its limit of 1 request per minute."),
      ]);
    }
    const other = await makeKey(ctx);
    expect((await call("GET", "/v1/models", { key: other.secret })).status).toBe(200);
  });

  it("counts the tokens of all keys of an account together", async () => {
    setLimit("ACCOUNT_TOKENS_PER_MINUTE", 5);
    const { ctx } = await makeAccount();
    const [one, other] = [await makeKey(ctx), await makeKey(ctx)];
    const body = {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: "What is asthma, and what helps?" }],
    };
    const first = await call("POST", "/v1/chat/completions", { key: one.secret, body });
    expect(first.status).toBe(200);
    const { status, headers } = await call("GET", "/v1/models", { key: other.secret });
    expect([status, headers.get("x-ratelimit-limit-tokens")]).toEqual([429, "5"]);
  });

  it("counts used tokens against the key's tokens-per-minute limit", async () => {
    const { ctx } = await makeAccount();
    const { id, secret } = await makeKey(ctx);
    await db().apiKey.updateMany({ where: { id }, data: { tokensPerMinute: 20 } });
    const ask = () =>
      call("POST", "/v1/chat/completions", {
        key: secret,
        body: {
          model: "footnote-extract-1",
          messages: [{ role: "user", content: "What is asthma, and what helps?" }],
        },
      });
    expect((await ask()).status).toBe(200);
    expect((await ask()).json.error.code).toBe("rate_limit_exceeded");
  });

  it("records when a key was last used", async () => {
    const { key, keyId } = await makeKeyedAccount();
    await call("GET", "/v1/models", { key });
    await expect
      .poll(async () => (await db().apiKey.findFirstOrThrow({ where: { id: keyId } })).lastUsedAt)
      .toBeInstanceOf(Date);
  });
});
