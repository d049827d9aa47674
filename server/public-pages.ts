import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LOCAL_ADDRESS } from "@/components/docs/local-address";
import { BUILD_ORIGIN } from "@/lib/platform/env";
import { deferScripts } from "@/scripts/scripts-on-use.mjs";

/** Groups of pages that make sense without scripts. */
const PUBLIC_PAGE = /^\/\((?:site|account)\)\/(?:.*\/)?page$/;
const CODE = /<pre[ >].*?<\/pre>/gs;
/** About as small as gzip's default, in half the time of it. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const ENCODERS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, BROTLI),
  gzip: promisify(gzip) as (body: Buffer) => Promise<Buffer>,
};
type Encoding = keyof typeof ENCODERS;

/**
 * Whether a path is one of the public pages by the routes of the build, or nothing at all, where the not-found page
 * appears. `filesFolder`: files that are served as they are.
 */
export function publicPages(
  buildFolder: string,
  filesFolder: string,
): (pathname: string) => boolean {
  const manifest = path.join(buildFolder, "app-path-routes-manifest.json");
  const routes = Object.entries<string>(JSON.parse(readFileSync(manifest, "utf8"))).map(
    ([file, route]) => ({ isPublic: PUBLIC_PAGE.test(file), pattern: patternOf(route) }),
  );
  const files = new Set(readdirSync(filesFolder).map((name) => `/${name}`));
  return (pathname) => {
    const found = routes.filter(({ pattern }) => pattern.test(pathname));
    return found.length > 0 ? found.some(({ isPublic }) => isPublic) : !files.has(pathname);
  };
}

/** Of a route such as `/sources/[id]`, `/v1/models/[...model]` or `/settings/[[...section]]`. */
function patternOf(route: string): RegExp {
  const source = route
    .replaceAll(/\/\[\[\.{3}[^\]]+\]\]/g, "(?:/.*)?")
    .replaceAll(/\[\.{3}[^\]]+\]/g, ".+")
    .replaceAll(/\[[^\]]+\]/g, "[^/]+");
  return new RegExp(`^${source}$`);
}

interface PublicPagesOptions {
  isPublic: (pathname: string) => boolean;
  /** APP_URL: prerendered pages have a placeholder. */
  appUrl: string;
}

/**
 * Sends public pages as a whole: with their scripts deferred, with this server's address in metadata and code, and compressed.
 * Other responses of the same paths, such as the data of client-side navigations, are left to `next`.
 */
export function withPublicPages(
  { isPublic, appUrl }: PublicPagesOptions,
  next: RequestListener,
): RequestListener {
  const { origin } = new URL(appUrl);
  // In attributes and code only: the CSP names inline scripts by their hashes.
  const finish = (html: string) =>
    deferScripts(
      html
        .replaceAll(`="${BUILD_ORIGIN}`, `="${origin}`)
        .replaceAll(CODE, (code) => code.replaceAll(LOCAL_ADDRESS, origin)),
    );
  return (request, response) => {
    if (isDocument(request) && isPublic(request.url?.split("?", 1)[0] ?? "")) {
      const encoding = chooseEncoding(request.headers["accept-encoding"]);
      // What is compressed can't be changed.
      delete request.headers["accept-encoding"];
      changeBody(response, (body) => sendPage(response, { body, encoding, finish }));
    }
    next(request, response);
  };
}

function isDocument({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.rsc === undefined;
}

function chooseEncoding(accepted: string | string[] | undefined): Encoding | null {
  const names = String(accepted ?? "")
    .split(",")
    .map((name) => name.split(";", 1)[0]?.trim());
  return (["br", "gzip"] as const).find((encoding) => names.includes(encoding)) ?? null;
}

interface Page {
  body: Buffer;
  encoding: Encoding | null;
  finish: (html: string) => string;
}

/** Sets the headers of what is sent, and returns it. */
async function sendPage(response: ServerResponse, page: Page): Promise<Buffer> {
  const type = String(response.getHeader("content-type") ?? "");
  if (page.body.length === 0 || !type.startsWith("text/")) {
    return page.body;
  }
  const isPage = type.startsWith("text/html");
  const body = isPage ? Buffer.from(page.finish(page.body.toString())) : page.body;
  if (!/accept-encoding/i.test(String(response.getHeader("vary")))) {
    response.appendHeader("vary", "Accept-Encoding");
  }
  const encoded = page.encoding ? await ENCODERS[page.encoding](body) : body;
  if (page.encoding) {
    response.setHeader("content-encoding", page.encoding);
  }
  response.setHeader("content-length", encoded.length);
  return encoded;
}

/** Holds back what is written to a response, and sends what `change` makes of it at the end. */
function changeBody(response: ServerResponse, change: (body: Buffer) => Promise<Buffer>): void {
  const pieces: Buffer[] = [];
  const { writeHead } = response;
  const end = response.end.bind(response);
  const add = (piece: unknown, encoding: unknown) => {
    if (typeof piece === "string") {
      pieces.push(
        Buffer.from(piece, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"),
      );
    } else if (piece instanceof Uint8Array) {
      pieces.push(Buffer.from(piece));
    }
  };
  const callbackOf = (...rest: unknown[]) => rest.find((each) => typeof each === "function");
  Object.assign(response, {
    // Headers leave with the body. Next's compression would write them at the first piece.
    flushHeaders: () => {},
    writeHead: (status: number, ...rest: unknown[]) => {
      response.statusCode = status;
      const headers = rest.find((each) => typeof each === "object");
      for (const [name, value] of Object.entries(headers ?? {})) {
        response.setHeader(name, value);
      }
      return response;
    },
    write: (piece: unknown, encoding?: unknown, written?: unknown) => {
      add(piece, encoding);
      (callbackOf(encoding, written) as (() => void) | undefined)?.();
      return true;
    },
    end: (piece?: unknown, encoding?: unknown, ended?: unknown) => {
      add(piece, encoding);
      const callback = callbackOf(piece, encoding, ended) as (() => void) | undefined;
      change(Buffer.concat(pieces)).then(
        (body) => {
          response.writeHead = writeHead;
          end(body, callback);
        },
        (error: Error) => response.destroy(error),
      );
      return response;
    },
  });
}
