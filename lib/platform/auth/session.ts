import "server-only";

import { getToken } from "next-auth/jwt";
import { env } from "@/lib/platform/env";
import { hasSecureCookies, SESSION_COOKIE } from "./cookies";

export interface SessionClaim {
  id: string;
  memberId: string;
}

/** Null without a cookie, or with an expired or forged one. Only the session's row shows whether it has ended. */
export async function readSession(headers: Headers): Promise<SessionClaim | null> {
  const cookies = readCookies(headers.get("cookie") ?? "");
  if (!Object.keys(cookies).some((name) => name.startsWith(SESSION_COOKIE))) {
    return null;
  }
  const req = { cookies, headers: {} } as Parameters<typeof getToken>[0]["req"];
  const token = await getToken({
    req,
    secret: sessionSecret(),
    secureCookie: hasSecureCookies,
    cookieName: SESSION_COOKIE,
  });
  return token?.sub && typeof token.sid === "string"
    ? { id: token.sid, memberId: token.sub }
    : null;
}

export function sessionSecret(): string {
  if (!env.NEXTAUTH_SECRET) {
    throw new Error(
      "NEXTAUTH_SECRET is not set. `npm start` generates one; otherwise set it to 32 random bytes.",
    );
  }
  return env.NEXTAUTH_SECRET;
}

function readCookies(header: string): Record<string, string> {
  return Object.fromEntries(
    header.split(";").map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    }),
  );
}
