import pLimit, { type LimitFunction } from "p-limit";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processSingleton } from "@/lib/singleton";

/** What may be waited for a turn: with what the search itself takes, well below its deadline. */
const MAX_WAIT_MS = 1000;
/** The weight of the newest of the times that tell how long one takes. */
const NEWEST = 0.1;

/**
 * As many at once as the database can serve, the others in the order of their coming, and none that would have to
 * wait too long: of more searches than it can do, a database would make each one late.
 */
export class SearchLimiter {
  readonly #limit: LimitFunction;
  /** How long one takes, smoothed. */
  #tookMs = 0;

  constructor(atOnce: number) {
    this.#limit = pLimit(atOnce);
  }

  /** Throws retrieval_unavailable where a turn would come too late. */
  shedLoad(): void {
    const { pendingCount, concurrency } = this.#limit;
    if ((pendingCount * this.#tookMs) / concurrency > MAX_WAIT_MS) {
      throw new AppError(
        "retrieval_unavailable",
        "More searches are waiting than can be done in time. Wait a second and try again.",
        { headers: { "retry-after": "1" } },
      );
    }
  }

  /** Throws as `refuseIfCrowded`, and the signal's reason where nobody waits any more. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    this.shedLoad();
    return this.#limit(async () => {
      signal.throwIfAborted();
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        this.#tookMs += (performance.now() - startedAt - this.#tookMs) * NEWEST;
      }
    });
  }
}

// One for both copies of lib in a process. Two connections are left to holds, settlements and all that is quick.
const shared = globalThis as typeof globalThis & { footnoteSearchTurns?: SearchLimiter };
shared.footnoteSearchTurns ??= new SearchLimiter(Math.max(1, env.DATABASE_POOL_SIZE - 2));

/** What the database does for searches. */
export const searchLimiter = shared.footnoteSearchTurns;
