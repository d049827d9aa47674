import { AppError } from "@/lib/errors";
import { ConnectionError, IdleTimeoutError, type UpstreamResponse } from "./exchange";

/** The longest wait that an upstream may ask callers for: a day. */
const MOST_SECONDS = 86_400;
const CONTEXT_LENGTH = "context_length_exceeded";

/** What an upstream says went wrong; `error` is its own object, which stays out of the log. */
interface UpstreamErrorFacts {
  error?: { message?: unknown; code?: unknown; param?: unknown } | undefined;
  status?: number | undefined;
  requestID?: string | undefined;
  retryAfter?: string | undefined;
}

/** An upstream's answer that is an error, whole or inside a stream. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  readonly error: UpstreamErrorFacts["error"];
  readonly status: number | undefined;
  readonly requestID: string | undefined;
  readonly retryAfter: string | undefined;

  constructor(message: string, { error, status, requestID, retryAfter }: UpstreamErrorFacts) {
    super(message);
    this.error = error;
    this.status = status;
    this.requestID = requestID;
    this.retryAfter = retryAfter;
  }

  get code(): string | undefined {
    return typeof this.error?.code === "string" ? this.error.code : undefined;
  }

  get param(): string | null {
    return typeof this.error?.param === "string" ? this.error.param : null;
  }
}

/** The error that an answer of another status than 2xx is. */
export async function readUpstreamError(answer: UpstreamResponse): Promise<UpstreamError> {
  const text = await answer.text();
  const body = parse(text);
  const error = isObject(body) && isObject(body.error) ? body.error : undefined;
  const told = error ? messageOf(error) : body === undefined && text;
  return new UpstreamError(told || "The upstream answered with an error and no words.", {
    error,
    status: answer.status,
    requestID: headerOf(answer, "x-request-id"),
    retryAfter: headerOf(answer, "retry-after"),
  });
}

/** An event of a stream that is an error and no chunk; null for any other. */
export function errorInStream(event: unknown, answer: UpstreamResponse): UpstreamError | null {
  const error = isObject(event) && event.error;
  return error
    ? new UpstreamError("the stream told of an error", {
        error: isObject(error) ? error : {},
        requestID: headerOf(answer, "x-request-id"),
      })
    : null;
}

/** Worth another try: the upstream could not be reached or had an error of its own. */
export function isTransient(cause: unknown): boolean {
  return (
    cause instanceof ConnectionError ||
    (cause instanceof UpstreamError && (cause.status ?? 0) >= 500)
  );
}

/** The upstream is not there or not well, in contrast to an answer that says no. */
export function isFailure(cause: unknown): boolean {
  return cause instanceof UpstreamError ? (cause.status ?? 0) >= 500 : !(cause instanceof AppError);
}

/** An upstream's failure keeps its meaning: what the caller can mend stays theirs, the rest becomes ours. */
export function toUpstreamAppError(thrown: unknown, signal: AbortSignal): AppError {
  if (thrown instanceof AppError) {
    return thrown;
  }
  if (signal.aborted) {
    return new AppError(
      "upstream_error",
      "The request was cancelled before the model had answered.",
      { cause: thrown },
    );
  }
  if (thrown instanceof IdleTimeoutError) {
    return timeout(thrown);
  }
  return thrown instanceof UpstreamError
    ? fromStatus(thrown)
    : new AppError("upstream_error", "The model could not be reached. Try again in a moment.", {
        cause: thrown,
      });
}

function fromStatus(error: UpstreamError): AppError {
  switch (error.status) {
    case 400:
    case 413:
    case 422:
      return new AppError(
        error.code === CONTEXT_LENGTH ? CONTEXT_LENGTH : "invalid_request",
        error.message,
        { param: error.param, cause: error },
      );
    case 429:
      return new AppError(
        "rate_limit_exceeded",
        "The model's own rate limit is reached. Wait and try again.",
        { headers: { "retry-after": secondsOf(error.retryAfter) }, cause: error },
      );
    case 408:
    case 504:
      return timeout(error);
    default:
      return new AppError("upstream_error", "The model failed to answer. Try again in a moment.", {
        cause: error,
      });
  }
}

/** Whole seconds, whichever of its two forms the header has, and whatever else stands in it. */
function secondsOf(retryAfter = ""): string {
  const seconds = /^\d{1,6}(?:\.\d+)?$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return String(Math.min(Math.max(1, Math.ceil(seconds || 0)), MOST_SECONDS));
}

function timeout(cause: unknown): AppError {
  return new AppError(
    "upstream_timeout",
    "The model did not answer in time. Try again, or ask for less.",
    { cause },
  );
}

export function malformed(): AppError {
  return new AppError(
    "upstream_error",
    "The model's answer was not a chat completion. Try again in a moment.",
  );
}

/** The JSON of an answer. Throws upstream_error. */
export function parsed(text: string): unknown {
  const value = parse(text);
  if (value === undefined) {
    throw malformed();
  }
  return value;
}

function messageOf(error: Record<string, unknown>): string {
  const { message } = error;
  return typeof message === "string" && message ? message : JSON.stringify(message || error);
}

function headerOf({ headers }: UpstreamResponse, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
