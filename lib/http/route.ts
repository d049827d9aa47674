import type * as z from "zod";
import type { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { errorResponse, toAppError } from "./error-response";
import { readJson } from "./read-body";
import { EventStream, eventStreamResponse } from "./sse";

/** What a gate is told of the request besides the request itself. */
export interface RequestFacts {
  requestId: string;
  /** Ends when the client hangs up. */
  signal: AbortSignal;
}

/** Proves who is calling, or throws. `headers` go out with every answer, failures included. */
export type Gate<C> = (request: Request, facts: RequestFacts) => Promise<Passed<C>>;

export interface Passed<C> {
  ctx: C;
  /** What the log line says of the caller. */
  caller?: { account_id: string; key_id?: string };
  headers?: Record<string, string>;
}

type Shape = z.ZodType | undefined;
type Out<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined;

interface RouteSpec<C, P extends Shape, Q extends Shape, B extends Shape> {
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

/** A JSON answer with another status than 200, or with headers of its own. */
export class Reply {
  constructor(
    readonly value: unknown,
    readonly init: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

type RouteHandler = (request: Request, context?: { params: Promise<unknown> }) => Promise<Response>;

/** Gate, parse, handle, answer: the only way an HTTP request enters the product. */
export function route<
  C,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(spec: RouteSpec<C, P, Q, B>): RouteHandler {
  return async (request, context) => {
    const hangUp = new AbortController();
    const requestId = newId("request");
    const facts = { requestId, signal: AbortSignal.any([request.signal, hangUp.signal]) };
    const startedAt = performance.now();
    let passed: Passed<C> | undefined;
    let response: Response;
    let error: AppError | undefined;
    try {
      passed = await spec.gate(request, facts);
      response = toResponse(await handle(spec, passed.ctx, { request, context }), () => hangUp.abort());
    } catch (thrown) {
      error = toAppError(thrown);
      response = errorResponse(error);
    }
    for (const [name, value] of Object.entries({ ...passed?.headers, "x-request-id": requestId })) {
      response.headers.set(name, value);
    }
    logLine(request, response, { requestId, startedAt, error, caller: passed?.caller });
    return response;
  };
}

async function handle<C, P extends Shape, Q extends Shape, B extends Shape>(
  spec: RouteSpec<C, P, Q, B>,
  ctx: C,
  { request, context }: { request: Request; context: { params: Promise<unknown> } | undefined },
): Promise<unknown> {
  const params = spec.params?.parse(await context?.params) as Out<P>;
  const query = spec.query?.parse(Object.fromEntries(new URL(request.url).searchParams)) as Out<Q>;
  const body = spec.body?.parse(await (spec.read ?? readJson)(request)) as Out<B>;
  return spec.handle({ ctx, params, query, body, request });
}

function toResponse(result: unknown, onHangUp: () => void): Response {
  if (result instanceof EventStream) {
    return eventStreamResponse(result, onHangUp);
  }
  if (result instanceof Response) {
    return result;
  }
  return result instanceof Reply ? Response.json(result.value, result.init) : Response.json(result);
}

interface LogFacts {
  requestId: string;
  startedAt: number;
  error: AppError | undefined;
  caller: Passed<unknown>["caller"];
}

function logLine(request: Request, response: Response, facts: LogFacts): void {
  const { error } = facts;
  const line = {
    request_id: facts.requestId,
    ...facts.caller,
    method: request.method,
    path: new URL(request.url).pathname,
    status: response.status,
    duration_ms: Math.round(performance.now() - facts.startedAt),
    ...(error && { code: error.code, param: error.param }),
  };
  if (error && error.status >= 500) {
    log.error({ ...line, err: error.cause ?? error }, "request failed");
  } else {
    log.info(line, "request");
  }
}
