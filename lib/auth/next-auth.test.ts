import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { makeAccount } from "@/lib/testing/factories";
import { knownBrowserCookie } from "./known-browser";
import { authOptions } from "./next-auth";

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
