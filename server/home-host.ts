import type { IncomingMessage, RequestListener } from "node:http";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const NO_PAGE = /^\/(?:v1|mcp|api|_next)(?:[/?]|$)/;
/** A proxy may name this server as it likes. */
const PROXY_HEADERS = ["forwarded", "x-forwarded-host", "x-forwarded-proto", "via"];

/**
 * Redirects a page that was opened at another name of this machine to `appUrl`'s: a session cookie of 127.0.0.1 isn't sent
 * to localhost, where payments return. In front of Next, which makes such a redirect relative.
 */
export function withHomeHost(appUrl: string, next: RequestListener): RequestListener {
  return (request, response) => {
    const origin = isPage(request) ? loopbackOrigin(request.headers.host, appUrl) : null;
    if (origin) {
      const location = `${origin}${request.url}`;
      response.writeHead(307, { location, "cache-control": "no-store" }).end();
    } else {
      next(request, response);
    }
  };
}

function isPage({ method, url = "", headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    url.startsWith("/") &&
    !NO_PAGE.test(url) &&
    headers.accept?.includes("text/html") === true &&
    PROXY_HEADERS.every((name) => headers[name] === undefined) &&
    // The connection's own address is the last; a proxy adds one before it.
    headers["x-forwarded-for"]?.includes(",") !== true
  );
}

/** The origin of `appUrl` for another loopback name with the same port; null for any other host. */
function loopbackOrigin(host: string | undefined, appUrl: string): string | null {
  if (!host || !URL.canParse(`http://${host}`)) {
    return null;
  }
  const asked = new URL(`http://${host}`);
  const home = new URL(appUrl);
  const isOtherName =
    asked.host === host &&
    LOOPBACK.has(asked.hostname) &&
    LOOPBACK.has(home.hostname) &&
    asked.hostname !== home.hostname &&
    asked.port === home.port;
  return isOtherName ? home.origin : null;
}
