import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newId } from "@/lib/id";
import { getKey, listKeys } from "@/lib/money/keys/read";
import { ListKeys } from "@/lib/money/keys/schema";
import { revokeKey } from "@/lib/money/keys/write/keys";
import { playgroundContext } from "@/lib/money/keys/write/playground";
import type { MemberContext } from "@/lib/platform/auth/context";
import { generateApiKey, hashSecret } from "@/lib/platform/auth/secret";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { consume } from "@/lib/platform/http/rate-limit";
import { call, dispatch } from "@/lib/testing/api";
import { lastUsage, makeAccount, makeKey, readMoney, setBalance } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { signedIn } from "@/lib/testing/session";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const PATH = "/api/playground/chat";
const QUESTION = "What are the signs of a stroke?";

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

function body(more: object = {}) {
  return {
    preset: "company",
    model: "footnote-extract-1",
    messages: [{ role: "user", content: QUESTION }],
    citations: { enabled: true },
    ...more,
  };
}

function scripted(script: object, more: object = {}) {
  const content = `script:${JSON.stringify(script)}`;
  return body({
    model: "scripted",
    messages: [{ role: "user", content }],
    citations: null,
    ...more,
  });
}

async function ask(ctx: MemberContext, sent: object) {
  return call("POST", PATH, { body: sent, headers: await signedIn(ctx.actor.id) });
}

/** Another member of the same account. */
async function joinAccount(ctx: MemberContext): Promise<MemberContext> {
  const id = newId("member");
  const email = `${id}@example.org`;
  await db().member.create({ data: { id, accountId: ctx.account.id, email, role: "member" } });
  return { ...ctx, actor: { kind: "member", id, email, name: null } };
}

async function uploadPersonal(ctx: MemberContext, text: string): Promise<void> {
  const { secret: key } = await makeKey(ctx, { knowledge_scopes: ["personal_kb"] });
  const { json } = await call("POST", "/v1/kb/documents", {
    key,
    body: { scope: "personal_kb", text },
  });
  const job = await call("GET", `/v1/kb/jobs/${json.job_id}?wait=15`, { key });
  expect(job.json.status).toBe("completed");
}

