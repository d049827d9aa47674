import Stripe from "stripe";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/platform/log";

/** When Stripe names no time itself. */
const RETRY_SECONDS = "2";
const MAX_MESSAGE = 500;

/** Runs one call to Stripe within our own deadline: the package's own covers a silent socket, not a slow or odd response. */
export async function askStripe<T>(call: () => Promise<T>, deadlineMs: number): Promise<T> {
  try {
    return await withDeadline(call(), deadlineMs);
  } catch (thrown) {
    throw thrown instanceof Stripe.errors.StripeError ? toAppError(thrown) : thrown;
  }
}

/** As `code` names it; other failures have none. */
export function isStripeRefusal(thrown: unknown, code: string, param?: string): boolean {
  return (
    thrown instanceof Stripe.errors.StripeInvalidRequestError &&
    thrown.code === code &&
    (param === undefined || thrown.param === param)
  );
}

async function withDeadline<T>(answer: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      log.warn({ deadline_ms: deadlineMs }, "stripe request exceeded its deadline");
      reject(timeoutError());
    }, deadlineMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function timeoutError(cause?: unknown): AppError {
  const message = "The payment provider did not answer in time. Try again in a moment.";
  return new AppError("upstream_timeout", message, { cause });
}

type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

function toAppError(cause: StripeError): AppError {
  const { detail, statusCode } = cause;
  // `detail` holds the connection error.
  const isTimeout = detail instanceof Error && Reflect.get(detail, "code") === "ETIMEDOUT";
  report(cause, isTimeout);
  const specific = refusedUrl(cause) ?? repeatedRequest(cause);
  if (specific) {
    return specific;
  }
  if (isTimeout) {
    return timeoutError(cause);
  }
  if (statusCode === 401 || statusCode === 403) {
    const message =
      "Payments do not work on this server right now. Its operator finds the reason in the server's log.";
    return new AppError("upstream_error", message, { cause });
  }
  if (cause instanceof Stripe.errors.StripeRateLimitError) {
    const message = "The payment provider is busy. Wait a few seconds and try again.";
    return new AppError("service_unavailable", message, { cause, headers: retryAfter(cause) });
  }
  const message = "The request to the payment provider failed. Try again later.";
  return new AppError("upstream_error", message, { cause });
}

/** The return addresses are the only input of the caller that Stripe validates. */
function refusedUrl(cause: StripeError): AppError | null {
  const param = ["success_url", "cancel_url"].find((name) => name === cause.param);
  return cause.type === "StripeInvalidRequestError" && param
    ? new AppError(
        "invalid_request",
        `Stripe doesn't accept '${param}' as a return address. Use a complete https address.`,
        { param, cause },
      )
    : null;
}

function repeatedRequest(cause: StripeError): AppError | null {
  if (cause.statusCode === 409) {
    const message =
      "Another request with this Idempotency-Key is still running. Wait a few seconds and send it again.";
    return new AppError("service_unavailable", message, { cause, headers: retryAfter(cause) });
  }
  if (cause instanceof Stripe.errors.StripeIdempotencyError) {
    const message =
      "This server's payment settings have changed since the first request with this Idempotency-Key. Send it again with another key.";
    return new AppError("conflict", message, { param: "idempotency-key", cause });
  }
  return null;
}

function retryAfter({ headers }: StripeError): Record<string, string> {
  const seconds = headers?.["retry-after"];
  return { "retry-after": seconds && /^\d{1,4}$/.test(seconds) ? seconds : RETRY_SECONDS };
}

const KEY_PROBLEMS: Record<number, string> = {
  401: "stripe rejected STRIPE_SECRET_KEY: check that it is current and of the right mode",
  403: "STRIPE_SECRET_KEY lacks a permission: grant the one Stripe names",
  429: "stripe rate limit reached",
};

/** For the operator, in Stripe's own words. */
function report(cause: StripeError, isTimeout: boolean): void {
  const { statusCode = 0, type, rawType, code, param, requestId } = cause;
  const stripe = {
    ...(statusCode && { status: statusCode }),
    type: rawType ?? type,
    code,
    param,
    message: redact(cause.message),
    request_id: requestId,
  };
  const level = statusCode === 401 || statusCode === 403 ? "error" : "warn";
  const fallback = isTimeout ? "stripe did not answer in time" : "stripe request failed";
  log[level]({ stripe }, KEY_PROBLEMS[statusCode] ?? fallback);
}

/** Stripe may quote what it refuses: keys, and addresses of people. */
function redact(message: string): string {
  return message
    .replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, "$1_…")
    .replace(/[^\s"'<>]+@[^\s"'<>]+/g, "…@…")
    .slice(0, MAX_MESSAGE);
}
