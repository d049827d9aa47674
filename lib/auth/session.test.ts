import { encode } from "next-auth/jwt";
import { describe, expect, it } from "vitest";
import { readSession, sessionSecret } from "./session";

const SECRET = sessionSecret();
const COOKIE = "next-auth.session-token";

async function sessionFor(secret: string, maxAge = 60): Promise<string> {
  return encode({ token: { sub: "mem_1", sid: "ses_1" }, secret, maxAge });
}

describe("readSession", () => {
  it("reads who and which session it is from the session cookie among others", async () => {
    const session = await sessionFor(SECRET);
    const headers = new Headers({ cookie: `theme=dark; ${COOKIE}=${session}; other=a=b` });
    expect(await readSession(headers)).toEqual({ id: "ses_1", memberId: "mem_1" });
  });

  it("finds nobody without a session", async () => {
    expect(await readSession(new Headers())).toBeNull();
    expect(await readSession(new Headers({ cookie: "theme=dark" }))).toBeNull();
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
      expect(await readSession(headers)).toBeNull();
    }
  });

  it("finds nobody in a cookie of before sessions had names", async () => {
    const session = await encode({ token: { sub: "mem_1" }, secret: SECRET });
    expect(await readSession(new Headers({ cookie: `${COOKIE}=${session}` }))).toBeNull();
  });

  it("takes a session from its cookie alone", async () => {
    const headers = new Headers({ authorization: `Bearer ${await sessionFor(SECRET)}` });
    expect(await readSession(headers)).toBeNull();
  });
});