describe("the playground's endpoint", () => {
  it("answers as /v1 does, with what the same key would get, and charges for it", async () => {
    const { ctx, id } = await makeAccount();
    const { secret: key } = await makeKey(ctx);
    const { status, json, headers } = await ask(ctx, body());
    const { preset: _, ...same } = body();
    const direct = await call("POST", "/v1/chat/completions", { key, body: same });
    expect(status).toBe(200);
    expect(json.citations).toEqual(direct.json.citations);
    expect(json.choices).toEqual(direct.json.choices);
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    const records = await db().usageRecord.findMany({ where: { accountId: id } });
    expect(records.map(({ keyId }) => keyId)).toContain(`key_playground_company_${ctx.actor.id}`);
    expect(await readMoney(id)).toMatchObject({ held: 0n });
  });

  it("streams like /v1", async () => {
    const { ctx } = await makeAccount();
    const response = await dispatch(`http://localhost:3000${PATH}`, {
      method: "POST",
      headers: { ...(await signedIn(ctx.actor.id)), "content-type": "application/json" },
      body: JSON.stringify(body({ stream: true, stream_options: { include_usage: true } })),
    });
    const events = (await response.text()).split("\n\n").filter(Boolean);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(JSON.parse(events[0]?.slice(6) ?? "").citations.length).toBeGreaterThan(0);
    expect(JSON.parse(events.at(-2)?.slice(6) ?? "").usage.cost_usd).toMatch(/^0\.\d{6}$/);
    expect(events.at(-1)).toBe("data: [DONE]");
  });

  it("calls every model of the catalog, and doesn't send the preset upstream", async () => {
    const { ctx } = await makeAccount();
    const { status } = await ask(ctx, scripted({ text: "Hi.", name: "playground-fields" }));
    expect(status).toBe(200);
    const seen = upstream().seen.findLast(({ body: sent }) =>
      JSON.stringify(sent).includes("playground-fields"),
    );
    expect(Object.keys(seen?.body ?? {})).not.toContain("preset");
    expect(Object.keys(seen?.body ?? {})).not.toContain("citations");
  });

  it("answers 401 without a session", async () => {
    const { status, json } = await call("POST", PATH, { body: body() });
    expect([status, json.error.code]).toEqual([401, "missing_session"]);
  });

  it("doesn't accept an API key instead of a session", async () => {
    const { ctx } = await makeAccount();
    const { secret: key } = await makeKey(ctx);
    expect((await call("POST", PATH, { key, body: body() })).status).toBe(401);
  });

  it("rejects a cross-site request without creating a key", async () => {
    const { ctx, id } = await makeAccount();
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const more of foreign) {
      const headers = await signedIn(ctx.actor.id, more);
      expect((await call("POST", PATH, { body: body(), headers })).status).toBe(403);
    }
    expect(await db().apiKey.count({ where: { accountId: id } })).toBe(0);
  });

  it.each([
    [{ preset: undefined }, "preset"],
    [{ preset: "custom" }, "preset"],
    [{ messages: [] }, "messages"],
    [{ model: "no-such-model" }, "model"],
    [{ citations: { enabled: true, top_k: 51 } }, "citations.top_k"],
    [{ citations: { enabled: true, nonsense: 1 } }, "citations.nonsense"],
  ])("answers 400 for %j, naming what is wrong", async (wrong, param) => {
    const { ctx } = await makeAccount();
    const { status, json } = await ask(ctx, body(wrong));
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", param]);
  });

  it("answers 402 like /v1 when the balance is too low", async () => {
    const { ctx, id } = await makeAccount();
    const { secret: key } = await makeKey(ctx);
    await setBalance(id, 0);
    const { preset: _, ...same } = body();
    const here = await ask(ctx, body());
    const direct = await call("POST", "/v1/chat/completions", { key, body: same });
    expect(here.status).toBe(402);
    expect(here.json).toEqual(direct.json);
    expect(here.json.error).toMatchObject({
      code: "insufficient_balance",
      balance: expect.any(String),
      required: expect.any(String),
      topup_url: expect.stringContaining("/billing"),
    });
  });

  it("counts each request against its key's limits", async () => {
    const { ctx } = await makeAccount();
    expect((await ask(ctx, scripted({ text: "Hi." }))).status).toBe(200);
    await consume(`requests:key_playground_company_${ctx.actor.id}`, env.REQUESTS_PER_MINUTE, 1);
    const { status, json, headers } = await ask(ctx, scripted({ text: "Hi." }));
    expect([status, json.error.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("reads the upstream on when the browser disconnects, and bills what was generated", async () => {
    const { ctx, id } = await makeAccount();
    const sent = scripted(
      { text: "word ".repeat(400).trim(), pieceMs: 5, name: "playground-stop" },
      { stream: true },
    );
    const response = await dispatch(`http://localhost:3000${PATH}`, {
      method: "POST",
      headers: { ...(await signedIn(ctx.actor.id)), "content-type": "application/json" },
      body: JSON.stringify(sent),
    });
    const reader = response.body?.getReader();
    for (let chunk = 0; chunk < 10; chunk += 1) {
      await reader?.read();
    }
    await reader?.cancel();
    const seen = () =>
      upstream().seen.findLast(({ body: own }) => JSON.stringify(own).includes("playground-stop"));
    await expect.poll(async () => (await readMoney(id)).held, { timeout: 10_000 }).toBe(0n);
    expect(seen()?.isAborted).toBe(false);
    const usage = await lastUsage(id);
    expect(usage.status).toBe(499);
    expect(usage.completionTokens).toBe(400);
    expect(usage.costMicros).toBeGreaterThan(0n);
  });
});

describe("playground retrieval", () => {
  it("reads only the member's own documents with the 'personal' preset", async () => {
    const { ctx } = await makeAccount();
    const colleague = await joinAccount(ctx);
    await uploadPersonal(ctx, "The quokka rota of Amsler begins on 3 May at the zebrafish ward.");
    const messages = [{ role: "user", content: "When does the quokka rota of Amsler begin?" }];
    const sources = ["personal_kb"];
    const asked = body({ preset: "personal", messages, citations: { enabled: true, sources } });
    const own = await ask(ctx, asked);
    expect(own.json.citations[0]).toMatchObject({ scope: "personal_kb" });
    expect((await ask(colleague, asked)).json.citations).toEqual([]);
    const outsider = await makeAccount();
    expect((await ask(outsider.ctx, asked)).json.citations).toEqual([]);
  });

  it.each([
    ["company", "personal_kb"],
    ["personal", "customer_kb"],
  ])("is with '%s' never %s", async (preset, source) => {
    const { ctx } = await makeAccount();
    const citations = { enabled: true, sources: [source] };
    const { status, json } = await ask(ctx, body({ preset, citations }));
    expect([status, json.error.code]).toEqual([403, "insufficient_scope"]);
  });
});

describe("playground keys", () => {
  it("are unique per member and preset, even under concurrency", async () => {
    const { ctx, id } = await makeAccount();
    const colleague = await joinAccount(ctx);
    const presets = ["company", "personal"] as const;
    const contexts = await Promise.all(
      Array.from({ length: 6 }, () =>
        presets.flatMap((preset) => [
          playgroundContext(ctx, preset),
          playgroundContext(colleague, preset),
        ]),
      ).flat(),
    );
    expect(new Set(contexts.map(({ actor }) => actor.id)).size).toBe(4);
    expect(new Set(contexts.map(({ actor }) => actor.personId)).size).toBe(3);
    const keys = await db().apiKey.findMany({ where: { accountId: id } });
    expect(keys.map(({ purpose }) => purpose)).toEqual(Array(4).fill("playground"));
    expect(await db().keySecret.count({ where: { key: { accountId: id } } })).toBe(0);
  });

  it("have the budget of the setting, each month, whatever the balance", async () => {
    const before = env.PLAYGROUND_BUDGET_USD;
    onTestFinished(() => {
      env.PLAYGROUND_BUDGET_USD = before;
    });
    const { ctx, id } = await makeAccount();
    const { actor } = await playgroundContext(ctx, "company");
    const budget = async () =>
      (await db().apiKey.findFirstOrThrow({ where: { id: actor.id } })).monthlyBudgetMicros;
    expect(await budget()).toBe(10_000_000n);
    // Less than a single question.
    env.PLAYGROUND_BUDGET_USD = 0.000001;
    const { status, json } = await ask(ctx, body());
    expect([status, json.error.code]).toEqual([402, "key_budget_exceeded"]);
    expect(await budget()).toBe(1n);
    expect((await readMoney(id)).balance).toBe(5_000_000n);
  });

  it("aren't listed, and can't be read or revoked by id", async () => {
    const { ctx } = await makeAccount();
    const { actor } = await playgroundContext(ctx, "company");
    expect((await listKeys(ctx, ListKeys.parse({}))).data).toEqual([]);
    await expect(getKey(ctx, actor.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(revokeKey(ctx, actor.id)).rejects.toMatchObject({ code: "not_found" });
    expect((await ask(ctx, scripted({ text: "Still." }))).status).toBe(200);
  });

  it("open no endpoint to a bearer, even to one with a secret of theirs", async () => {
    const { ctx } = await makeAccount();
    const { actor } = await playgroundContext(ctx, "company");
    const secret = generateApiKey("test");
    await db().keySecret.create({
      data: {
        ...{ hash: hashSecret(secret), keyId: actor.id, accountId: ctx.account.id },
        lastFour: secret.slice(-4),
      },
    });
    const { status, json } = await call("GET", "/v1/models", { key: secret });
    expect([status, json.error.code]).toEqual([403, "invalid_api_key"]);
  });
});
