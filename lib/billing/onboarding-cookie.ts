import { cookieName, hasSecureCookies } from "@/lib/auth/cookies";

/** Names the account whose first steps were put away in this browser: the server leaves them out from the first paint. */
export const ONBOARDING_COOKIE = cookieName("footnote-steps");

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The header that keeps it, or ends it. No script has to read it. */
export function dismissalCookie(accountId: string, isDismissed: boolean): string {
  const age = isDismissed ? YEAR_SECONDS : 0;
  return `${ONBOARDING_COOKIE}=${accountId}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${hasSecureCookies ? "; Secure" : ""}`;
}
