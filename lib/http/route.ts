import type * as z from "zod";
import { asTenant } from "@/lib/db/tenant-context";
import { AppError } from "@/lib/errors";
import { abortReason, trackRequest } from "@/lib/http/shutdown";
import type { StreamFacts } from "./bind-to-request";
import { Download, downloadResponse } from "./download";
import { errorResponse, toAppError } from "./error-response";
import { jsonResponse } from "./json-response";
import { readJson } from "./read-body";
import { type Caller, RequestObserver } from "./request-observer";
import { DATA_HEADERS } from "./security-headers";
import { EventStream, eventStreamResponse } from "./sse";

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
  caller?: Caller;
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
  const answer = (request: Request, context?: { params: Promise<unknown> }) => {
    const record = new RequestObserver(request);
    return record.run(() => answerOf(spec, record, { request, context }));
  };
  return Object.assign(answer, { facts: spec });
}

interface Asked {
  request: Request;
  context: { params: Promise<unknown> } | undefined;
}

async function answerOf<C, P extends Shape, Q extends Shape, B extends Shape>(
  spec: RouteSpec<C, P, Q, B>,
  record: RequestObserver,
  { request, context }: Asked,
): Promise<Response> {
  const hangUp = onClientDisconnect(request);
  const { signal } = hangUp;
  const noteEnd = trackRequest(hangUp);
  const hungUp = () => signal.aborted && !abortReason(signal);
  const { requestId } = record;
  const headers: Record<string, string> = { ...DATA_HEADERS, "x-request-id": requestId };
  const status = spec.status ?? 200;
  try {
    record.params = ((await context?.params) as object | undefined) ?? {};
    const passed = await spec.gate(request, { requestId, signal });
    record.caller = passed.caller;
    Object.assign(headers, passed.headers);
    const { params } = record;
    const result = await asCaller(passed, () => handle(spec, passed.ctx, { request, params }));
    if (isStream(result)) {
      const facts: StreamFacts = {
        signal,
        onDisconnect: () => hangUp.abort(),
        onEnd: (end) => {
          noteEnd();
          record.end({ status, isDisconnected: hungUp(), ...end });
        },
      };
      return asCaller(passed, () => toStream(result, headers, facts));
    }
    const response = toResponse(result, status, headers);
    noteEnd();
    record.end({ status, isDisconnected: hungUp() });
    return response;
  } catch (thrown) {
    const error = toAppError(thrown);
    noteEnd();
    record.end({ status: error.status, error, isDisconnected: hungUp() });
    return errorResponse(error, headers);
  }
}

/** What a known caller leads to sees and changes their account's rows alone. */
function asCaller<T>({ caller }: Passed<unknown>, work: () => T): T {
  return caller ? asTenant(caller.account_id, work) : work();
}

/** Ends when the client hangs up, whether the host tells it or a stream's reader. */
function onClientDisconnect({ signal }: Request): AbortController {
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
  { request, params: rawParams }: { request: Request; params: object },
): Promise<unknown> {
  // Most requests have no query, and a URL is dear to read.
  const rawQuery = request.url.includes("?")
    ? Object.fromEntries(new URL(request.url).searchParams)
    : {};
  if (nameWithNul(rawParams)) {
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

function isStream(result: unknown): result is EventStream | Download {
  return result instanceof EventStream || result instanceof Download;
}

function toStream(
  result: EventStream | Download,
  headers: Record<string, string>,
  facts: StreamFacts,
): Response {
  return result instanceof EventStream
    ? eventStreamResponse(result, facts, headers)
    : withHeaders(downloadResponse(result, facts), headers);
}

function toResponse(result: unknown, status: number, headers: Record<string, string>): Response {
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

/** The gate that lets everybody in, as nobody in particular. */
export const publicGate: Gate<undefined> = async () => ({ ctx: undefined });
