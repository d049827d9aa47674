import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

const shared = globalThis as typeof globalThis & { footnoteStreams?: Map<string, number> };

/**
 * Takes one of the account's places for streams. The answer gives it back, once. Throws
 * rate_limit_exceeded when all are taken.
 */
export function takeStream(accountId: string): () => void {
  shared.footnoteStreams ??= new Map();
  const open = shared.footnoteStreams;
  const count = open.get(accountId) ?? 0;
  if (count >= env.MAX_STREAMS_PER_ACCOUNT) {
    throw new AppError(
      "rate_limit_exceeded",
      `The account has ${count} streams open, as many as it may. Wait for one to end and try again.`,
      { headers: { "retry-after": "1" } },
    );
  }
  open.set(accountId, count + 1);
  let isTaken = true;
  return () => {
    if (isTaken) {
      isTaken = false;
      const left = (open.get(accountId) ?? 1) - 1;
      if (left > 0) {
        open.set(accountId, left);
      } else {
        open.delete(accountId);
      }
    }
  };
}
