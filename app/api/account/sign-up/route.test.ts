import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "@/lib/id";
import { isKnownBrowser, knownBrowserCookie } from "@/lib/platform/auth/known-browser";
import { consumeAttempt } from "@/lib/platform/auth/limits";
import { createInvitation } from "@/lib/platform/auth/write/invitation";
import { verifyPassword } from "@/lib/platform/auth/write/password";
import { findOrCreateMember } from "@/lib/platform/auth/write/sign-up";
import { db } from "@/lib/platform/db/client";
import { type Env, env } from "@/lib/platform/env";
import { call } from "@/lib/testing/api";
import { makeAccount, readMoney } from "@/lib/testing/factories";
import { startMailbox } from "@/lib/testing/mailbox";

const PATH = "/api/account/sign-up";
const password = "correct horse battery";

function fresh(): string {
  return `${newId("member")}@example.org`;
}

/** Changes settings until the test ends. */
function withEnv(changes: Partial<Env>): void {
  // With the names that aren't set, which would otherwise stay.
  const names = Object.keys(changes) as (keyof Env)[];
  const before = Object.fromEntries(names.map((name) => [name, env[name]]));
  Object.assign(env, changes);
  onTestFinished(() => void Object.assign(env, before));
}

function findMember(email: string) {
  return db().member.findUnique({ where: { email } });
}

describe("sign-up", () => {
  it("creates an account with its owner", async () => {
    const email = fresh();
    const { status, json } = await call("POST", PATH, {
      body: { email: ` ${email.toUpperCase()} `, password },
    });
    expect([status, json]).toEqual([202, { object: "sign_up", status: "accepted", email }]);
    const member = await db().member.findUniqueOrThrow({ where: { email } });
    expect(member).toMatchObject({
      role: "owner",
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
    });
    expect(await verifyPassword({ email: email.toUpperCase(), password })).toMatchObject({
      id: member.id,
    });
    expect(await verifyPassword({ email, password: `${password}!` })).toBeNull();
    expect(await verifyPassword({ email: fresh(), password })).toBeNull();
  });

  it.each([
    ["only the embedded model", { MODELS: undefined }, 5_000_000n],
    ["only the embedded model, by name", { MODELS: '[{"id":"footnote-extract-1"}]' }, 5_000_000n],
    ["a model of an upstream", { MODELS: "footnote-extract-1, gpt-5-mini" }, 0n],
    ["an embedding model", { MODELS: undefined, EMBEDDING_MODEL: "embed-1" }, 0n],
  ])("with %s grants what costs the operator nothing", async (_name, changes, granted) => {
    withEnv({ SIGNUP_GRANT_USD: 5, ...changes });
    const email = fresh();
    await call("POST", PATH, { body: { email, password } });
    const { accountId } = await db().member.findUniqueOrThrow({ where: { email } });
    expect(await readMoney(accountId)).toMatchObject({ balance: granted, ledgerSum: granted });
  });

  it("answers the same for a taken email in any case, and changes nothing", async () => {
    const email = fresh();
    const first = await call("POST", PATH, { body: { email, password } });
    const before = [await db().account.count(), await findMember(email)];
    const second = await call("POST", PATH, {
      body: { email: email.toUpperCase(), password: "another horse battery" },
    });
    expect([second.status, second.json]).toEqual([first.status, first.json]);
    expect([...second.headers.keys()]).toEqual([...first.headers.keys()]);
    expect([await db().account.count(), await findMember(email)]).toEqual(before);
    expect(await verifyPassword({ email, password })).not.toBeNull();
  });

  it("tells only the owner of a taken email, by mail, and at most once in five minutes", async () => {
    const { email } = await makeAccount();
    const mails = await startMailbox();
    for (let time = 0; time < 3; time += 1) {
      await call("POST", PATH, { body: { email, password } });
    }
    const newcomer = fresh();
    await call("POST", PATH, { body: { email: newcomer, password } });
    await expect.poll(() => mails.length).toBe(2);
    expect(mails.map(({ to, subject }) => [to, subject]).toSorted()).toEqual(
      [
        [email, "You already have a Footnote account"],
        [newcomer, "Confirm your email for Footnote"],
      ].toSorted(),
    );
  });

  it.each(["invite", "closed"] as const)("is refused with SIGN_UP=%s", async (mode) => {
    withEnv({ SIGN_UP: mode });
    const email = fresh();
    const { status, json } = await call("POST", PATH, { body: { email, password } });
    expect([status, json.error.code]).toEqual([403, "insufficient_scope"]);
    const identity = { provider: "github", subject: newId("member"), email, name: null };
    expect(await findOrCreateMember(identity)).toBe("sign_up_closed");
    expect(await findMember(email)).toBeNull();
  });

  it("accepts invitations unless it is closed", async () => {
    const { ctx } = await makeAccount();
    const email = fresh();
    withEnv({ SIGN_UP: "invite" });
    const { link } = await createInvitation(ctx, { email, role: "member" });
    const body = { token: link?.split("#")[1], password };
    env.SIGN_UP = "closed";
    expect((await call("POST", "/api/account/join", { body })).status).toBe(403);
    const closed = createInvitation(ctx, { email: fresh(), role: "member" });
    await expect(closed).rejects.toMatchObject({ code: "insufficient_scope" });
    env.SIGN_UP = "invite";
    expect((await call("POST", "/api/account/join", { body })).status).toBe(201);
  });

  it("rejects an invalid email and a short password", async () => {
    expect((await call("POST", PATH, { body: { email: "nope", password } })).json.error.param).toBe(
      "email",
    );
    expect(
      (await call("POST", PATH, { body: { email: fresh(), password, name: "a\0b" } })).json.error
        .param,
    ).toBe("name");
    expect(
      (await call("POST", PATH, { body: { email: fresh(), password: "short" } })).json.error.param,
    ).toBe("password");
  });
});

