import type { RequestListener } from "node:http";

/** How long a shared cache may keep a page: after a release, an old one names scripts that no longer exist. */
const SHARED_SECONDS = 60;
const SHARED = `public, max-age=0, s-maxage=${SHARED_SECONDS}, must-revalidate`;
const OWN = "private, no-cache";

/**
 * Replaces the year for which Next lets shared caches keep what it prerendered. They keep nothing that was sent to a
 * browser with cookies: it may set another.
 */
export function withPageCache(next: RequestListener): RequestListener {
  return (request, response) => {
    const setHeader = response.setHeader.bind(response);
    const kept = request.headers.cookie === undefined ? SHARED : OWN;
    response.setHeader = (name, value) => {
      const isShared = name.toLowerCase() === "cache-control" && String(value).includes("s-maxage");
      return setHeader(name, isShared ? kept : value);
    };
    next(request, response);
  };
}
