import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { processSingleton } from "@/lib/singleton";
import { createHost, type RouteModule, routeTable } from "@/server/host";

// Same routing as the servers: the path below app is the URL.
const find = routeTable(import.meta.glob<RouteModule>("../../app/{v1,mcp,api}/**/route.ts"));

const ORIGIN = "http://localhost:3000";

/**
 * Calls the route handler directly, without a server; the stock clients use it as fetch. With
 * FOOTNOTE_TEST_HOST=server, public API requests go over HTTP to the server of `npm start`.
 */
export async function dispatch(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(input, { ...init, duplex: "half" } as RequestInit);
  if (
    process.env.FOOTNOTE_TEST_HOST !== "server" ||
    !new URL(request.url).pathname.startsWith("/v1/")
  ) {
    return direct(request);
  }
  const { pathname, search } = new URL(request.url);
  return fetch(
    new Request((await processSingleton("test host", startHost)) + pathname + search, request),
  );
}

async function direct(request: Request): Promise<Response> {
  const found = find(new URL(request.url).pathname);
  if (!found) {
    return new Response("no route", { status: 404 });
  }
  const handler = (await found.module())[request.method];
  return handler
    ? handler(request, { params: Promise.resolve(found.params) })
    : new Response("no method", { status: 405 });
}

/** The server of `npm start` on loopback, for the rest of the worker. Next's requests are handled directly. */
async function startHost(): Promise<string> {
  const { ROUTES } = await import("@/server/v1");
  const host = createHost(ROUTES, (req, res) => {
    void direct(new NodeRequest({ req, res })).then((answer) => sendNodeResponse(res, answer));
  });
  const server = createServer(host.answer);
  // Client and server share a thread. While it is busy, one side could time out a connection the other reuses.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Calls a path with a key; returns status, headers and parsed body. */
export async function call(
  method: string,
  path: string,
  options: { key?: string; body?: unknown; headers?: Record<string, string>; raw?: BodyInit } = {},
) {
  const isJson = options.raw === undefined && options.body !== undefined;
  const response = await dispatch(`${ORIGIN}${path}`, {
    method,
    headers: {
      ...(isJson && { "content-type": "application/json" }),
      ...(options.key && { authorization: `Bearer ${options.key}` }),
      ...options.headers,
    },
    body: options.raw ?? (isJson ? JSON.stringify(options.body) : null),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text ? JSON.parse(text) : null,
  };
}

/** The stock client over the route handlers. */
export function openai(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${ORIGIN}/v1`, maxRetries: 0, fetch: dispatch });
}
