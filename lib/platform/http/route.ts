import type * as z from "zod";
import { type AppError, invalidRequest, notFound } from "@/lib/errors";
import { asTenant } from "@/lib/platform/db/tenant-context";
import { abortReason, trackRequest } from "@/lib/platform/http/shutdown";
import type { StreamFacts } from "./bind-to-request";
import { Download, downloadResponse } from "./download";
import { errorResponse, fromZod, toAppError } from "./error-response";
import { jsonResponse } from "./json-response";
import { FIRST_ISSUE } from "./plain-issues";
import { readJson } from "./read-body";
import { nodeOf, readQuery, rejectDuplicateParams } from "./request";
import { type Caller, type Outcome, RequestObserver } from "./request-observer";
import { assignSlot } from "./request-slot";
import { DATA_HEADERS } from "./security-headers";
import { EventStream, eventStreamResponse } from "./sse";

interface RequestFacts {
  requestId: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** Authenticates the caller, or throws. `headers` are sent with every response, failures included. */
export interface Gate<C> {
  (request: Request, facts: RequestFacts): Promise<Passed<C>>;
  /** The key scope it requires, if any. */
  scope?: string;
  /** Lets everyone pass, and names a caller for the log: for requests that are rejected anyway. */
  nameCaller?: Gate<undefined>;
  /** Of a JSON body, if less than elsewhere. */
  maxBodyBytes?: number;
}

interface Passed<C> {
  ctx: C;
  /** For the log line. */
  caller?: Caller;
  headers?: Record<string, string>;
}

type Shape = z.ZodType | undefined;
type Out<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined;

/** A route's own description, which the OpenAPI document is built from. */
export interface RouteFacts {
  /** A route without a summary is not in the OpenAPI document. */
  summary?: string;
  /** Such as `createChatCompletion`: a name for the function of a generated client. */
  operationId?: string;
  gate: { scope?: string; nameCaller?: Gate<undefined> };
  /** Whether it rejects every request, because the path or the method isn't there. */
  rejects?: boolean;
  params?: Shape;
  query?: Shape;
  /** Those that the handler reads itself, for the OpenAPI document. */
  headers?: z.ZodType;
  body?: Shape;
  /** The success body, and its status if not 200. */
  answer?: z.ZodType;
  /** Its media type; JSON by default, and JSON Lines have one answer on each. */
  answerType?: string;
  status?: number;
  /** One event of a stream, if the route can answer with one. */
  events?: z.ZodType;
  /** The media type of the request body; JSON by default. */
  accepts?: string;
}

export interface RouteSpec<C, P extends Shape, Q extends Shape, B extends Shape>
  extends RouteFacts {
  gate: Gate<C>;
  params?: P;
  query?: Q;
  body?: B;
  /** Runs before the body is read, and throws to reject the request. */
  admit?: (ctx: C, request: Request, params: Out<P>) => Promise<Admission>;
  /** Reads the raw body that `body` validates; by default JSON of at most 4 MB. */
  read?: (request: Request) => Promise<unknown>;
  handle: (input: {
    ctx: C;
    params: Out<P>;
    query: Out<Q>;
    body: Out<B>;
    request: Request;
  }) => Promise<unknown>;
}

/** A request whose body may be read. */
export interface Admission {
  /** Reads the raw body, in place of the route's `read`. */
  read?: () => Promise<unknown>;
  /** Runs once the handler has ended, however it ended. */
  release: () => Promise<void> | void;
}

/** A JSON response with extra headers. */
export class Reply {
  constructor(
    readonly value: unknown,
    readonly headers: Record<string, string>,
  ) {}
}

/** A response of another protocol's library, and the error that it reports in a body of its own, for the log. */
export class Relayed {
  constructor(
    readonly text: string,
    readonly head: { status: number; headers: Record<string, string> },
    readonly error?: AppError,
  ) {}
}

export interface RouteHandler {
  (request: Request, context?: { params: Promise<unknown> }): Promise<Response>;
  facts: RouteFacts;
}

/** The only entry point for HTTP requests: gate, parse, handle, respond. */
export function route<
  C,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(spec: RouteSpec<C, P, Q, B>): RouteHandler {
  const handler = (...[request, context]: Parameters<RouteHandler>) => {
    const observer = new RequestObserver(request);
    return observer.run(() => respond(spec, observer, { request, context }));
  };
  return Object.assign(handler, { facts: spec });
}

async function respond<C, P extends Shape, Q extends Shape, B extends Shape>(
  spec: RouteSpec<C, P, Q, B>,
  observer: RequestObserver,
  { request, context }: { request: Request; context: Parameters<RouteHandler>[1] },
): Promise<Response> {
  const disconnect = onClientDisconnect(request);
  const { signal } = disconnect;
  const untrack = trackRequest(disconnect);
  const end = (outcome: Omit<Outcome, "isDisconnected">) => {
    untrack();
    observer.end({ ...outcome, isDisconnected: signal.aborted && !abortReason(signal) });
  };
  const { requestId } = observer;
  const headers: Record<string, string> = { ...DATA_HEADERS, "x-request-id": requestId };
  const status = spec.status ?? 200;
  try {
    observer.params = ((await context?.params) as object | undefined) ?? {};
    const passed = await spec.gate(request, { requestId, signal });
    observer.caller = passed.caller;
    if (passed.caller) {
      assignSlot(passed.caller.account_id);
    }
    const { params } = observer;
    Object.assign(headers, passed.headers);
    const result = await asCaller(passed, () => handle(spec, passed.ctx, { request, params }));
    if (result instanceof EventStream || result instanceof Download) {
      const facts: StreamFacts = {
        signal,
        onDisconnect: () => disconnect.abort(),
        onEnd: (ended) => end({ status: statusOf(result, status), ...ended }),
      };
      return asCaller(passed, () =>
        result instanceof EventStream
          ? eventStreamResponse(result, facts, headers)
          : downloadResponse(result, facts, headers),
      );
    }
    if (result instanceof Relayed) {
      const { text, head, error } = result;
      end({ status: error?.status ?? head.status, error });
      return new Response(text, { ...head, headers: { ...head.headers, ...headers } });
    }
    const response = toResponse(result, status, headers);
    end({ status });
    return response;
  } catch (thrown) {
    const error = toAppError(thrown);
    end({ status: error.status, error });
    return errorResponse(error, headers);
  }
}

function statusOf(result: EventStream | Download, status: number): number {
  return result instanceof Download ? result.status : status;
}

/** Runs `work` with access to the caller's rows only. */
function asCaller<T>({ caller }: Passed<unknown>, work: () => T): T {
  return caller ? asTenant(caller.account_id, work) : work();
}

/** Aborts when the host or a stream's reader reports a disconnect. */
function onClientDisconnect(request: Request): AbortController {
  const disconnect = new AbortController();
  const node = nodeOf(request);
  if (node) {
    // In place of the request's own signal, which would be another one to abort.
    const { req, res } = node;
    const onClose = () => res.writableEnded || disconnect.abort();
    res.once("close", onClose);
    if (res.destroyed || (req.destroyed && !req.complete)) {
      onClose();
    }
    return disconnect;
  }
  const { signal } = request;
  if (signal.aborted) {
    disconnect.abort();
  } else {
    signal.addEventListener("abort", () => disconnect.abort(), { once: true });
  }
  return disconnect;
}

async function handle<C, P extends Shape, Q extends Shape, B extends Shape>(
  spec: RouteSpec<C, P, Q, B>,
  ctx: C,
  { request, params: rawParams }: { request: Request; params: object },
): Promise<unknown> {
  // Most requests have no query, and parsing a URL is slow.
  const rawQuery = request.url.includes("?") ? readQuery(request) : {};
  if (nameWithNul(rawParams)) {
    throw notFound("An id can't contain a NUL character. Check the path.");
  }
  const nulQuery = nameWithNul(rawQuery);
  if (nulQuery) {
    throw invalidRequest("A query value contains a NUL character. Remove it.", nulQuery);
  }
  const params = spec.params?.parse(rawParams, FIRST_ISSUE) as Out<P>;
  const query = parseQuery(spec.query, rawQuery, request) as Out<Q>;
  const read = spec.read ?? ((from: Request) => readJson(from, spec.gate.maxBodyBytes));
  const admission = await spec.admit?.(ctx, request, params);
  try {
    const raw = spec.body && (await (admission?.read ?? read)(request));
    const body = spec.body?.parse(raw, FIRST_ISSUE) as Out<B>;
    return await spec.handle({ ctx, params, query, body, request });
  } finally {
    await admission?.release();
  }
}

/** Throws invalid_request. */
function parseQuery(schema: Shape, raw: object, request: Request): unknown {
  if (!schema) {
    return;
  }
  rejectDuplicateParams(request);
  const { data, error } = schema.safeParse(raw, FIRST_ISSUE);
  if (error) {
    throw fromZod(error, "a parameter of this endpoint");
  }
  return data;
}

/** PostgreSQL can't store NUL, so a value that contains it would fail the query. */
function nameWithNul(values: object): string | undefined {
  return Object.entries(values).find(([, value]) => String(value).includes("\0"))?.[0];
}

function toResponse(result: unknown, status: number, headers: Record<string, string>): Response {
  return result instanceof Reply
    ? jsonResponse(result.value, { status, headers: { ...result.headers, ...headers } })
    : jsonResponse(result, { status, headers });
}

/** Lets everyone in, without an identity. */
export const publicGate: Gate<undefined> = async () => ({ ctx: undefined });
