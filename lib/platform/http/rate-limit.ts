import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
} from "rate-limiter-flexible";
import { AppError } from "@/lib/errors";
import { redis } from "@/lib/platform/redis";
import { processSingleton } from "@/lib/singleton";

const WINDOW_SECONDS = 60;

/** A counter's state in its one-minute window. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  resetMs: number;
  isExceeded: boolean;
}

// Limits differ by key, so the library only counts and `consume` compares.
const options = { points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS };
const counters = processSingleton("rate limits", (): RateLimiterAbstract => {
  const memory = new RateLimiterMemory(options);
  const storeClient = redis();
  return storeClient
    ? new RateLimiterRedis({
        ...options,
        keyPrefix: "footnote",
        storeClient,
        insuranceLimiter: memory,
      })
    : memory;
});

/** Counts `points` for a name; zero points only read. */
export async function consume(
  name: string,
  points: number,
  limit: number,
): Promise<RateLimitState> {
  const state = points > 0 ? await counters.consume(name, points) : await counters.get(name);
  const consumed = state?.consumedPoints ?? 0;
  return {
    limit,
    remaining: Math.max(0, limit - consumed),
    resetMs: state?.msBeforeNext ?? 0,
    // A read asks whether anything is left, a count whether this one still fit.
    isExceeded: points > 0 ? consumed > limit : consumed >= limit,
  };
}

/** Until a counter's window ends. */
export function secondsLeft({ resetMs }: RateLimitState): number {
  return Math.max(1, Math.ceil(resetMs / 1000));
}

/** Throws rate_limit_exceeded. */
export function rejectWhenExceeded(
  state: RateLimitState,
  reason: string,
  headers: Record<string, string> = {},
): void {
  if (state.isExceeded) {
    const seconds = secondsLeft(state);
    throw new AppError("rate_limit_exceeded", `${reason} Wait ${seconds} s and try again.`, {
      headers: { ...headers, "retry-after": String(seconds) },
    });
  }
}

/** OpenAI's header names and duration form, such as `x-ratelimit-reset-requests: 59.2s`. */
export function rateLimitHeaders(
  kind: "requests" | "tokens",
  state: RateLimitState,
): Record<string, string> {
  return {
    [`x-ratelimit-limit-${kind}`]: String(state.limit),
    [`x-ratelimit-remaining-${kind}`]: String(state.remaining),
    [`x-ratelimit-reset-${kind}`]: `${(state.resetMs / 1000).toFixed(3)}s`,
  };
}
