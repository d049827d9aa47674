import "server-only";

import pLimit from "p-limit";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { AppError, notFound } from "@/lib/errors";
import { searchLimiter } from "@/lib/library/retrieval/read/search-limiter";
import type { VisitorContext } from "@/lib/platform/auth/context";
import { env } from "@/lib/platform/env";
import { redis } from "@/lib/platform/redis";
import { processSingleton } from "@/lib/singleton";
import { answerDemoQuestion } from "./read/answer";
import type { DemoAnswer, DemoQuestion } from "./schema";
import { SUGGESTIONS } from "./suggestions";

/** Each takes some tens of milliseconds, and one at a time leaves the rest of the process to accounts. */
const MAX_WAITING = 4;
const visitors = processSingleton("demo questions", () => pLimit(1));

/**
 * Answers a visitor's question within the demo's own budget. Throws as `countDemoQuestion` and `answerDemoQuestion` do, and
 * service_unavailable, which counts no question, while visitors or accounts' searches wait.
 */
export async function askDemo(
  { address, requestId, signal }: VisitorContext,
  { question }: DemoQuestion,
): Promise<DemoAnswer> {
  if (visitors.pendingCount >= MAX_WAITING || searchLimiter.isCrowded()) {
    throw new AppError("service_unavailable", "The live demo is busy. Try again in a moment.", {
      headers: { "retry-after": "5" },
    });
  }
  const isSuggested = SUGGESTIONS.some(({ text }) => text === question);
  const remaining = await countDemoQuestion(address, isSuggested ? "suggested" : "own");
  const answer = await visitors(() => {
    signal.throwIfAborted();
    return answerDemoQuestion({ question, requestId, signal });
  });
  return { ...answer, remaining };
}

/** Per address: a visitor's own, enough to see what the product does, and those that the demo suggests. */
export const DEMO_QUESTIONS = { own: 5, suggested: 20 };
const DAY_SECONDS = 24 * 60 * 60;

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
 * Counts a visitor's question: a few for each address and a fixed number for all of them, per day; those that the demo
 * suggests apart. Returns how many of their own the address has left. Throws not_found where the demo is switched off, and
 * rate_limit_exceeded.
 */
async function countDemoQuestion(
  address: string,
  kind: keyof typeof DEMO_QUESTIONS,
): Promise<number> {
  const perDay = env.DEMO_QUESTIONS_PER_DAY;
  if (perDay === 0) {
    throw notFound("The live demo is switched off on this server.");
  }
  const total = await counters.get(`all:${kind}`);
  if ((total?.consumedPoints ?? 0) >= perDay) {
    throw exceeded("Today’s free questions are used up.", total?.msBeforeNext);
  }
  const { consumedPoints, msBeforeNext } = await counters.consume(`${kind}:${address}`, 1);
  if (consumedPoints > DEMO_QUESTIONS[kind]) {
    throw exceeded(`You’ve asked today’s ${DEMO_QUESTIONS[kind]} free questions.`, msBeforeNext);
  }
  await counters.consume(`all:${kind}`, 1);
  const own =
    kind === "own" ? consumedPoints : (await counters.get(`own:${address}`))?.consumedPoints;
  return Math.max(0, DEMO_QUESTIONS.own - (own ?? 0));
}

function exceeded(reason: string, resetMs = 0): AppError {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  return new AppError("rate_limit_exceeded", `${reason} Create an account to ask more.`, {
    headers: { "retry-after": String(seconds) },
  });
}
