import { encode } from "next-auth/jwt";
import { describe, expect, it } from "vitest";
import { db } from "@/lib/db";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";

const body = {
  name: "Bot",
  mode: "test",
  scopes: ["chat:completions"],
  knowledge_scopes: ["public_kb"],
};

/** The headers of a signed-in member's browser. */
async function signedIn(memberId: string, headers: Record<string, string> = {}) {
  const token = await encode({ token: { sub: memberId }, secret: "a-secret-for-tests-alone" });
  return {
    cookie: `next-auth.session-token=${token}`,
    origin: "http://localhost:3000",
    host: "localhost:3000",
    ...headers,
  };
}

describe("the console's doors to keys", () => {
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

  it("answer 401 without a session, with a forged one, and once the member is gone", async () => {
    const { ctx } = await makeAccount();
    const forged = await encode({ token: { sub: ctx.actor.id }, secret: "another-secret" });
    const gone = await signedIn(ctx.actor.id);
    await db().member.delete({ where: { id: ctx.actor.id } });
    const strangers: Record<string, string>[] = [
      {},
      { cookie: `next-auth.session-token=${forged}` },
      gone,
    ];
    for (const headers of strangers) {
      const { status, json } = await call("GET", "/api/keys", { headers });
      expect([status, json.error.type]).toEqual([401, "authentication_error"]);
    }
  });

  it("refuse a change that comes from another site", async () => {
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

  it("answer 404 for another account's key", async () => {
    const owner = await makeAccount();
    const stranger = await makeAccount();
    const key = await makeKey(owner.ctx);
    const { status } = await call("POST", `/api/keys/${key.id}/revoke`, {
      headers: await signedIn(stranger.ctx.actor.id),
    });
    expect(status).toBe(404);
    expect((await db().apiKey.findUniqueOrThrow({ where: { id: key.id } })).revokedAt).toBeNull();
  });

  it("give a key a monthly budget, and show it with what the key has spent", async () => {
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
      data: { keyId: made.json.key.id, month: new Date("2026-01-01"), spentMicros: 9_000_000n },
    });
    const listed = await call("GET", "/api/keys", { headers });
    expect(listed.json.data).toMatchObject([
      { monthly_budget_usd: "0.001200", month_spend_usd: "0.001000" },
    ]);
  });

  it("give a key no budget unless one is asked for", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    for (const budget of [{}, { monthly_budget_usd: null }]) {
      const { json } = await call("POST", "/api/keys", { body: { ...body, ...budget }, headers });
      expect(json.key).toMatchObject({ monthly_budget_usd: null, month_spend_usd: "0.000000" });
    }
  });

  it.each(["0.000001", "1000000", "1000000.000000", "0000050"])(
    "take a budget of %s dollars",
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

  it("name the field that is wrong", async () => {
    const { ctx } = await makeAccount();
    const { status, json } = await call("POST", "/api/keys", {
      body: { ...body, scopes: [] },
      headers: await signedIn(ctx.actor.id),
    });
    expect([status, json.error.param]).toEqual([400, "scopes"]);
  });
});
