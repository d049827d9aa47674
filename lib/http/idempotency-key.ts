import { AppError } from "@/lib/errors";

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
