import type { IncomingMessage, ServerResponse } from "node:http";
import sirv from "sirv";

const PREFIX = "/_next/static";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers for the files of the pages, which never change under their names, with what `scripts/compress.mjs` made of
 * them; Next itself would compress them anew, and by gzip alone. The rest goes to `otherwise`.
 */
export function withAssets(folder: string, otherwise: Answer): Answer {
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
      otherwise(request, response);
      return;
    }
    request.url = url.slice(PREFIX.length);
    serve(request, response, () => {
      request.url = url;
      otherwise(request, response);
    });
  };
}
