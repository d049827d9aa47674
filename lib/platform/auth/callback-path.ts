/** Where signing in leads by default. */
export const HOME_PATH = "/overview";

const ANY_ORIGIN = "http://origin.invalid";

/** The path of a callback URL on this site. Other sites and sign-in pages become the home path: no open redirect. */
export function callbackPath(value: string | null | undefined, origin = ANY_ORIGIN): string {
  if (!value || !URL.canParse(value, origin)) {
    return HOME_PATH;
  }
  const url = new URL(value, origin);
  const isAllowed =
    url.origin === new URL(origin).origin &&
    !/^\/(sign-in|sign-up|forgot-password|reset-password|join|api)(\/|$)/.test(url.pathname);
  // Two leading slashes would be a host.
  return isAllowed && !url.pathname.startsWith("//")
    ? `${url.pathname}${url.search}${url.hash}`
    : HOME_PATH;
}
