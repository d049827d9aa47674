import { AppError } from "@/lib/errors";

/** Throws invalid_request for a query parameter that stands twice: all but its last value would go unseen. */
export function rejectDuplicateParams(request: Request): void {
  const { searchParams } = new URL(request.url);
  const repeated = [...searchParams.keys()].find((name) => searchParams.getAll(name).length > 1);
  if (repeated) {
    throw new AppError(
      "invalid_request",
      `'${repeated}' stands more than once in the query. Give it once, several values with commas between them.`,
      { param: repeated },
    );
  }
}

const HEADER = "idempotency-key";
/** As long as Stripe's may be. */
const FORM = /^[\x21-\x7e]{1,255}$/;

/** The caller's name for a request that must be done once, however often it is sent; null without one. */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get(HEADER);
  if (key !== null && !FORM.test(key)) {
    throw new AppError(
      "invalid_request",
      "The header 'Idempotency-Key' is not valid. Use 1 to 255 visible ASCII characters, such as a UUID.",
      { param: HEADER },
    );
  }
  return key;
}

/**
 * Who asks, for a limit on those who have not signed in: the first address a proxy, or Next itself, noted.
 * A proxy that keeps what a client wrote there lets it choose, so nothing but a limit may depend on it.
 */
export function clientAddress(forwardedFor: string | null | undefined): string {
  return forwardedFor?.split(",")[0]?.trim().slice(0, LONGEST_ADDRESS) || "unknown";
}

/** An IPv6 address with a zone; the header is the client's to write. */
const LONGEST_ADDRESS = 64;
