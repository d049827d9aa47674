import type { RequestListener } from "node:http";
import sirv from "sirv";

const PREFIX = "/_next/static";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Serves immutable assets precompressed by `scripts/compress.mjs`; Next would gzip them on every request. */
export function withAssets(folder: string, next: RequestListener): RequestListener {
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    immutable: true,
    maxAge: YEAR_SECONDS,
    setHeaders: (response) => response.setHeader("x-content-type-options", "nosniff"),
  });
  return (request, response) => {
    const { url = "" } = request;
    if (!url.startsWith(`${PREFIX}/`)) {
      next(request, response);
      return;
    }
    request.url = url.slice(PREFIX.length);
    serve(request, response, () => {
      request.url = url;
      next(request, response);
    });
  };
}
