import { describe, expect, it } from "vitest";
import { consumeAttempt } from "@/lib/auth/limits";
import { verifyPassword } from "@/lib/auth/write/password";
import { findOrCreateMember } from "@/lib/auth/write/sign-up";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/id";
import { call } from "@/lib/testing/api";
import { readMoney } from "@/lib/testing/factories";

const PATH = "/api/account/sign-up";
const password = "correct horse battery";

function fresh(): string {
  return `${newId("member")}@example.org`;
}

describe("sign-up", () => {
  it("creates an account with its owner and a starting grant in the ledger", async () => {
    const email = fresh();
    const { status, json } = await call("POST", PATH, {
      body: { email: ` ${email.toUpperCase()} `, password },
    });
    expect([status, json.email]).toEqual([201, email]);
    const member = await db().member.findUniqueOrThrow({ where: { id: json.id } });
    expect(member).toMatchObject({
      role: "owner",
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
    });
    expect(await readMoney(member.accountId)).toMatchObject({
      balance: 5_000_000n,
      ledgerSum: 5_000_000n,
    });
    expect(await verifyPassword({ email: email.toUpperCase(), password })).toMatchObject({
      id: json.id,
    });
    expect(await verifyPassword({ email, password: `${password}!` })).toBeNull();
    expect(await verifyPassword({ email: fresh(), password })).toBeNull();
  });

  it("rejects a taken email in any case, and leaves no account behind", async () => {
    const email = fresh();
    await call("POST", PATH, { body: { email, password } });
    const before = await db().account.count();
    const { status, json } = await call("POST", PATH, {
      body: { email: email.toUpperCase(), password },
    });
    expect([status, json.error.code, json.error.param]).toEqual([409, "conflict", "email"]);
    expect(await db().account.count()).toBe(before);
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
    expect(statuses.toSorted()).toEqual([...Array(20).fill(201), 429]);
    const { headers, json } = await signUpFrom("203.0.113.9");
    expect(json.error.code).toBe("rate_limit_exceeded");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await signUpFrom("203.0.113.10")).status).toBe(201);
  });
});

describe("sign-in", () => {
  it("is limited to 10 attempts per email and 100 per IP address", async () => {
    const email = fresh();
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await consumeAttempt(email, `${tries}`)).toBe(0);
    }
    const waitSeconds = await consumeAttempt(email, "another");
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(60);
    for (let tries = 0; tries < 100; tries += 1) {
      expect(await consumeAttempt(fresh(), "203.0.113.11")).toBe(0);
    }
    expect(await consumeAttempt(fresh(), "203.0.113.11")).toBeGreaterThan(0);
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
