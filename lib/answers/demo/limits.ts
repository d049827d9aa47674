import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { AppError } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { redis } from "@/lib/platform/redis";
import { processSingleton } from "@/lib/singleton";

/** Enough to see what the product does; an account comes with more. */
export const QUESTIONS_PER_ADDRESS = 5;
const DAY_SECONDS = 24 * 60 * 60;
const TOTAL = "all";

// A key is stored only while the total isn't reached, so memory is bounded by DEMO_QUESTIONS_PER_DAY.
const counters = processSingleton("demo limits", () => {
  const options = {
    points: Number.MAX_SAFE_INTEGER,
    duration: DAY_SECONDS,
    keyPrefix: "footnote-demo",
  };
  const memory = new RateLimiterMemory(options);
  const storeClient = redis();
  return storeClient
    ? new RateLimiterRedis({ ...options, storeClient, insuranceLimiter: memory })
    : memory;
});

/**
 * Counts a visitor's question: a few for each address and a fixed number for all of them, per day. Returns how many the
 * address has left. Throws not_found where the demo is switched off, and rate_limit_exceeded.
 */
export async function countDemoQuestion(address: string): Promise<number> {
  const perDay = env.DEMO_QUESTIONS_PER_DAY;
  if (perDay === 0) {
    throw new AppError("not_found", "The live demo is switched off on this server.");
  }
  const total = await counters.get(TOTAL);
  if ((total?.consumedPoints ?? 0) >= perDay) {
    throw exceeded("Today’s free questions are used up.", total?.msBeforeNext);
  }
  const { consumedPoints, msBeforeNext } = await counters.consume(`from:${address}`, 1);
  if (consumedPoints > QUESTIONS_PER_ADDRESS) {
    throw exceeded(`You’ve asked today’s ${QUESTIONS_PER_ADDRESS} free questions.`, msBeforeNext);
  }
  await counters.consume(TOTAL, 1);
  return QUESTIONS_PER_ADDRESS - consumedPoints;
}

function exceeded(reason: string, resetMs = 0): AppError {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  return new AppError("rate_limit_exceeded", `${reason} Create an account to ask more.`, {
    headers: { "retry-after": String(seconds) },
  });
}
