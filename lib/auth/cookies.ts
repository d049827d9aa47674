import type { NextAuthOptions } from "next-auth";
import { env } from "@/lib/env";

/** Browsers keep cookies marked as secure to https, so they follow the public address. */
export const hasSecureCookies = env.APP_URL.startsWith("https://");

export const SESSION_COOKIE = cookieName("next-auth.session-token");
/** How long a provider may take to prove somebody. */
const DETOUR_SECONDS = 15 * 60;

/**
 * A cookie's name. With its prefix a browser takes it from this host alone, over https, and for every path, so that
 * no other host of the domain can set one of ours.
 */
export function cookieName(name: string): string {
  return hasSecureCookies ? `__Host-${name}` : name;
}

/** next-auth's own cookies, each by a name that its host alone can set. */
export function authCookies(): NonNullable<NextAuthOptions["cookies"]> {
  return {
    sessionToken: cookie(SESSION_COOKIE),
    callbackUrl: cookie(cookieName("next-auth.callback-url")),
    csrfToken: cookie(cookieName("next-auth.csrf-token")),
    pkceCodeVerifier: cookie(cookieName("next-auth.pkce.code_verifier"), DETOUR_SECONDS),
    state: cookie(cookieName("next-auth.state"), DETOUR_SECONDS),
    nonce: cookie(cookieName("next-auth.nonce")),
  };
}

function cookie(name: string, maxAge?: number) {
  return {
    name,
    options: {
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      secure: hasSecureCookies,
      ...(maxAge && { maxAge }),
    },
  };
}
