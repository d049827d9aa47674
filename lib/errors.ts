/** Every error a caller may see. The code determines the status, the OpenAI error type and whether to retry. */
export const ERROR_KINDS = {
  invalid_request: { status: 400, type: "invalid_request_error" },
  context_length_exceeded: { status: 400, type: "invalid_request_error" },
  missing_api_key: { status: 401, type: "authentication_error" },
  missing_session: { status: 401, type: "authentication_error" },
  insufficient_balance: { status: 402, type: "billing_error", isFinal: true },
  balance_reserved: { status: 402, type: "billing_error", isFinal: true },
  key_budget_exceeded: { status: 402, type: "billing_error", isFinal: true },
  invalid_api_key: { status: 403, type: "authentication_error" },
  insufficient_scope: { status: 403, type: "permission_error" },
  not_found: { status: 404, type: "invalid_request_error" },
  original_not_stored: { status: 404, type: "invalid_request_error" },
  page_not_available: { status: 404, type: "invalid_request_error" },
  method_not_allowed: { status: 405, type: "invalid_request_error" },
  conflict: { status: 409, type: "invalid_request_error", isFinal: true },
  idempotency_conflict: { status: 409, type: "invalid_request_error", isFinal: true },
  idempotency_answer_lost: { status: 409, type: "invalid_request_error", isFinal: true },
  idempotency_key_reused: { status: 409, type: "invalid_request_error", isFinal: true },
  payload_too_large: { status: 413, type: "invalid_request_error" },
  unsupported_media_type: { status: 415, type: "invalid_request_error" },
  rate_limit_exceeded: { status: 429, type: "rate_limit_error" },
  internal_error: { status: 500, type: "server_error" },
  upstream_error: { status: 502, type: "server_error" },
  retrieval_unavailable: { status: 503, type: "server_error" },
  service_unavailable: { status: 503, type: "server_error" },
  upstream_timeout: { status: 504, type: "server_error" },
} as const satisfies Record<string, { status: number; type: string; isFinal?: true }>;

export type ErrorCode = keyof typeof ERROR_KINDS;

interface ErrorOptions {
  /** Dotted path of the request field at fault. */
  param?: string | null;
  /** For the log only, never the caller. */
  cause?: unknown;
  /** What the operator can do about it, in one sentence; for the log only. */
  hint?: string;
  /** Extra response headers, such as `allow` or `retry-after`. */
  headers?: Record<string, string>;
  /** Extra members of the error object, such as `balance`. */
  details?: Record<string, string | number>;
  /** In place of the code's, where a protocol requires another. */
  status?: number;
}

/** Next bundles routes apart, each with a copy of this class, so `instanceof` goes by a brand. */
const BRAND = Symbol.for("footnote.AppError");

/** `message` is for the caller, `cause` for the log. */
export class AppError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  override name = "AppError";
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: string;
  readonly param: string | null;
  /** Stock clients must not retry it, although its status suggests it. */
  readonly isFinal: boolean;
  readonly headers: Record<string, string>;
  readonly details: Record<string, string | number>;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    const kind: { status: number; type: string; isFinal?: true } = ERROR_KINDS[code];
    this.status = options.status ?? kind.status;
    this.type = kind.type;
    this.isFinal = kind.isFinal ?? false;
    this.param = options.param ?? null;
    this.headers = options.headers ?? {};
    this.details = options.details ?? {};
    this.hint = options.hint;
  }
}

/** Makes errors about the request field `param`, a dotted path, or about the request as a whole. */
function errorFactory(code: ErrorCode) {
  return (message: string, param: string | null = null) => new AppError(code, message, { param });
}

export const invalidRequest = errorFactory("invalid_request");
export const insufficientScope = errorFactory("insufficient_scope");
export const notFound = errorFactory("not_found");
export const conflict = errorFactory("conflict");
