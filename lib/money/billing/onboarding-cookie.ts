import { cookieName, hasSecureCookies } from "@/lib/platform/auth/cookies";

/** The account whose onboarding was dismissed in this browser, so that the server omits it from the first paint. */
export const ONBOARDING_COOKIE = cookieName("footnote-steps");

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The Set-Cookie header that sets or clears it. */
export function dismissalCookie(accountId: string, isDismissed: boolean): string {
  const age = isDismissed ? YEAR_SECONDS : 0;
  return `${ONBOARDING_COOKIE}=${accountId}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${hasSecureCookies ? "; Secure" : ""}`;
}
