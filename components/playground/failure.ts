/** Why a request failed, as the API reports it. */
export interface Failure {
  /** Null without a response. */
  status: number | null;
  code: string;
  message: string;
  param: string | null;
  requestId: string | null;
  /** For insufficient_balance: decimal strings of US dollars. */
  balance?: string;
  required?: string;
  /** For rate_limit_exceeded: seconds. */
  retryAfter?: string;
}

/** The error in an HTTP response or a stream's error event. */
export function toFailure(answer: unknown, response: Response): Failure {
  const error = (answer as { error?: Record<string, unknown> } | null)?.error;
  const text = (name: string) => {
    const value = error?.[name];
    return typeof value === "string" ? value : null;
  };
  const balance = text("balance");
  const required = text("required");
  const retryAfter = response.headers.get("retry-after");
  return {
    status: response.ok ? null : response.status,
    code: text("code") ?? "internal_error",
    message: text("message") ?? "The server sent an invalid response.",
    param: text("param"),
    requestId: response.headers.get("x-request-id"),
    ...(balance && { balance }),
    ...(required && { required }),
    ...(retryAfter && { retryAfter }),
  };
}

/** The failure of a request without a response, or with an incomplete one. */
export function lostFailure(requestId: string | null): Failure {
  return {
    status: null,
    code: "connection_lost",
    message: requestId
      ? "The connection was lost before the answer was complete."
      : "We couldn’t reach the server.",
    param: null,
    requestId,
  };
}

/** What the user can do here about a failure, in addition to the API's message. */
const ADVICE: Record<string, string> = {
  insufficient_scope: "“Ask as” decides which knowledge bases can be searched.",
  context_length_exceeded: "Start a new conversation to shorten it.",
  payload_too_large: "Start a new conversation to shorten it.",
  retrieval_unavailable: "Turn off “Require sources” to get an answer without sources.",
  connection_lost: "Check your connection.",
};

export function adviseOn({ code }: Failure): string | null {
  return ADVICE[code] ?? null;
}
