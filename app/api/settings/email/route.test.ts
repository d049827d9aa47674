import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { startMailbox } from "@/lib/testing/mailbox";
import { signedIn } from "@/lib/testing/session";

const password = "correct horse battery";
const KEY = { name: "Ward bot", mode: "test", scopes: ["kb:search"] };

let signUps = 0;

/** Someone who has just signed up on a server with mail, and the token they were sent. */
async function signUpByMail() {
  const mails = await startMailbox();
  const email = `${newId("member")}@example.org`;
  const signUp = () =>
    call("POST", "/api/account/sign-up", {
      body: { email, password },
      headers: { "x-forwarded-for": `198.51.100.${signUps++}` },
    });
  await signUp();
  await expect.poll(() => mails.length).toBe(1);
  const { id } = await db().member.findUniqueOrThrow({ where: { email } });
  const headers = await signedIn(id);
  const post = (path: string, body: object = {}) => call("POST", path, { body, headers });
  const token = () => /\/confirm-email#([\w-]{43})\b/.exec(mails.at(-1)?.text ?? "")?.[1] ?? "";
  return { id, email, mails, post, token, signUp };
}

/** Another mail may be sent now. */
async function waitForNextMail(id: string): Promise<void> {
  await db().member.update({ where: { id }, data: { signUpMailedAt: new Date(0) } });
}

describe("with mail, a new member", () => {
  it("creates the first key only after confirming the email", async () => {
    const { post, token } = await signUpByMail();
    const refused = await post("/api/keys", KEY);
    expect([refused.status, refused.json.error.code]).toEqual([403, "insufficient_scope"]);
    expect(refused.json.error.message).toContain("Confirm your email");
    const confirmed = await post("/api/settings/email/confirm", { token: token() });
    expect([confirmed.status, confirmed.json.status]).toEqual([200, "confirmed"]);
    expect((await post("/api/keys", KEY)).status).toBe(201);
  });

  it("gets another link at most every five minutes, and none once confirmed", async () => {
    const { id, post, token, mails } = await signUpByMail();
    const soon = await post("/api/settings/email/resend");
    expect([soon.status, soon.headers.get("retry-after")]).toEqual([429, "300"]);
    await waitForNextMail(id);
    expect((await post("/api/settings/email/resend")).status).toBe(200);
    await expect.poll(() => mails.length).toBe(2);
    expect((await post("/api/settings/email/confirm", { token: token() })).status).toBe(200);
    await waitForNextMail(id);
    expect((await post("/api/settings/email/resend")).status).toBe(200);
    expect((await db().member.findUniqueOrThrow({ where: { id } })).signUpMailedAt).toEqual(
      new Date(0),
    );
  });

  it("gets another link by signing up again", async () => {
    const { id, mails, signUp, token } = await signUpByMail();
    await waitForNextMail(id);
    await signUp();
    await expect.poll(() => mails.length).toBe(2);
    expect(token()).toHaveLength(43);
  });

  it("isn't confirmed by a link to another member, a forged one or one without the session", async () => {
    const mine = await signUpByMail();
    const other = await signUpByMail();
    for (const token of [other.token(), "A".repeat(43)]) {
      const { status, json } = await mine.post("/api/settings/email/confirm", { token });
      expect([status, json.error.param]).toEqual([400, "token"]);
    }
    const body = { token: mine.token() };
    expect((await call("POST", "/api/settings/email/confirm", { body })).status).toBe(401);
    const { emailConfirmedAt } = await db().member.findUniqueOrThrow({ where: { id: mine.id } });
    expect(emailConfirmedAt).toBeNull();
  });

  it("also confirms the email by choosing a new password", async () => {
    const { email, post, mails, id } = await signUpByMail();
    await call("POST", "/api/account/forgot-password", {
      body: { email },
      headers: { "x-forwarded-for": "198.51.100.250" },
    });
    await expect.poll(() => mails.length).toBe(2);
    const token = /\/reset-password#([\w-]{43})\b/.exec(mails[1]?.text ?? "")?.[1];
    await call("POST", "/api/account/reset-password", {
      body: { token, password: "another horse battery" },
    });
    expect((await post("/api/keys", KEY)).status).toBe(401);
    const headers = await signedIn(id);
    expect((await call("POST", "/api/keys", { body: KEY, headers })).status).toBe(201);
  });
});
