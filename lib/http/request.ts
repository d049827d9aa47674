import { AppError } from "@/lib/errors";

/** Throws invalid_request for a repeated query parameter: all but its last value would be ignored. */
export function rejectDuplicateParams(request: Request): void {
  const { searchParams } = new URL(request.url);
  const repeated = [...searchParams.keys()].find((name) => searchParams.getAll(name).length > 1);
  if (repeated) {
    throw new AppError(
      "invalid_request",
      `'${repeated}' is repeated in the query. Send it once, with several values separated by commas.`,
      { param: repeated },
    );
  }
}

/** The bearer token of a request. Throws missing_api_key, with `message`. */
export function requireBearer(request: Request, message: string): string {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!token) {
    throw new AppError("missing_api_key", message, { headers: { "www-authenticate": "Bearer" } });
  }
  return token;
}

const HEADER = "idempotency-key";
/** Stripe's limit. */
const PATTERN = /^[\x21-\x7e]{1,255}$/;

export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get(HEADER);
  if (key !== null && !PATTERN.test(key)) {
    throw new AppError(
      "invalid_request",
      "The 'Idempotency-Key' header isn't valid. Use 1 to 255 visible ASCII characters, such as a UUID.",
      { param: HEADER },
    );
  }
  return key;
}

/**
 * The first forwarded address, for rate limits on unauthenticated callers. A client can forge it unless the proxy
 * replaces the header, so nothing but a rate limit may depend on it.
 */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(",")[0]?.trim().slice(0, MAX_ADDRESS_LENGTH) || "unknown";
}

/** Enough for an IPv6 address with a zone; the client controls the header. */
const MAX_ADDRESS_LENGTH = 64;
