import { env } from "@/lib/env";
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

const FORWARDED_FOR = "x-forwarded-for";

/** Enough for an IPv6 address with a zone; the client controls the header. */
const MAX_ADDRESS_LENGTH = 64;

interface Connected {
  headers: Record<string, string | string[] | undefined>;
  socket: { remoteAddress?: string | undefined };
}

/** Appends the connection's own address to X-Forwarded-For, as a proxy would. Call it once, before anything reads it. */
export function appendPeerAddress({ headers, socket }: Connected): void {
  const forwarded = [headers[FORWARDED_FOR], socket.remoteAddress].flat().filter(Boolean);
  headers[FORWARDED_FOR] = forwarded.join(", ");
}

/**
 * The client's address, for rate limits on unauthenticated callers. Each trusted proxy and this server appended the
 * address they were called from, so the client's stands before those of the proxies; what stands further left is the
 * client's own invention.
 */
export function clientAddress(
  forwardedFor: string | null | undefined,
  trustedProxies = env.TRUSTED_PROXIES,
): string {
  const addresses = forwardedFor?.split(",") ?? [];
  const address = addresses[Math.max(0, addresses.length - 1 - trustedProxies)];
  return address?.trim().slice(0, MAX_ADDRESS_LENGTH) || "unknown";
}
