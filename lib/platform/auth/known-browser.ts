import "server-only";

import { createHmac, timingSafeEqual } from "node:crypto";
import { cookieName, hasSecureCookies } from "./cookies";
import { sessionSecret } from "./session";

const COOKIE = cookieName("footnote.known-browser");
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The Set-Cookie header for a browser that has just signed in with this email. */
export function knownBrowserCookie(email: string): string {
  const secure = hasSecureCookies ? "; Secure" : "";
  return `${COOKIE}=${markOf(email)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${YEAR_SECONDS}${secure}`;
}

/** Whether a browser with these cookies has signed in with this email before. */
export function isKnownBrowser(cookies: string | null | undefined, email: string): boolean {
  const expected = Buffer.from(`${COOKIE}=${markOf(email)}`);
  return (cookies ?? "").split(";").some((pair) => {
    const sent = Buffer.from(pair.trim());
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

function markOf(email: string): string {
  return createHmac("sha256", sessionSecret())
    .update(JSON.stringify(["known-browser", email.trim().toLowerCase()]))
    .digest("base64url");
}
