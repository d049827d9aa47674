import type { Attributes, Span } from "@opentelemetry/api";
import type { AppError } from "@/lib/errors";
import { type LogContext, withLogContext } from "@/lib/http/log-context";
import { newId } from "@/lib/id";
import { log } from "@/lib/log";
import { metrics, secondsSince } from "@/lib/metrics";
import { beginRequestSpan, endSpan, within } from "@/lib/tracing";
import { type RouteName, routeName } from "./route-name";

/** A param may repeat a field name of the caller's own making. */
const LONGEST_LOGGED_PARAM = 100;

/** What other servers call an answer that nobody waits for. */
const CLIENT_HUNG_UP = 499;

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
  hungUp: boolean;
  /** A stream that ended before its end. */
  isCut?: boolean;
}

interface Ended extends Outcome {
  /** Whether the client had gone before its answer was whole. */
  wentBefore: boolean;
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
    const { error, hungUp, isCut } = outcome;
    const wentBefore = hungUp && Boolean(isCut || error);
    const named = routeName(this.request.url, this.params);
    const ended = { ...outcome, wentBefore, status: wentBefore ? CLIENT_HUNG_UP : outcome.status };
    metrics()?.requests.record(
      secondsSince(this.#startedAt),
      toAttributes(this.request, named, ended),
    );
    this.#endSpan(named, ended);
    this.#log(named, ended);
  }

  #log(named: RouteName, ended: Ended): void {
    const { status, error, hungUp, isCut, wentBefore } = ended;
    const line = {
      request_id: this.requestId,
      ...this.caller,
      method: this.request.method,
      ...named,
      status,
      duration_ms: Math.round(performance.now() - this.#startedAt),
      ...(error && faultOf(error)),
      ...this.#notes,
      ...(hungUp && { client_gone: true }),
      trace_id: this.#span?.spanContext().traceId,
    };
    if (wentBefore) {
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
function isFault({ error, isCut, wentBefore }: Ended): boolean {
  return error !== undefined && !wentBefore && (Boolean(isCut) || error.status >= 500);
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
