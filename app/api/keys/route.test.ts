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

  it("name the field that is wrong", async () => {
    const { ctx } = await makeAccount();
    const { status, json } = await call("POST", "/api/keys", {
      body: { ...body, scopes: [] },
      headers: await signedIn(ctx.actor.id),
    });
    expect([status, json.error.param]).toEqual([400, "scopes"]);
  });
});
