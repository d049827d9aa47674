import type * as z from "zod";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { Download, downloadResponse } from "./download";
import { errorResponse, toAppError } from "./error-response";
import { jsonResponse } from "./json-response";
import { readJson } from "./read-body";
import { DATA_HEADERS } from "./security-headers";
import { EventStream, eventStreamResponse, type StreamFacts } from "./sse";

/** A param may repeat a field name of the caller's own making. */
const LONGEST_LOGGED_PARAM = 100;

/** What other servers call an answer that nobody waits for. */
const CLIENT_HUNG_UP = 499;

/** What a gate is told of the request besides the request itself. */
interface RequestFacts {
  requestId: string;
  /** Ends when the client hangs up. */
  signal: AbortSignal;
}

/** Proves who is calling, or throws. `headers` go out with every answer, failures included. */
export interface Gate<C> {
  (request: Request, facts: RequestFacts): Promise<Passed<C>>;
  /** The scope it asks a key for; absent when it asks for no key. */
  scope?: string;
}

interface Passed<C> {
  ctx: C;
  /** What the log line says of the caller. */
  caller?: { account_id: string; key_id?: string };
  headers?: Record<string, string>;
}

type Shape = z.ZodType | undefined;
type Out<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined;

/** What a route says of itself; the API's description is made from it. */
export interface RouteFacts {
  /** One line for people; a route without it is not part of the public description. */
  summary?: string;
  gate: { scope?: string };
  params?: Shape;
  query?: Shape;
  body?: Shape;
  /** The body of a success, and its status when that is not 200. */
  answer?: z.ZodType;
  status?: number;
  /** The media types of the request body; JSON when absent. */
  accepts?: readonly string[];
}

interface RouteSpec<C, P extends Shape, Q extends Shape, B extends Shape> extends RouteFacts {
  gate: Gate<C>;
  params?: P;
  query?: Q;
  body?: B;
  /** Reads the raw body that `body` checks; JSON of at most 4 MB when absent. */
  read?: (request: Request) => Promise<unknown>;
  handle: (input: {
    ctx: C;
    params: Out<P>;
    query: Out<Q>;
    body: Out<B>;
    request: Request;
  }) => Promise<unknown>;
}

/** A JSON answer with headers of its own. */
export class Reply {
  constructor(
    readonly value: unknown,
    readonly headers: Record<string, string>,
  ) {}
}

export interface RouteHandler {
  (request: Request, context?: { params: Promise<unknown> }): Promise<Response>;
  facts: RouteFacts;
}

/** Gate, parse, handle, answer: the only way an HTTP request enters the product. */
export function route<
  C,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(spec: RouteSpec<C, P, Q, B>): RouteHandler {
  const answer = async (request: Request, context?: { params: Promise<unknown> }) => {
    const hangUp = hangUpOf(request);
    const requestId = newId("request");
    const startedAt = performance.now();
    const headers: Record<string, string> = { ...DATA_HEADERS, "x-request-id": requestId };
    let caller: Passed<C>["caller"];
    let response: Response;
    let error: AppError | undefined;
    try {
      const passed = await spec.gate(request, { requestId, signal: hangUp.signal });
      caller = passed.caller;
      Object.assign(headers, passed.headers);
      const result = await handle(spec, passed.ctx, { request, context });
      const stream = { requestId, onHangUp: () => hangUp.abort() };
      response = toResponse(result, { status: spec.status ?? 200, headers, stream });
    } catch (thrown) {
      error = toAppError(thrown);
      response = errorResponse(error, headers);
    }
    const hungUp = hangUp.signal.aborted;
    logLine(request, response, { requestId, startedAt, error, hungUp, caller });
    return response;
  };
  return Object.assign(answer, { facts: spec });
}

/** Ends when the client hangs up, whether the host tells it or a stream's reader. */
function hangUpOf({ signal }: Request): AbortController {
  const hangUp = new AbortController();
  if (signal.aborted) {
    hangUp.abort();
  } else {
    signal.addEventListener("abort", () => hangUp.abort(), { once: true });
  }
  return hangUp;
}

async function handle<C, P extends Shape, Q extends Shape, B extends Shape>(
  spec: RouteSpec<C, P, Q, B>,
  ctx: C,
  { request, context }: { request: Request; context: { params: Promise<unknown> } | undefined },
): Promise<unknown> {
  const rawParams = await context?.params;
  // Most requests have no query, and a URL is dear to read.
  const rawQuery = request.url.includes("?")
    ? Object.fromEntries(new URL(request.url).searchParams)
    : {};
  if (nameWithNul(rawParams ?? {})) {
    throw new AppError("not_found", "No id holds a NUL character. Check the path.");
  }
  const nulQuery = nameWithNul(rawQuery);
  if (nulQuery) {
    throw new AppError("invalid_request", "A query value holds a NUL character. Remove it.", {
      param: nulQuery,
    });
  }
  const params = spec.params?.parse(rawParams) as Out<P>;
  const query = spec.query?.parse(rawQuery) as Out<Q>;
  const body = spec.body?.parse(await (spec.read ?? readJson)(request)) as Out<B>;
  return spec.handle({ ctx, params, query, body, request });
}

/** PostgreSQL stores no NUL, so no value it is asked for may hold one. */
function nameWithNul(values: object): string | undefined {
  return Object.entries(values).find(([, value]) => String(value).includes("\0"))?.[0];
}

interface AnswerFacts {
  status: number;
  headers: Record<string, string>;
  stream: StreamFacts;
}

function toResponse(result: unknown, { status, headers, stream }: AnswerFacts): Response {
  if (result instanceof EventStream) {
    return withHeaders(eventStreamResponse(result, stream), headers);
  }
  if (result instanceof Download) {
    return withHeaders(downloadResponse(result, stream), headers);
  }
  return result instanceof Reply
    ? jsonResponse(result.value, { status, headers: { ...result.headers, ...headers } })
    : jsonResponse(result, { status, headers });
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) {
    response.headers.set(name, value);
  }
  return response;
}

interface LogFacts {
  requestId: string;
  startedAt: number;
  error: AppError | undefined;
  hungUp: boolean;
  caller: Passed<unknown>["caller"];
}

function logLine(request: Request, response: Response, facts: LogFacts): void {
  const { error } = facts;
  const line = {
    request_id: facts.requestId,
    ...facts.caller,
    method: request.method,
    path: pathOf(request.url),
    status: response.status,
    duration_ms: Math.round(performance.now() - facts.startedAt),
    ...(error && { code: error.code, param: error.param?.slice(0, LONGEST_LOGGED_PARAM) }),
  };
  if (error && facts.hungUp) {
    log.info({ ...line, status: CLIENT_HUNG_UP }, "client hung up");
  } else if (error && error.status >= 500) {
    log.error({ ...line, err: error.cause ?? error }, "request failed");
  } else {
    // A health check that passes every second tells nothing.
    log[facts.caller || error ? "info" : "debug"](line, "request");
  }
}

function pathOf(url: string): string {
  return /^[^/]*\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? url;
}
