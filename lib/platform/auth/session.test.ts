import { encode } from "next-auth/jwt";
import { describe, expect, it } from "vitest";
import { readSession, sessionSecret } from "./session";

const SECRET = sessionSecret();
const COOKIE = "next-auth.session-token";

async function sessionFor(secret: string, maxAge = 60): Promise<string> {
  return encode({ token: { sub: "mem_1", sid: "ses_1" }, secret, maxAge });
}

describe("readSession", () => {
  it("reads the session and member ids from the session cookie among other cookies", async () => {
    const session = await sessionFor(SECRET);
    const headers = new Headers({ cookie: `theme=dark; ${COOKIE}=${session}; other=a=b` });
    expect(await readSession(headers)).toEqual({ id: "ses_1", memberId: "mem_1" });
  });

  it("returns null without a session cookie", async () => {
    expect(await readSession(new Headers())).toBeNull();
    expect(await readSession(new Headers({ cookie: "theme=dark" }))).toBeNull();
  });

  it("returns null for a forged, tampered, expired or empty session", async () => {
    const sessions = [
      await sessionFor("another secret"),
      `${await sessionFor(SECRET)}x`,
      await sessionFor(SECRET, -60),
      "",
    ];
    for (const session of sessions) {
      const headers = new Headers({ cookie: `${COOKIE}=${session}` });
      expect(await readSession(headers)).toBeNull();
    }
  });

  it("returns null for a cookie without a session id", async () => {
    const session = await encode({ token: { sub: "mem_1" }, secret: SECRET });
    expect(await readSession(new Headers({ cookie: `${COOKIE}=${session}` }))).toBeNull();
  });

  it("ignores a session token in the Authorization header", async () => {
    const headers = new Headers({ authorization: `Bearer ${await sessionFor(SECRET)}` });
    expect(await readSession(headers)).toBeNull();
  });
});
