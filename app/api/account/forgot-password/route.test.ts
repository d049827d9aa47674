import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newId } from "@/lib/id";
import { verifyPassword } from "@/lib/platform/auth/write/password";
import { requestPasswordReset } from "@/lib/platform/auth/write/reset";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { startMailbox } from "@/lib/testing/mailbox";
import { signedIn } from "@/lib/testing/session";

const ASK = "/api/account/forgot-password";
const RESET = "/api/account/reset-password";
const password = "a new correct horse";

let asked = 0;

/** Sends each request from a new IP address by default. */
function post(path: string, body: object, address = `198.51.100.${asked++}`) {
  return call("POST", path, { body, headers: { "x-forwarded-for": address } });
}

function tokenIn(text: string): string {
  return /\/reset-password#([\w-]{43})\b/.exec(text)?.[1] ?? "";
}

/** A member who has requested a link, and its token. */
async function askedByMail() {
  const mails = await startMailbox();
  const account = await makeAccount();
  await post(ASK, { email: account.email });
  await expect.poll(() => mails.length).toBe(1);
  return { ...account, mails, token: tokenIn(mails[0]?.text ?? "") };
}

describe("resetting a password", () => {
  it("works once with the emailed link, and ends every session and other link", async () => {
    const { email, ctx, mails, token } = await askedByMail();
    expect(mails[0]).toMatchObject({ to: email, subject: "Reset your Footnote password" });
    const headers = await signedIn(ctx.actor.id);
    await post(ASK, { email });
    await expect.poll(() => mails.length).toBe(2);
    const other = tokenIn(mails[1]?.text ?? "");
    expect(other).not.toBe(token);

    expect((await post(RESET, { token, password })).status).toBe(200);
    expect(await verifyPassword({ email, password })).toMatchObject({ id: ctx.actor.id });
    expect(await verifyPassword({ email, password: "correct horse battery" })).toBeNull();
    expect((await call("GET", "/api/keys", { headers })).status).toBe(401);
    for (const used of [token, other]) {
      const { status, json } = await post(RESET, { token: used, password: `${password}!` });
      expect([status, json.error.param]).toEqual([400, "token"]);
    }
    expect(await verifyPassword({ email, password })).not.toBeNull();
  });

  it.each([
    [true, 403],
    [false, 200],
  ])(
    "answers %s to revoking the member's keys with a status of %i",
    async (revoke_keys, status) => {
      const { ctx, token } = await askedByMail();
      const personal = await makeKey(ctx, { knowledge_scopes: ["personal_kb"] });
      const company = await makeKey(ctx);
      const { json } = await post(RESET, { token, password, revoke_keys });
      expect(json.revoked_keys).toBe(revoke_keys ? 2 : 0);
      for (const { secret } of [personal, company]) {
        expect((await call("GET", "/v1/models", { key: secret })).status).toBe(status);
      }
    },
  );

  it("rejects a link that is expired, forged or truncated", async () => {
    const { email, ctx, token } = await askedByMail();
    await db().passwordReset.updateMany({
      where: { memberId: ctx.actor.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    for (const wrong of [token, "A".repeat(43), token.slice(1), `${token}x`, "", null, { a: 1 }]) {
      const { status, json } = await post(RESET, { token: wrong, password });
      expect([status, json.error.param]).toEqual([400, "token"]);
    }
    expect(await verifyPassword({ email, password })).toBeNull();
  });

  it("rejects a short password without using up the link", async () => {
    const { token } = await askedByMail();
    const { status, json } = await post(RESET, { token, password: "short" });
    expect([status, json.error.param]).toEqual([400, "password"]);
    expect((await post(RESET, { token, password })).status).toBe(200);
  });

  it("succeeds once when the link is used twice concurrently", async () => {
    const { token } = await askedByMail();
    const statuses = await Promise.all(
      [password, `${password}!`].map(
        async (wanted) => (await post(RESET, { token, password: wanted })).status,
      ),
    );
    expect(statuses.toSorted()).toEqual([200, 400]);
  });
});

describe("requesting a link", () => {
  it("gets the same response whether or not the email is registered", async () => {
    const mails = await startMailbox();
    const { email } = await makeAccount();
    const known = await post(ASK, { email: ` ${email.toUpperCase()} ` });
    const unknown = await post(ASK, { email: `${newId("member")}@example.org` });
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(known.json).toEqual(unknown.json);
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([email]);
  });

  it("stores only the token's hash", async () => {
    const { ctx, token } = await askedByMail();
    const row = await db().passwordReset.findFirstOrThrow({ where: { memberId: ctx.actor.id } });
    expect(row.tokenHash).toHaveLength(32);
    expect(Buffer.from(row.tokenHash).toString("base64url")).not.toBe(token);
  });

  it.each([
    [false, 0],
    [true, 1],
  ])("without email configured, and LOG_RESET_LINKS %s, logs %i links", async (isLogged, links) => {
    env.LOG_RESET_LINKS = isLogged;
    onTestFinished(() => {
      env.LOG_RESET_LINKS = false;
    });
    const warn = vi.spyOn(log, "warn");
    const { email } = await makeAccount();
    await post(ASK, { email });
    const lines = warn.mock.calls.map((line) => JSON.stringify(line));
    warn.mockRestore();
    expect(lines.filter((line) => line.includes("password reset requested"))).toHaveLength(1);
    expect(lines.filter(tokenIn)).toHaveLength(links);
  });

  it("doesn't log the link when the mail server rejects it", async () => {
    await startMailbox({ refuses: true });
    const lines: unknown[] = [];
    const spies = (["warn", "error", "info"] as const).map((level) =>
      vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void lines.push(line)),
    );
    const { email } = await makeAccount();
    expect((await post(ASK, { email })).status).toBe(202);
    await expect
      .poll(() => JSON.stringify(lines))
      .toContain("sending a password reset link failed");
    for (const spy of spies) {
      spy.mockRestore();
    }
    expect(tokenIn(JSON.stringify(lines))).toBe("");
  });

  it("creates at most five links per member per hour", async () => {
    const { email, ctx } = await makeAccount();
    for (let time = 0; time < 7; time += 1) {
      await requestPasswordReset({ email });
    }
    expect(await db().passwordReset.count({ where: { memberId: ctx.actor.id } })).toBe(5);
  });

  it("is limited to five per minute per email and address, registered or not", async () => {
    for (const email of [(await makeAccount()).email, `${newId("member")}@example.org`]) {
      const statuses = [];
      for (let time = 0; time < 6; time += 1) {
        statuses.push((await post(ASK, { email }, "203.0.113.78")).status);
      }
      expect(statuses).toEqual([...Array(5).fill(202), 429]);
      expect((await post(ASK, { email }, "203.0.113.79")).status).toBe(202);
    }
  });

  it("is also limited by IP address", async () => {
    const statuses = [];
    for (let time = 0; time < 31; time += 1) {
      const email = `${newId("member")}@example.org`;
      statuses.push((await post(ASK, { email }, "203.0.113.77")).status);
    }
    expect(statuses).toEqual([...Array(30).fill(202), 429]);
  });

  it("rejects an invalid email and a cross-site request", async () => {
    const { status, json } = await post(ASK, { email: "nope" });
    expect([status, json.error.param]).toEqual([400, "email"]);
    for (const path of [ASK, RESET]) {
      const foreign = await call("POST", path, {
        body: {},
        headers: { origin: "https://evil.example" },
      });
      expect(foreign.status).toBe(403);
    }
  });
});
