import { AppError } from "@/lib/errors";
import {
  ConnectionError,
  IdleTimeoutError,
  ResponseTooLargeError,
  type UpstreamResponse,
} from "./exchange";
import {
  contextMessage,
  type Place,
  shownAddress,
  type UpstreamFacts,
  type UpstreamTarget,
  upstreamFaultOf,
} from "./upstream-faults";

/** Caps an upstream's retry-after at one day. */
const MAX_RETRY_SECONDS = 86_400;
/** Longer error responses aren't read to their end. */
const MAX_ERROR_BYTES = 64 * 1024;
/** The part of an upstream's message that a caller gets. */
const MAX_MESSAGE = 1000;
const MAX_PARAM = 200;
const NO_MESSAGE = "The upstream returned an error without a message.";
/** A 429 with one of these isn't about the rate: OpenAI and those that copy it use the same status for both. */
const QUOTA_CODES = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "insufficient_balance",
]);
/** Clients of our own API obey it. */
const FINAL = { "x-should-retry": "false" };

/** An error response, or an error event within a stream, which has no status. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  readonly headers: UpstreamResponse["headers"];
  readonly requestID: string | undefined;
  readonly status: number | undefined;

  constructor(
    message: string,
    /** The upstream's own object, which stays out of the log. */
    readonly error:
      | { message?: unknown; code?: unknown; type?: unknown; param?: unknown; n_ctx?: unknown }
      | undefined,
    { headers, status }: Pick<UpstreamResponse, "headers"> & { status?: number },
  ) {
    super(message);
    this.headers = headers;
    this.requestID = headerOf(headers, "x-request-id");
    this.status = status;
  }

  /** The same error with other names of fields. */
  rename(toOwn: (text: string) => string): UpstreamError {
    const { message, error, headers, status, param } = this;
    const named = error && { ...error, ...(param !== null && { param: toOwn(param) }) };
    return new UpstreamError(toOwn(message), named, { headers, ...(status && { status }) });
  }

  get code(): string | undefined {
    return typeof this.error?.code === "string" ? this.error.code : undefined;
  }

  get param(): string | null {
    const param = this.error?.param;
    return typeof param === "string" && param.length <= MAX_PARAM ? param : null;
  }
}

/** Reads the error from a response with a status other than 2xx. */
export async function readUpstreamError(answer: UpstreamResponse): Promise<UpstreamError> {
  const text = await answer.text(MAX_ERROR_BYTES).catch((cause: unknown) => {
    if (cause instanceof ResponseTooLargeError) {
      return "";
    }
    throw cause;
  });
  return toUpstreamError(parse(text) ?? { message: text }, answer);
}

/** From any of the shapes that servers use: `{error: {…}}`, `{error: "…"}`, and vLLM's `{message, code}` and `{detail}`. */
function toUpstreamError(
  body: unknown,
  answer: Pick<UpstreamResponse, "headers"> & { status?: number },
): UpstreamError {
  const whole = isObject(body) ? body : {};
  const { error = whole.message || whole.detail } = whole;
  const named = isObject(error) ? error : { ...whole, message: error };
  const hasMessage = isObject(error) || typeof error === "string";
  return new UpstreamError(toSentence(hasMessage ? messageOf(named) : ""), named, answer);
}

/** One line of limited length. A proxy's HTML page says nothing that a caller can use. */
function toSentence(message: string): string {
  const line = message.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const shown = line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
  return line === "" || line.startsWith("<") ? NO_MESSAGE : shown.toWellFormed();
}

/** Null unless the event of a stream, or a response with status 200, is an error. */
export function errorIn(event: unknown, { headers }: UpstreamResponse): UpstreamError | null {
  return isObject(event) && event.error ? toUpstreamError(event, { headers }) : null;
}

function faultIn(cause: unknown) {
  const facts = factsOf(cause);
  const fault = facts && upstreamFaultOf(facts);
  return fault && { ...fault, hint: (place: Place) => fault.hint(place, facts) };
}

function factsOf(cause: unknown): UpstreamFacts | null {
  if (cause instanceof ConnectionError) {
    return { status: undefined, said: "", connectionCode: codeOf(cause.cause) ?? "no answer" };
  }
  if (!(cause instanceof UpstreamError)) {
    return null;
  }
  const { message, status, error } = cause;
  const said = [message, error?.code, error?.type].filter(Boolean).join(" ");
  return { status, said, connectionCode: undefined };
}

/** The system's own code, which undici wraps. */
function codeOf(cause: unknown, depth = 0): string | undefined {
  if (!(cause instanceof Error) || depth > 3) {
    return;
  }
  const code: unknown = Reflect.get(cause, "code");
  const [first] = cause instanceof AggregateError ? cause.errors : [cause.cause];
  return typeof code === "string" ? code : codeOf(first, depth + 1);
}