describe("sign-up from one IP address", () => {
  let forged = 0;
  // The client can send any addresses itself; only the last one was appended by the server.
  const signUpFrom = (address: string) =>
    call("POST", PATH, {
      body: { email: fresh(), password },
      headers: { "x-forwarded-for": `198.51.100.${forged++}, ${address}` },
    });

  it("is limited to 20 per minute, whatever address the client claims, without affecting other addresses", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 21 }, async () => (await signUpFrom("203.0.113.9")).status),
    );
    expect(statuses.toSorted()).toEqual([...Array(20).fill(202), 429]);
    const { headers, json } = await signUpFrom("203.0.113.9");
    expect(json.error.code).toBe("rate_limit_exceeded");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await signUpFrom("203.0.113.10")).status).toBe(202);
  });
});

describe("sign-in", () => {
  const attempt = (email: string, address: string, isKnownBrowser = false) =>
    consumeAttempt({ email, address, isKnownBrowser });

  it("is limited to 10 attempts per email and address, and 100 per address", async () => {
    const email = fresh();
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await attempt(email, "203.0.113.11")).toBe(0);
    }
    const waitSeconds = await attempt(email, "203.0.113.11");
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(60);
    for (let tries = 0; tries < 90; tries += 1) {
      expect(await attempt(fresh(), "203.0.113.11")).toBe(0);
    }
    expect(await attempt(fresh(), "203.0.113.11")).toBeGreaterThan(0);
  });

  it("isn't refused by an attacker's attempts from another address", async () => {
    const email = fresh();
    for (let tries = 0; tries < 200; tries += 1) {
      await attempt(email, "203.0.113.66");
    }
    expect(await attempt(email, "203.0.113.12")).toBe(0);
  });

  it("is limited to 100 attempts per email from many addresses, but not in a known browser", async () => {
    const email = fresh();
    for (let tries = 0; tries < 100; tries += 1) {
      expect(await attempt(email, `attacker ${tries}`)).toBe(0);
    }
    expect(await attempt(email, "attacker 100")).toBeGreaterThan(0);
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await attempt(email, "attacker 100", true)).toBe(0);
    }
    expect(await attempt(email, "203.0.113.13", true)).toBeGreaterThan(0);
  });

  it("knows a browser by a cookie for the email it signed in with", () => {
    const cookie = knownBrowserCookie("Ana@example.org").split(";")[0] ?? "";
    expect(isKnownBrowser(`theme=dark; ${cookie}`, "ana@example.org")).toBe(true);
    expect(isKnownBrowser(cookie, "ben@example.org")).toBe(false);
    expect(isKnownBrowser(`${cookie}x`, "ana@example.org")).toBe(false);
    expect(isKnownBrowser(null, "ana@example.org")).toBe(false);
  });
});

describe("an external identity", () => {
  it("creates a member once and signs in as that member afterwards", async () => {
    const identity = { provider: "github", subject: newId("member"), email: fresh(), name: "Ana" };
    const first = await findOrCreateMember(identity);
    expect(await findOrCreateMember({ ...identity, email: "other@example.org" })).toEqual(first);
  });

  it("never takes over the member with the same email", async () => {
    const email = fresh();
    await call("POST", PATH, { body: { email, password } });
    expect(
      await findOrCreateMember({ provider: "google", subject: newId("member"), email, name: null }),
    ).toBe("email_taken");
  });
});
