import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { nameCaller } from "@/lib/platform/auth/api-key";
import type { BufferedResponse } from "@/lib/platform/http/json-response";
import { type RouteHandler, route } from "@/lib/platform/http/route";
import { DATA_HEADERS } from "@/lib/platform/http/security-headers";
import type { StreamedResponse } from "@/lib/platform/http/sse";
import { log } from "@/lib/platform/log";
import { allowedMethods, isWellEncoded, rejectEarly } from "@/server/reject-early";

/** An unambiguous path. Escapes, empty parts, leading dots and a trailing slash are left to Next. */
const PLAIN_PATH = /^\/(?:v1(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+|mcp|api\/live)$/;

/** Methods a route file may export; the host handles the others. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export type RouteModule = Partial<Record<string, RouteHandler>>;

type Params = Record<string, string | string[]>;

interface Match<T> {
  module: T;
  params: Params;
}

interface Pattern<T> {
  parts: readonly string[];
  module: T;
  /** The most specific match wins: the one with the fewest wildcards. */
  openness: number;
}

const REST = /^\[?\[\.\.\.([^\]]+)\]\]?$/;
const NAME = /^\[([^\]]+)\]$/;
/** More than the parts of any path: a catch-all is less specific than any number of names. */
const REST_OPENNESS = 100;

export interface Host {
  answer: RequestListener;
  /** Resolves when no handler is running, including those whose client disconnected. */
  idle(): Promise<void>;
}

/** Answers requests with the route files directly. HEAD, pages and redirects go to `fallback`. */
export function createHost(files: Record<string, RouteModule>, fallback: RequestListener): Host {
  const find = routeTable(files);
  const running = new Set<Promise<void>>();
  const moduleOf = (pathname: string) => find(pathname)?.module;
  const answer: RequestListener = (request, response) => {
    const pathname = pathOf(request);
    const found = findFor(request, pathname, find);
    const known = found?.module[request.method ?? ""];
    const rejection = known ? null : rejectEarly(request, pathname, moduleOf);
    const allow = rejection ? "" : optionsFor(request, pathname, moduleOf);
    if (allow) {
      const headers = { ...DATA_HEADERS, allow, "x-request-id": newId("request") };
      response.writeHead(204, headers).end();
      return;
    }
    const handler = rejection ? rejectWith(rejection) : known;
    if (!handler) {
      makeDecodable(request);
      fallback(request, response);
      return;
    }
    const context = { params: Promise.resolve(found?.params ?? {}) };
    const failed = (cause: unknown) => {
      log.error({ err: cause }, "sending a response failed");
      response.destroy();
    };
    const run = handler(new NodeRequest({ req: request, res: response }), context).then(
      // Not awaited: sending to a client that stopped reading may never end.
      (result) => void send(response, result).catch(failed),
      failed,
    );
    running.add(run);
    void run.then(() => running.delete(run));
  };
  return {
    answer,
    idle: async () => {
      while (running.size > 0) {
        await Promise.all(running);
      }
    },
  };
}

function pathOf({ url = "" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** Next would fail to decode a parameter of the path. No page has the path `/%`, so the not-found page appears. */
function makeDecodable(request: IncomingMessage): void {
  if (!isWellEncoded(pathOf(request))) {
    request.url = "/%";
  }
}

function findFor(
  { method = "" }: IncomingMessage,
  pathname: string,
  find: (pathname: string) => Match<RouteModule> | null,
): Match<RouteModule> | null {
  return METHODS.includes(method) && PLAIN_PATH.test(pathname) ? find(pathname) : null;
}

/** The methods for an OPTIONS request on the API, or on the server as a whole; empty for any other request. */
function optionsFor(
  { method }: IncomingMessage,
  pathname: string,
  moduleOf: (pathname: string) => RouteModule | undefined,
): string {
  if (method !== "OPTIONS") {
    return "";
  }
  return pathname === "*"
    ? "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
    : allowedMethods(moduleOf(pathname));
}

function rejectWith(error: AppError): RouteHandler {
  return route({
    rejects: true,
    gate: nameCaller,
    handle: async () => {
      throw error;
    },
  });
}

/** Resolves when the response is sent or the client disconnects; never, if the client stops reading. */
async function send(response: ServerResponse, answer: Response): Promise<void> {
  const { buffered, streamed } = answer as Partial<BufferedResponse & StreamedResponse>;
  if (buffered) {
    const { status, headers, text } = buffered;
    // With a content length, head and body are one write.
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
    response.end(text);
  } else if (streamed) {
    await sendEvents(response, streamed);
  } else {
    await sendNodeResponse(response, answer);
  }
}

/** Writes events no faster than the client reads them. */
async function sendEvents(
  response: ServerResponse,
  { headers, text }: StreamedResponse["streamed"],
): Promise<void> {
  if (response.destroyed) {
    await text.cancel();
    return;
  }
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  void closed.then(() => text.cancel());
  response.writeHead(200, headers);
  text.startHeartbeat((comment) => !response.destroyed && response.write(comment));
  for (let event = await text.next(); event !== null; event = await text.next()) {
    if (response.destroyed) {
      return;
    }
    if (!response.write(event)) {
      await Promise.race([new Promise((resolve) => response.once("drain", resolve)), closed]);
    }
  }
  response.end();
}

/**
 * Next's app-folder rule for route files: the folder path below `app` is the URL. Like Next, it decodes params except in a
 * catch-all.
 */
export function routeTable<T>(files: Record<string, T>): (pathname: string) => Match<T> | null {
  const patterns = Object.entries(files)
    .map(([file, module]) => toPattern(file, module))
    .toSorted((a, b) => a.openness - b.openness);
  const exact = new Map(
    patterns
      .filter(({ openness }) => openness === 0)
      .map(({ parts, module }) => [`/${parts.join("/")}`, { module, params: {} }]),
  );
  const open = patterns.filter(({ openness }) => openness > 0);
  return (pathname) => {
    const known = exact.get(pathname);
    if (known) {
      return known;
    }
    const segments = pathname.split("/").slice(1);
    for (const { parts, module } of open) {
      const params = match(parts, segments);
      if (params) {
        return { module, params };
      }
    }
    return null;
  };
}

function toPattern<T>(file: string, module: T): Pattern<T> {
  const parts = file
    .replace(/^.*?\/app\//, "")
    .replace(/\/route\.ts$/, "")
    .split("/");
  const openness = parts.reduce((sum, part, index) => {
    const rest = REST.test(part) ? REST_OPENNESS - index : 0;
    return sum + rest + Number(NAME.test(part) && !rest);
  }, 0);
  return { parts, module, openness };
}

function match(parts: readonly string[], segments: readonly string[]): Params | null {
  const params: Params = {};
  for (const [index, part] of parts.entries()) {
    const rest = REST.exec(part)?.[1];
    const segment = segments[index];
    if (segment === undefined && !part.startsWith("[[")) {
      return null;
    }
    if (rest) {
      params[rest] = segments.slice(index);
      return params;
    }
    const name = NAME.exec(part)?.[1];
    if (name) {
      params[name] = decodeURIComponent(segment ?? "");
    } else if (part !== segment) {
      return null;
    }
  }
  return parts.length === segments.length ? params : null;
}
