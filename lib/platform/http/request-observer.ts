import type { Attributes, Span } from "@opentelemetry/api";
import type { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { type LogContext, withLogContext } from "@/lib/platform/http/log-context";
import { reportRefusal } from "@/lib/platform/http/refusals";
import { CLIENT_DISCONNECTED } from "@/lib/platform/http/shutdown";
import { log } from "@/lib/platform/log";
import { metrics, secondsSince } from "@/lib/platform/metrics";
import { beginRequestSpan, endSpan, within } from "@/lib/platform/tracing";

/** `param` may repeat a field name chosen by the caller. */
const MAX_LOGGED_PARAM = 100;

const STREAM_FAILED = "stream failed after the first byte";

export interface Caller {
  account_id: string;
  key_id?: string;
}

export interface Outcome {
  status: number;
  error?: AppError | undefined;
  /** Whether the client disconnected. */
  isDisconnected: boolean;
  /** Whether a stream ended early. */
  isCut?: boolean;
}

/** `isAbandoned`: the client disconnected before its response was complete. */
type Ended = Outcome & { isAbandoned: boolean };

/** Follows a request and writes one log line, one metric and one span when it ends. */
export class RequestObserver {
  readonly requestId = newId("request");
  caller: Caller | undefined;
  /** Path params, as parsed by the host. */
  params: object = {};
  readonly #startedAt = performance.now();
  readonly #fields: LogContext = {};
  readonly #span: Span | undefined;
  #hasEnded = false;

  constructor(private readonly request: Request) {
    this.#span = beginRequestSpan(request);
  }

  run<T>(work: () => T): T {
    return withLogContext(this.#fields, () => within(this.#span, work));
  }

  /** Only the first call counts. */
  end(outcome: Outcome): void {
    if (this.#hasEnded) {
      return;
    }
    this.#hasEnded = true;
    const isAbandoned = outcome.isDisconnected && Boolean(outcome.isCut || outcome.error);
    const ended = {
      ...outcome,
      isAbandoned,
      ...(isAbandoned && { status: CLIENT_DISCONNECTED.status }),
    };
    const named = routeName(this.request.url, this.params);
    const attributes = toAttributes(this.request, named, ended);
    metrics()?.requests.record(secondsSince(this.#startedAt), attributes);
    this.#endSpan(named, ended, attributes);
    if (ended.error || log.isLevelEnabled("info")) {
      this.#log(named, ended);
    }
    this.#reportRefusal(named, ended);
  }

  /** A failed request of a known key that left no usage record. */
  #reportRefusal({ route }: RouteName, { status, error, isAbandoned }: Ended): void {
    const { account_id, key_id, kind, model = null } = { ...this.caller, ...this.#fields };
    if (error && !isAbandoned && account_id && key_id && !kind) {
      const latencyMs = Math.round(performance.now() - this.#startedAt);
      const { requestId } = this;
      reportRefusal({
        requestId,
        account_id,
        key_id,
        endpoint: route,
        model,
        status,
        error,
        latencyMs,
      });
    }
  }

  #log(named: RouteName, ended: Ended): void {
    const { status, error, isDisconnected, isCut, isAbandoned } = ended;
    const line = {
      request_id: this.requestId,
      ...this.caller,
      method: this.request.method,
      ...named,
      status,
      duration_ms: Math.round(performance.now() - this.#startedAt),
      ...(error && { code: error.code, param: error.param?.slice(0, MAX_LOGGED_PARAM) }),
      hint: error?.hint,
      ...this.#fields,
      ...(isDisconnected && { client_gone: true }),
      trace_id: this.#span?.spanContext().traceId,
    };
    if (isAbandoned) {
      log.info(line, "client disconnected");
    } else if (error && isFault(ended)) {
      log.error({ ...line, err: error.cause ?? error }, isCut ? STREAM_FAILED : "request failed");
    } else {
      // Successful health checks would fill the log.
      log[this.caller || error ? "info" : "debug"](line, "request");
    }
  }

  #endSpan({ route }: RouteName, ended: Ended, attributes: Attributes): void {
    const span = this.#span;
    if (!span?.isRecording()) {
      return;
    }
    const fields = this.#fields;
    span.updateName(`${this.request.method} ${route}`);
    span.setAttributes({
      ...attributes,
      "footnote.request_id": this.requestId,
      "footnote.account_id": this.caller?.account_id,
      "footnote.key_id": this.caller?.key_id,
      "footnote.kind": fields.kind,
      "footnote.passages": fields.passages ?? undefined,
      "gen_ai.request.model": fields.model ?? undefined,
      "gen_ai.usage.input_tokens": fields.prompt_tokens,
      "gen_ai.usage.output_tokens": fields.completion_tokens,
    });
    // By OpenTelemetry's convention, a client error isn't an error of the server span.
    endSpan(span, isFault(ended) ? ended.error : undefined);
  }
}

/** Whether an operator should look into it. After the first byte, the status no longer shows a failure. */
function isFault({ error, isCut, isAbandoned }: Ended): boolean {
  return error !== undefined && !isAbandoned && (Boolean(isCut) || error.status >= 500);
}

function toAttributes(
  { method }: Request,
  { route }: RouteName,
  { status, error }: Ended,
): Attributes {
  return {
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
    ...(error && { "error.type": error.code }),
  };
}

/** Our own ids, and nothing that looks like a key's secret. */
const OWN_ID = /^(?:[a-z]{2,10}_|chatcmpl-)[0-9a-z]{26}$/;
/** Route folder names. */
const FOLDER = /^[a-z0-9][a-z0-9.-]{0,39}$/;
const OTHER = "other";

interface RouteName {
  /** The path template, such as `/v1/kb/jobs/{job_id}`: as few values as there are routes. */
  route: string;
  /** The path, only when its params are our own ids: a caller could put anything else into it. */
  path?: string;
}

function routeName(url: string, params: object): RouteName {
  const path = /^[^/]*\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? url;
  const parts = path.split("/").slice(1).map(decoded);
  // From the right: a folder left of a param may have the same name as its value.
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
  const hasOwnIds = Object.values(params).every((value) => OWN_ID.test(String(value)));
  return hasOwnIds ? { route, path } : { route };
}

function decoded(part: string): string {
  try {
    return part.includes("%") ? decodeURIComponent(part) : part;
  } catch {
    return part;
  }
}
