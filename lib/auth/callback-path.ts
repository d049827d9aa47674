/** Where a member lands when nothing else is asked for. */
const HOME_PATH = "/overview";

const ANY_ORIGIN = "http://origin.invalid";

/**
 * The path of this site that a callback URL names. Anything that leads elsewhere, or back to where one
 * signs in, becomes the home path, so that no link can send a member who signs in to another site.
 */
export function callbackPath(value: string | null | undefined, origin = ANY_ORIGIN): string {
  if (!value || !URL.canParse(value, origin)) {
    return HOME_PATH;
  }
  const url = new URL(value, origin);
  const isOurs =
    url.origin === new URL(origin).origin &&
    !/^\/(sign-in|sign-up|forgot-password|reset-password|join|api)(\/|$)/.test(url.pathname);
  // Two leading slashes would name a host.
  return isOurs && !url.pathname.startsWith("//")
    ? `${url.pathname}${url.search}${url.hash}`
    : HOME_PATH;
}
