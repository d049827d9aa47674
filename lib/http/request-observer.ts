import type { Attributes, Span } from "@opentelemetry/api";
import type { AppError } from "@/lib/errors";
import { type LogContext, withLogContext } from "@/lib/http/log-context";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { metrics, secondsSince } from "@/lib/metrics";
import { beginRequestSpan, endSpan, within } from "@/lib/tracing";

/** A param may repeat a field name of the caller's own making. */
const LONGEST_LOGGED_PARAM = 100;

/** What other servers call an answer that nobody waits for. */
const CLIENT_CLOSED_REQUEST = 499;

const CUT = "stream failed after its first byte";

/** Who asked, as its gate found. */
export interface Caller {
  account_id: string;
  key_id?: string;
}

interface Outcome {
  /** As it was answered. */
  status: number;
  error?: AppError | undefined;
  /** Whether the client has gone. */
  isDisconnected: boolean;
  /** A stream that ended before its end. */
  isCut?: boolean;
}

interface Ended extends Outcome {
  /** Whether the client had gone before its answer was whole. */
  isAbandoned: boolean;
}

/** One request from its arrival to its end: then it is one log line, one count and one span. */
export class RequestObserver {
  readonly requestId = newId("request");
  caller: Caller | undefined;
  /** What the host read out of the path. */
  params: object = {};
  readonly #startedAt = performance.now();
  readonly #notes: LogContext = {};
  readonly #span: Span | undefined;
  #hasEnded = false;

  constructor(private readonly request: Request) {
    this.#span = beginRequestSpan(request);
  }

  /** What is begun in `work` is part of this request. */
  run<T>(work: () => T): T {
    return withLogContext(this.#notes, () => within(this.#span, work));
  }

  /** The first end counts. */
  end(outcome: Outcome): void {
    if (this.#hasEnded) {
      return;
    }
    this.#hasEnded = true;
    const { error, isDisconnected: hungUp, isCut } = outcome;
    const wentBefore = isDisconnected && Boolean(isCut || error);
    const named = routeName(this.request.url, this.params);
    const ended = {
      ...outcome,
      wentBefore,
      status: wentBefore ? CLIENT_CLOSED_REQUEST : outcome.status,
    };
    metrics()?.requests.record(
      secondsSince(this.#startedAt),
      toAttributes(this.request, named, ended),
    );
    this.#endSpan(named, ended);
    this.#log(named, ended);
  }

  #log(named: RouteName, ended: Ended): void {
    const { status, error, isDisconnected: hungUp, isCut, isAbandoned: wentBefore } = ended;
    const line = {
      request_id: this.requestId,
      ...this.caller,
      method: this.request.method,
      ...named,
      status,
      duration_ms: Math.round(performance.now() - this.#startedAt),
      ...(error && faultOf(error)),
      ...this.#notes,
      ...(isDisconnected && { client_gone: true }),
      trace_id: this.#span?.spanContext().traceId,
    };
    if (isAbandoned) {
      log.info(line, "client hung up");
    } else if (error && isFault(ended)) {
      log.error({ ...line, err: error.cause ?? error }, isCut ? CUT : "request failed");
    } else {
      // A health check that passes every second tells nothing.
      log[this.caller || error ? "info" : "debug"](line, "request");
    }
  }

  #endSpan(named: RouteName, ended: Ended): void {
    const span = this.#span;
    if (!span?.isRecording()) {
      return;
    }
    const notes = this.#notes;
    span.updateName(`${this.request.method} ${named.route}`);
    span.setAttributes(toAttributes(this.request, named, ended));
    span.setAttributes({
      "footnote.request_id": this.requestId,
      "footnote.account_id": this.caller?.account_id,
      "footnote.key_id": this.caller?.key_id,
      "footnote.kind": notes.kind,
      "footnote.passages": notes.passages ?? undefined,
      "gen_ai.request.model": notes.model ?? undefined,
      "gen_ai.usage.input_tokens": notes.prompt_tokens,
      "gen_ai.usage.output_tokens": notes.completion_tokens,
    });
    // As the convention has it, what the caller did wrong is no error of the server's.
    endSpan(span, isFault(ended) ? ended.error : undefined);
  }
}

/** What the operator should know of. After the first byte, the status says nothing of it. */
function isFault({ error, isCut, isAbandoned: wentBefore }: Ended): boolean {
  return error !== undefined && !isAbandoned && (Boolean(isCut) || error.status >= 500);
}

function faultOf({ code, param }: AppError): object {
  return { code, param: param?.slice(0, LONGEST_LOGGED_PARAM) };
}

function toAttributes(
  { method }: Request,
  { route }: RouteName,
  { status, error }: Ended,
): Attributes {
  const attributes: Attributes = {
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
  };
  if (error) {
    attributes["error.type"] = error.code;
  }
  return attributes;
}

/** Ids as the product mints them, and nothing that looks like a key's secret. */
const OWN_ID = /^(?:[a-z]{2,10}_|chatcmpl-)[0-9a-z]{26}$/;
/** The names of our folders. */
const FOLDER = /^[a-z0-9][a-z0-9.-]{0,39}$/;
const OTHER = "other";

export interface RouteName {
  /** The path's template, such as `/v1/kb/jobs/{job_id}`; one of as many as there are routes. */
  route: string;
  /** The path, where nobody could have put anything into it but ids of ours. */
  path?: string;
}

/** Names the route of a request by its path and the params that the host read out of it. */
export function routeName(url: string, params: object): RouteName {
  const path = pathOf(url);
  const parts = path.split("/").slice(1).map(decoded);
  // From the right: what stands before a param is a folder of ours, what stands behind it may be.
  for (const [name, value] of Object.entries(params).reverse()) {
    const at = Array.isArray(value) ? parts.length - value.length : parts.lastIndexOf(value);
    if (at < 0) {
      return { route: OTHER };
    }
    parts.splice(at, Array.isArray(value) ? value.length : 1, `{${name}}`);
  }
  if (!parts.every((part) => part.startsWith("{") || FOLDER.test(part))) {
    return { route: OTHER };
  }
  const route = `/${parts.join("/")}`;
  const isOurs = Object.values(params).every((value) => OWN_ID.test(String(value)));
  return isOurs ? { route, path } : { route };
}

function pathOf(url: string): string {
  return /^[^/]*\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? url;
}

function decoded(part: string): string {
  try {
    return part.includes("%") ? decodeURIComponent(part) : part;
  } catch {
    return part;
  }
}
