import OpenAI from "openai";

type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>;
type RouteModule = Record<string, Handler>;

// The same rule as the host's: the folder path below app is the URL.
const modules = import.meta.glob<RouteModule>("../../app/{v1,api}/**/route.ts");

const ORIGIN = "http://localhost:3000";

/** Answers a request with the route handler itself, without a server: what the stock clients call as fetch. */
export async function dispatch(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(input, { ...init, duplex: "half" } as RequestInit);
  const segments = new URL(request.url).pathname.split("/").filter(Boolean);
  const match = Object.keys(modules)
    .flatMap((file) => matchRoute(file, segments))
    .toSorted((a, b) => a.wildness - b.wildness)[0];
  if (!match) {
    return new Response("no route", { status: 404 });
  }
  const module = await modules[match.file]?.();
  const handler = module?.[request.method];
  return handler
    ? handler(request, { params: Promise.resolve(match.params) })
    : new Response("no method", { status: 405 });
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

function matchRoute(
  file: string,
  segments: string[],
): { file: string; params: Record<string, string | string[]>; wildness: number }[] {
  const pattern = file
    .replace("../../app/", "")
    .replace(/\/route\.ts$/, "")
    .split("/");
  const params: Record<string, string | string[]> = {};
  let wildness = 0;
  for (const [index, part] of pattern.entries()) {
    const rest = /^\[?\[\.\.\.([^\]]+)\]\]?$/.exec(part)?.[1];
    const name = /^\[(.+)\]$/.exec(part)?.[1];
    const segment = segments[index];
    if (segment === undefined && !part.startsWith("[[")) {
      return [];
    }
    if (rest) {
      params[rest] = segments.slice(index);
      return [{ file, params, wildness: 100 - index }];
    }
    if (name) {
      params[name] = decodeURIComponent(segment ?? "");
      wildness += 1;
    } else if (part !== segment) {
      return [];
    }
  }
  return pattern.length === segments.length ? [{ file, params, wildness }] : [];
}