/** Whether the upstream's server runs, and its model will answer in a while. */
export function isLoading(cause: unknown): boolean {
  return faultIn(cause)?.name === "loading";
}

/** Whether a retry may help: a connection error or a 5xx. */
export function isTransient(cause: unknown): boolean {
  const fault = faultIn(cause);
  if (fault) {
    return fault.isFailure === true && !fault.isFinal;
  }
  return cause instanceof UpstreamError && (cause.status ?? 0) >= 500;
}

/** Whether a gateway stopped waiting for a model, which may go on and be billed; no other error status is. */
export function isGivenUp(status: number | undefined): boolean {
  return status === 408 || status === 504 || status === 524;
}

/** Whether the upstream itself failed, as opposed to rejecting the request. */
export function isFailure(cause: unknown): boolean {
  const fault = faultIn(cause);
  if (fault) {
    return fault.isFailure === true;
  }
  return cause instanceof UpstreamError ? (cause.status ?? 0) >= 500 : !(cause instanceof AppError);
}

/** Errors the caller can fix keep their meaning; the others become ours. */
export function toUpstreamAppError(
  thrown: unknown,
  signal: AbortSignal,
  { baseUrl, model }: UpstreamTarget,
): AppError {
  if (thrown instanceof AppError) {
    return thrown;
  }
  if (signal.aborted) {
    return new AppError("upstream_error", "The request was canceled before the model answered.", {
      cause: thrown,
    });
  }
  if (thrown instanceof IdleTimeoutError) {
    return timeout(thrown);
  }
  const fault = faultIn(thrown);
  const place = { at: shownAddress(baseUrl), model };
  if (fault) {
    const { code, isFinal } = fault;
    const options = { cause: thrown, hint: fault.hint(place) };
    return thrown instanceof UpstreamError && code === "context_length_exceeded"
      ? new AppError(code, contextMessage(thrown.message, thrown.error?.n_ctx), {
          ...options,
          param: thrown.param ?? "messages",
        })
      : new AppError(code, fault.message, { ...options, ...(isFinal && { headers: FINAL }) });
  }
  return thrown instanceof UpstreamError
    ? fromStatus(thrown, place)
    : new AppError("upstream_error", "The model's response broke off. Try again in a moment.", {
        cause: thrown,
        hint: `the connection to ${place.at} broke while it answered for '${model}'`,
      });
}

function fromStatus(error: UpstreamError, { at, model }: Place): AppError {
  switch (error.status) {
    case 400:
    case 413:
    case 422:
      return new AppError("invalid_request", error.message, { param: error.param, cause: error });
    case 402:
      return quotaExhausted(error);
    case 429:
      if (QUOTA_CODES.has(error.code ?? "") || QUOTA_CODES.has(String(error.error?.type))) {
        return quotaExhausted(error);
      }
      return new AppError(
        "rate_limit_exceeded",
        "The model's own rate limit was reached. Wait and try again.",
        {
          headers: { "retry-after": secondsOf(headerOf(error.headers, "retry-after")) },
          cause: error,
        },
      );
    case 408:
    case 504:
      return timeout(error);
    default:
      return new AppError("upstream_error", "The model failed to answer. Try again in a moment.", {
        cause: error,
        hint: `${at} failed to answer for '${model}' (${error.status ?? "within a stream"})`,
      });
  }
}

/** Whole seconds from either form of the header; 1 if invalid. */
function secondsOf(retryAfter = ""): string {
  const seconds = /^\d{1,6}(?:\.\d+)?$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return String(Math.min(Math.max(1, Math.ceil(seconds || 0)), MAX_RETRY_SECONDS));
}

/** The operator's bill, which no caller can wait for. */
function quotaExhausted(cause: UpstreamError): AppError {
  return new AppError(
    "upstream_error",
    "The model's provider has no quota left for this server. Its operator has to add some; until then, use another model.",
    { cause, headers: FINAL },
  );
}

function timeout(cause: unknown): AppError {
  return new AppError(
    "upstream_timeout",
    "The model didn't answer in time. Try again, or ask for less.",
    { cause },
  );
}

export function malformed(): AppError {
  return new AppError(
    "upstream_error",
    "The model's response wasn't a chat completion. Try again in a moment.",
    {
      hint: "the upstream answered with something other than a chat completion: a base URL usually ends in /v1, without /chat/completions",
    },
  );
}

/** Throws upstream_error for invalid JSON. */
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

function headerOf(headers: UpstreamResponse["headers"], name: string): string | undefined {
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
