import { encode } from "next-auth/jwt";
import { describe, expect, it } from "vitest";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { consume } from "@/lib/platform/http/rate-limit";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { makeSession, signedIn } from "@/lib/testing/session";

const body = {
  name: "Bot",
  mode: "test",
  scopes: ["chat:completions"],
  knowledge_scopes: ["public_kb"],
};

describe("the console's endpoints to keys", () => {
  it("limit a member's requests, and those of no other member", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    await consume(`member:${ctx.actor.id}`, env.CONSOLE_REQUESTS_PER_MINUTE, 1);
    const limited = await call("GET", "/api/keys", { headers });
    expect([limited.status, limited.json.error.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    const other = await signedIn((await makeAccount()).ctx.actor.id);
    expect((await call("GET", "/api/keys", { headers: other })).status).toBe(200);
  });

  it("make, list and revoke keys of the member's account", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    const made = await call("POST", "/api/keys", { body, headers });
    expect(made.status).toBe(201);
    const used = await call("GET", "/v1/models", { key: made.json.secret });
    expect(used.status).toBe(200);
    const listed = await call("GET", "/api/keys", { headers });
    expect(listed.json.data.map(({ id }: { id: string }) => id)).toEqual([made.json.key.id]);
    const revoked = await call("POST", `/api/keys/${made.json.key.id}/revoke`, { headers });
    expect(revoked.json.status).toBe("revoked");
    expect((await call("GET", "/v1/models", { key: made.json.secret })).status).toBe(403);
  });

  it("answers 401 without a session, with a forged or ended one, and after the member is removed", async () => {
    const { ctx } = await makeAccount();
    const sid = await makeSession(ctx.actor.id);
    const forged = await encode({ token: { sub: ctx.actor.id, sid }, secret: "another-secret" });
    const ended = await signedIn(ctx.actor.id);
    await db().memberSession.deleteMany({ where: { memberId: ctx.actor.id } });
    const gone = await signedIn(ctx.actor.id);
    await db().member.delete({ where: { id: ctx.actor.id } });
    const outsiders: Record<string, string>[] = [
      {},
      { cookie: `next-auth.session-token=${forged}` },
      ended,
      gone,
    ];
    for (const headers of outsiders) {
      const { status, json } = await call("GET", "/api/keys", { headers });
      expect([status, json.error.type]).toEqual([401, "authentication_error"]);
    }
  });

  it("rejects cross-site writes", async () => {
    const { ctx, id } = await makeAccount();
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { origin: "null" },
    ];
    for (const headers of foreign) {
      const { status } = await call("POST", "/api/keys", {
        body,
        headers: await signedIn(ctx.actor.id, headers),
      });
      expect(status).toBe(403);
    }
    expect(await db().apiKey.count({ where: { accountId: id } })).toBe(0);
  });

  it("answers 404 for another account's key", async () => {
    const owner = await makeAccount();
    const outsider = await makeAccount();
    const key = await makeKey(owner.ctx);
    const { status } = await call("POST", `/api/keys/${key.id}/revoke`, {
      headers: await signedIn(outsider.ctx.actor.id),
    });
    expect(status).toBe(404);
    expect((await db().apiKey.findFirstOrThrow({ where: { id: key.id } })).revokedAt).toBeNull();
  });

  it("sets a key's monthly budget and returns it with the key's spend", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    const wanted = { ...body, scopes: ["kb:search"], monthly_budget_usd: "0.0012" };
    const made = await call("POST", "/api/keys", { body: wanted, headers });
    expect(made.json.key).toMatchObject({
      monthly_budget_usd: "0.001200",
      month_spend_usd: "0.000000",
    });
    const search = () =>
      call("POST", "/v1/kb/search", { key: made.json.secret, body: { query: "stroke" } });
    expect([(await search()).status, (await search()).status]).toEqual([200, 200]);
    const third = await search();
    expect([third.status, third.json.error.code]).toEqual([402, "key_budget_exceeded"]);
    await db().keySpend.create({
      data: {
        ...{ accountId: ctx.account.id, keyId: made.json.key.id },
        ...{ month: new Date("2026-01-01"), spentMicros: 9_000_000n },
      },
    });
    const listed = await call("GET", "/api/keys", { headers });
    expect(listed.json.data).toMatchObject([
      { monthly_budget_usd: "0.001200", month_spend_usd: "0.001000" },
    ]);
  });

  it("sets no budget by default", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    for (const budget of [{}, { monthly_budget_usd: null }]) {
      const { json } = await call("POST", "/api/keys", { body: { ...body, ...budget }, headers });
      expect(json.key).toMatchObject({ monthly_budget_usd: null, month_spend_usd: "0.000000" });
    }
  });

  it.each(["0.000001", "1000000", "1000000.000000", "0000050"])(
    "accepts a budget of %s dollars",
    async (monthly_budget_usd) => {
      const { ctx } = await makeAccount();
      const headers = await signedIn(ctx.actor.id);
      const asked = { ...body, monthly_budget_usd };
      const { status, json } = await call("POST", "/api/keys", { body: asked, headers });
      expect(status).toBe(201);
      expect(Number(json.key.monthly_budget_usd)).toBe(Number(monthly_budget_usd));
    },
  );

  it.each([
    "0",
    "0.000000",
    "-5",
    "+5",
    "0.0000001",
    "1000000.000001",
    "9999999",
    "12345678",
    "1e3",
    "1,000",
    "5.",
    ".5",
    " 5",
    "$5",
    "",
    "NaN",
    "\u0665",
    50,
    {},
    true,
  ])("refuse %j as a budget", async (monthly_budget_usd) => {
    const { ctx, id } = await makeAccount();
    const { status, json } = await call("POST", "/api/keys", {
      body: { ...body, monthly_budget_usd },
      headers: await signedIn(ctx.actor.id),
    });
    expect([status, json.error.code, json.error.param]).toEqual([
      400,
      "invalid_request",
      "monthly_budget_usd",
    ]);
    expect(await db().apiKey.count({ where: { accountId: id } })).toBe(0);
  });

  it("names the invalid field", async () => {
    const { ctx } = await makeAccount();
    const { status, json } = await call("POST", "/api/keys", {
      body: { ...body, scopes: [] },
      headers: await signedIn(ctx.actor.id),
    });
    expect([status, json.error.param]).toEqual([400, "scopes"]);
  });
});

