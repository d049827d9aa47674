import { encode } from "next-auth/jwt";
import { describe, expect, it } from "vitest";
import { sessionMemberId, sessionSecret } from "./session";

const SECRET = sessionSecret();
const COOKIE = "next-auth.session-token";

async function sessionFor(secret: string, maxAge = 60): Promise<string> {
  return encode({ token: { sub: "mem_1" }, secret, maxAge });
}

describe("sessionMemberId", () => {
  it("reads the member's id from the session cookie among others", async () => {
    const session = await sessionFor(SECRET);
    const headers = new Headers({ cookie: `theme=dark; ${COOKIE}=${session}; other=a=b` });
    expect(await sessionMemberId(headers)).toBe("mem_1");
  });

  it("finds nobody without a session", async () => {
    expect(await sessionMemberId(new Headers())).toBeNull();
    expect(await sessionMemberId(new Headers({ cookie: "theme=dark" }))).toBeNull();
  });

  it("finds nobody in a session that is forged, spoilt or over", async () => {
    const sessions = [
      await sessionFor("another secret"),
      `${await sessionFor(SECRET)}x`,
      await sessionFor(SECRET, -60),
      "",
    ];
    for (const session of sessions) {
      const headers = new Headers({ cookie: `${COOKIE}=${session}` });
      expect(await sessionMemberId(headers)).toBeNull();
    }
  });

  it("takes a session from its cookie alone", async () => {
    const headers = new Headers({ authorization: `Bearer ${await sessionFor(SECRET)}` });
    expect(await sessionMemberId(headers)).toBeNull();
  });
});
