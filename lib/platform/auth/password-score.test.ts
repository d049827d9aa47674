import { describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { MIN_PASSWORD_SCORE, passwordScore } from "./password-score";
import { generateToken, hashSecret } from "./secret";
import { createInvitation } from "./write/invitation";
import { verifyPassword } from "./write/password";

const PASSWORD = "correct horse battery";
const WEAK = "password2026";
/** Long passwords full of characters that can substitute for letters. */
const HOSTILE = ["4@8({[<3€69!1|0$5+7%2".repeat(9), "Pa5$w0rd".repeat(25), "lI1!|".repeat(40)];

function fresh(): string {
  return `${newId("member")}@example.org`;
}

let asked = 0;

function postAnonymously(path: string, body: object) {
  return call("POST", path, { body, headers: { "x-forwarded-for": `203.0.114.${asked++}` } });
}

describe("passwordScore", () => {
  it.each(["password123", "qwertyuiop", "aaaaaaaaaaaaaaaa", "Summer2026!", "P@ssw0rd2026", WEAK])(
    "scores %s below the minimum",
    (password) => {
      expect(passwordScore(password, [])).toBeLessThan(MIN_PASSWORD_SCORE);
    },
  );

  it.each(["correct horse battery staple", PASSWORD, "another correct horse", "kdi38-Fk2x-99qL"])(
    "scores %s at or above the minimum",
    (password) => {
      expect(passwordScore(password, [])).toBeGreaterThanOrEqual(MIN_PASSWORD_SCORE);
    },
  );

  it("scores a password lower when it appears in the owner's email", () => {
    const password = "zebulonkrantz";
    expect(passwordScore(password, [])).toBeGreaterThanOrEqual(MIN_PASSWORD_SCORE);
    expect(passwordScore(password, ["zebulonkrantz@example.org"])).toBeLessThan(MIN_PASSWORD_SCORE);
  });

  it("scores only the first 40 characters, which bounds the work", () => {
    for (const password of HOSTILE) {
      expect(passwordScore(password, [])).toBe(passwordScore(password.slice(0, 40), []));
    }
  });
});

describe("a password that is easy to guess", () => {
  it("is rejected wherever a password is set, and changes nothing", async () => {
    const { ctx, email } = await makeAccount();
    const token = generateToken();
    await db().passwordReset.create({
      data: {
        tokenHash: hashSecret(token),
        memberId: ctx.actor.id,
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    const guest = fresh();
    const { link } = await createInvitation(ctx, { email: guest, role: "member" });
    const invitation = link?.split("#")[1] ?? "";
    const newcomer = fresh();
    const answers = [
      await postAnonymously("/api/account/sign-up", { email: newcomer, password: WEAK }),
      await postAnonymously("/api/account/reset-password", { token, password: WEAK }),
      await postAnonymously("/api/account/join", { token: invitation, password: WEAK }),
      await call("POST", "/api/settings/password", {
        body: { current_password: PASSWORD, password: WEAK },
        headers: await signedIn(ctx.actor.id),
      }),
    ];
    for (const { status, json } of answers) {
      expect([status, json.error.code, json.error.param]).toEqual([
        400,
        "invalid_request",
        "password",
      ]);
      expect(json.error.message).toMatch(/easy to guess\. Choose a few words/);
    }
    expect(await db().member.count({ where: { email: { in: [newcomer, guest] } } })).toBe(0);
    expect(await verifyPassword({ email, password: PASSWORD })).not.toBeNull();
    const good = { token, password: "another correct horse" };
    expect((await postAnonymously("/api/account/reset-password", good)).status).toBe(200);
    const joined = await postAnonymously("/api/account/join", {
      token: invitation,
      password: PASSWORD,
    });
    expect(joined.status).toBe(201);
  });

  it("is rejected when it repeats the member's email", async () => {
    const email = `zebulonkrantz${Date.now()}@example.org`;
    const { status } = await postAnonymously("/api/account/sign-up", { email, password: email });
    expect(status).toBe(400);
  });
});