describe("changing and rotating a key through its endpoints", () => {
  const changes = { name: "Renamed", monthly_budget_usd: "10", requests_per_minute: 5 };

  it("updates the editable settings, and returns a new secret once", async () => {
    const { ctx } = await makeAccount();
    const { id, secret } = await makeKey(ctx);
    const headers = await signedIn(ctx.actor.id);
    const changed = await call("POST", `/api/keys/${id}`, { body: changes, headers });
    expect([changed.status, changed.json]).toMatchObject([
      200,
      { name: "Renamed", monthly_budget_usd: "10.000000", requests_per_minute: 5 },
    ]);
    const body = { overlap_seconds: 3600 };
    const rotated = await call("POST", `/api/keys/${id}/rotate`, { body, headers });
    expect(rotated.status).toBe(200);
    for (const key of [secret, rotated.json.secret]) {
      expect((await call("GET", "/v1/billing/credits", { key })).status).toBe(200);
    }
    const listed = await call("GET", "/api/keys", { headers });
    expect(JSON.stringify(listed.json)).not.toContain(rotated.json.secret);
  });

  it.each([
    [{ ...changes, name: "" }, "name"],
    [{ ...changes, name: "a\0b" }, "name"],
    [{ ...changes, models: ["nope"] }, "models.0"],
    [{ ...changes, models: ["scripted", "scripted"] }, "models"],
    [{ ...changes, models: ["*", "scripted"] }, "models"],
    [{ ...changes, query_mode: "all" }, "query_mode"],
    [{ ...changes, requests_per_minute: 0 }, "requests_per_minute"],
    [{ ...changes, requests_per_minute: 601 }, "requests_per_minute"],
    [{ ...changes, tokens_per_minute: 1.5 }, "tokens_per_minute"],
    [{ ...changes, tokens_per_minute: 1_000_001 }, "tokens_per_minute"],
    [{ ...changes, scopes: ["billing:write"] }, "scopes"],
    [{ ...changes, knowledge_scopes: ["personal_kb"] }, "knowledge_scopes"],
    [{ name: null }, "name"],
  ])("refuses the change %j and names the field", async (body, param) => {
    const { ctx } = await makeAccount();
    const { id } = await makeKey(ctx);
    const headers = await signedIn(ctx.actor.id);
    const { status, json } = await call("POST", `/api/keys/${id}`, { body, headers });
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", param]);
    expect((await db().apiKey.findFirstOrThrow({ where: { id } })).name).toBe("test");
  });

  it.each([5, -1, "3600", null, 604_801])("rejects an overlap of %j", async (overlap_seconds) => {
    const { ctx } = await makeAccount();
    const { id } = await makeKey(ctx);
    const { status, json } = await call("POST", `/api/keys/${id}/rotate`, {
      body: { overlap_seconds },
      headers: await signedIn(ctx.actor.id),
    });
    expect([status, json.error.param]).toEqual([400, "overlap_seconds"]);
    expect(await db().keySecret.count({ where: { keyId: id } })).toBe(1);
  });

  it("answers 401 to outsiders, 403 to other sites, 404 for another account's key", async () => {
    const { ctx } = await makeAccount();
    const { id } = await makeKey(ctx);
    const outsider = await makeAccount();
    const endpoints: [string, object][] = [
      [`/api/keys/${id}`, changes],
      [`/api/keys/${id}/rotate`, { overlap_seconds: 0 }],
    ];
    for (const [path, body] of endpoints) {
      const statusOf = async (headers: Record<string, string>) =>
        (await call("POST", path, { body, headers })).status;
      expect(await statusOf({})).toBe(401);
      expect(await statusOf(await signedIn(ctx.actor.id, { origin: "https://evil.example" }))).toBe(
        403,
      );
      expect(await statusOf(await signedIn(outsider.ctx.actor.id))).toBe(404);
    }
    expect(await db().keySecret.count({ where: { keyId: id } })).toBe(1);
  });
});
