import { describe, expect, it } from "vitest";
import { Settings } from "@/lib/platform/auth/settings-schema";
import { verifyPassword } from "@/lib/platform/auth/write/password";
import { requestPasswordReset } from "@/lib/platform/auth/write/reset";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";

const PASSWORD = "correct horse battery";
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0";

function post(path: string, headers: Record<string, string>, body: object = {}) {
  return call("POST", path, { body, headers });
}

const ENDPOINTS: [string, object][] = [
  ["/api/settings/profile", { name: "Ana" }],
  ["/api/settings/account", { name: "Ward 7" }],
  ["/api/settings/password", { current_password: PASSWORD, password: "another password" }],
  ["/api/settings/sessions/end-others", {}],
  ["/api/settings/sessions/ses_x/end", {}],
  ["/api/settings/close", { confirmation: "Ward 7" }],
];

describe("every endpoint of the settings", () => {
  it("answers 401 to strangers and 403 to other sites, and changes nothing", async () => {
    const { ctx, id } = await makeAccount();
    const before = await db().account.findUniqueOrThrow({ where: { id } });
    for (const [path, body] of ENDPOINTS) {
      expect((await post(path, {}, body)).status, path).toBe(401);
      const foreign = await signedIn(ctx.actor.id, { origin: "https://evil.example" });
      expect((await post(path, foreign, body)).status, path).toBe(403);
    }
    expect(await db().account.findUniqueOrThrow({ where: { id } })).toEqual(before);
    expect((await call("GET", "/api/settings")).status).toBe(401);
  });

  it.each([
    ["/api/settings/profile", {}, "name"],
    ["/api/settings/profile", { name: "a\0b" }, "name"],
    ["/api/settings/profile", { name: "x".repeat(101) }, "name"],
    ["/api/settings/profile", { name: "x", role: "owner" }, "role"],
    ["/api/settings/account", { name: "  " }, "name"],
    ["/api/settings/account", { name: "\ud800" }, "name"],
    ["/api/settings/password", { password: "long enough it is" }, "current_password"],
    ["/api/settings/password", { current_password: PASSWORD, password: "short" }, "password"],
    [
      "/api/settings/password",
      { current_password: "wrong", password: "long enough" },
      "current_password",
    ],
    ["/api/settings/close", { confirmation: "another name" }, "confirmation"],
    ["/api/settings/close", {}, "confirmation"],
  ])("%s refuses %j and names the field", async (path, body, param) => {
    const { ctx } = await makeAccount();
    const { status, json } = await post(path, await signedIn(ctx.actor.id), body);
    expect([status, json.error.code, json.error.param]).toEqual([400, "invalid_request", param]);
  });
});

describe("settings", () => {
  it("include the member, the account and the sessions, but no hash", async () => {
    const { ctx, email } = await makeAccount();
    const headers = await signedIn(ctx.actor.id, { "user-agent": CHROME });
    await signedIn(ctx.actor.id);
    const { json } = await call("GET", "/api/settings", { headers });
    expect(Settings.parse(json)).toMatchObject({
      profile: { id: ctx.actor.id, email, role: "owner", has_password: true },
      members: [{ id: ctx.actor.id, role: "owner" }],
      invitations: [],
    });
    expect(json.sessions).toHaveLength(2);
    expect(json.sessions.filter((each: { is_current: boolean }) => each.is_current)).toMatchObject([
      { user_agent: CHROME },
    ]);
    expect(JSON.stringify(json)).not.toMatch(/argon2|hash/i);
  });

  it("set and clear the name", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    const named = await post("/api/settings/profile", headers, { name: " Ana " });
    expect(named.json.profile.name).toBe("Ana");
    const nameless = await post("/api/settings/profile", headers, { name: "" });
    expect(nameless.json.profile.name).toBeNull();
    const account = await post("/api/settings/account", headers, { name: "Ward 7" });
    expect(account.json.account.name).toBe("Ward 7");
  });
});

describe("changing the password", () => {
  it("ends the other sessions and pending links, but not this session", async () => {
    const { ctx, email } = await makeAccount();
    const here = await signedIn(ctx.actor.id);
    const elsewhere = await signedIn(ctx.actor.id);
    await requestPasswordReset({ email });
    const password = "another correct horse";
    const { status, json } = await post("/api/settings/password", here, {
      current_password: PASSWORD,
      password,
    });
    expect([status, json.sessions.length]).toEqual([200, 1]);
    expect((await call("GET", "/api/settings", { headers: here })).status).toBe(200);
    expect((await call("GET", "/api/settings", { headers: elsewhere })).status).toBe(401);
    expect(await db().passwordReset.count({ where: { memberId: ctx.actor.id } })).toBe(0);
    expect(await verifyPassword({ email, password })).not.toBeNull();
  });

  it("is rate limited after ten attempts, even with the correct password", async () => {
    const { ctx, email } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    const attempt = (current_password: string) =>
      post("/api/settings/password", headers, { current_password, password: "long enough it is" });
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await attempt(`guess ${tries}`)).status).toBe(400);
    }
    const { status, json, headers: sent } = await attempt(PASSWORD);
    expect([status, json.error.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(json.error.message).toMatch(/Wait \d+ s and try again/);
    expect(Number(sent.get("retry-after"))).toBeGreaterThan(0);
    expect(await verifyPassword({ email, password: PASSWORD })).not.toBeNull();
  });
});

describe("sessions", () => {
  it("can be ended individually or all but this one, effective immediately", async () => {
    const { ctx } = await makeAccount();
    const [here, second, third] = [
      await signedIn(ctx.actor.id),
      await signedIn(ctx.actor.id, { "user-agent": CHROME }),
      await signedIn(ctx.actor.id),
    ];
    const { json } = await call("GET", "/api/settings", { headers: here });
    const chrome = json.sessions.find((each: { user_agent: string }) => each.user_agent === CHROME);
    const path = `/api/settings/sessions/${chrome.id}/end`;
    expect((await post(path, here)).json.sessions).toHaveLength(2);
    expect((await post(path, here)).status).toBe(404);
    expect((await call("GET", "/api/settings", { headers: second })).status).toBe(401);
    expect((await call("GET", "/api/settings", { headers: third })).status).toBe(200);
    expect((await post("/api/settings/sessions/end-others", here)).json.sessions).toHaveLength(1);
    expect((await call("GET", "/api/settings", { headers: third })).status).toBe(401);
    expect((await call("GET", "/api/settings", { headers: here })).status).toBe(200);
  });

  it("of another member aren't found and stay active", async () => {
    const { ctx } = await makeAccount();
    const theirs = await signedIn(ctx.actor.id);
    const { id } = await db().memberSession.findFirstOrThrow({ where: { memberId: ctx.actor.id } });
    const outsider = await makeAccount();
    const headers = await signedIn(outsider.ctx.actor.id);
    expect((await post(`/api/settings/sessions/${id}/end`, headers)).status).toBe(404);
    expect((await call("GET", "/api/settings", { headers: theirs })).status).toBe(200);
  });

  it("expire after thirty days", async () => {
    const { ctx } = await makeAccount();
    const headers = await signedIn(ctx.actor.id);
    await db().memberSession.updateMany({
      where: { memberId: ctx.actor.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect((await call("GET", "/api/settings", { headers })).status).toBe(401);
  });
});
