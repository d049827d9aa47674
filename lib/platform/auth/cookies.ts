import type { NextAuthOptions } from "next-auth";
import { env } from "@/lib/platform/env";

/** By the public address: browsers send secure cookies only over https. */
export const hasSecureCookies = env.APP_URL.startsWith("https://");

export const SESSION_COOKIE = cookieName("next-auth.session-token");
/** How long an OAuth sign-in may take, in seconds. */
const OAUTH_LIFETIME = { maxAge: 15 * 60 };

/** With the `__Host-` prefix, no other host of the domain can set the cookie. */
export function cookieName(name: string): string {
  return hasSecureCookies ? `__Host-${name}` : name;
}

export function authCookies(): NonNullable<NextAuthOptions["cookies"]> {
  return {
    sessionToken: cookie(SESSION_COOKIE),
    callbackUrl: cookie(cookieName("next-auth.callback-url")),
    csrfToken: cookie(cookieName("next-auth.csrf-token")),
    pkceCodeVerifier: cookie(cookieName("next-auth.pkce.code_verifier"), OAUTH_LIFETIME),
    state: cookie(cookieName("next-auth.state"), OAUTH_LIFETIME),
    nonce: cookie(cookieName("next-auth.nonce")),
  };
}

function cookie(name: string, lifetime: { maxAge?: number } = {}) {
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure: hasSecureCookies };
  return { name, options: { ...options, ...lifetime } };
}
