import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db, transaction } from "@/lib/platform/db/client";
import { makeAccount } from "@/lib/testing/factories";
import { knownBrowserCookie } from "./known-browser";
import { authOptions } from "./next-auth";
import { setPassword, verifyPassword } from "./write/password";
import { createSession } from "./write/session";

const RIGHT = "correct horse battery";

interface Sent {
  email: string;
  password?: string;
  address: string;
  cookie?: string;
}

/** Signs in as next-auth's endpoint does. Returns the member's id or the error, and whom the browser is known to. */
async function signIn({ email, password = RIGHT, address, cookie }: Sent) {
  const known: string[] = [];
  const { providers } = authOptions({
    userAgent: null,
    onPasswordVerified: (verified) => known.push(verified),
  });
  const [{ options }] = providers as unknown as [
    {
      options: {
        authorize: (credentials: object, request: object) => Promise<{ id: string } | null>;
      };
    },
  ];
  const headers = { "x-forwarded-for": address, ...(cookie && { cookie }) };
  const outcome = await options.authorize({ email, password }, { headers }).then(
    (member) => member?.id ?? "wrong password",
    (error: Error) => error.message,
  );
  return { outcome, known };
}

describe("signing in with a password", () => {
  it("makes the browser known only with the right one", async () => {
    const { email, ctx } = await makeAccount();
    const address = newId("request");
    expect(await signIn({ email, address })).toEqual({ outcome: ctx.actor.id, known: [email] });
    const wrong = await signIn({ email, address, password: "wrong" });
    expect(wrong).toEqual({ outcome: "wrong password", known: [] });
  });

  it("isn't refused by an attacker's tries at another address, or in a known browser", async () => {
    const { email, ctx } = await makeAccount();
    const attacker = newId("request");
    for (let tries = 0; tries < 11; tries += 1) {
      await signIn({ email, address: attacker, password: "guess" });
    }
    expect((await signIn({ email, address: attacker })).outcome).toMatch(/^too_many_tries:\d+$/);
    expect((await signIn({ email, address: newId("request") })).outcome).toBe(ctx.actor.id);
    // Behind one NAT with the attacker.
    const cookie = knownBrowserCookie(email).split(";")[0];
    expect((await signIn({ email, address: attacker, cookie })).outcome).toBe(ctx.actor.id);
  });
});

describe("a password that changed since it was verified", () => {
  /** The member as verified with a password that someone else then replaced. */
  async function makeOutdated() {
    const { email, ctx } = await makeAccount();
    const verified = await verifyPassword({ email, password: RIGHT });
    const id = ctx.actor.id;
    expect(await transaction((tx) => setPassword(tx, { id, passwordHash: "new" }))).toBe(true);
    return { id, passwordHash: verified?.passwordHash ?? "" };
  }

  it("creates no session", async () => {
    const verified = await makeOutdated();
    expect(await createSession(verified, null)).toBeNull();
    expect(await db().memberSession.count({ where: { memberId: verified.id } })).toBe(0);
    expect(await createSession({ ...verified, passwordHash: "new" }, null)).not.toBeNull();
  });

  it("can't replace the new one, nor end its sessions", async () => {
    const { id, passwordHash: verifiedHash } = await makeOutdated();
    const sid = await createSession({ id, passwordHash: "new" }, null);
    const isSet = await transaction((tx) =>
      setPassword(tx, { id, passwordHash: "stale", verifiedHash }),
    );
    expect(isSet).toBe(false);
    const { passwordHash, sessions } = await db().member.findUniqueOrThrow({
      where: { id },
      select: { passwordHash: true, sessions: { select: { id: true } } },
    });
    expect({ passwordHash, sessions }).toEqual({ passwordHash: "new", sessions: [{ id: sid }] });
  });

  it("signs nobody in who was removed meanwhile", async () => {
    const { ctx } = await makeAccount();
    await db().member.delete({ where: { id: ctx.actor.id } });
    expect(await createSession({ id: ctx.actor.id }, null)).toBeNull();
  });
});
