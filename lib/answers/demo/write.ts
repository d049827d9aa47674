import "server-only";

import pLimit from "p-limit";
import { AppError } from "@/lib/errors";
import { searchLimiter } from "@/lib/library/retrieval/read/search-limiter";
import type { VisitorContext } from "@/lib/platform/auth/context";
import { processSingleton } from "@/lib/singleton";
import { countDemoQuestion } from "./limits";
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
