const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The origin to open a page at instead, for a visitor of this machine's own server by another of its names: the session
 * cookie of one name isn't sent to another, and payments return to `appUrl`. Null for any other host.
 */
export function loopbackOrigin(host: string | null, appUrl: string): string | null {
  if (!host || !URL.canParse(`http://${host}`)) {
    return null;
  }
  const asked = new URL(`http://${host}`);
  const home = new URL(appUrl);
  const isOtherName =
    LOOPBACK.has(asked.hostname) &&
    LOOPBACK.has(home.hostname) &&
    asked.hostname !== home.hostname &&
    asked.port === home.port;
  return isOtherName ? home.origin : null;
}
