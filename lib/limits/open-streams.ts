import { randomUUID } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { redis } from "@/lib/redis";
import { processSingleton } from "@/lib/singleton";

/** A slot in Redis expires after this time: its process died. */
const SLOT_TTL_MS = 15 * 60_000;

const openStreams = processSingleton("open streams", () => new Map<string, number>());

/** Acquires one of the account's stream slots and returns the function that releases it. Throws rate_limit_exceeded. */
export async function acquireStream(accountId: string): Promise<() => void> {
  const slot = [`footnote:open-streams:${accountId}`, randomUUID()] as const;
  const here = addInMemory(accountId, 1);
  const everywhere = await acquireInRedis(...slot);
  let isOpen = true;
  const release = () => {
    if (isOpen) {
      isOpen = false;
      addInMemory(accountId, -1);
      void releaseInRedis(...slot);
    }
  };
  if (Math.max(here, everywhere ?? 0) > env.MAX_STREAMS_PER_ACCOUNT) {
    release();
    throw new AppError(
      "rate_limit_exceeded",
      `The account has ${env.MAX_STREAMS_PER_ACCOUNT} streams open, as many as it may. Wait for one to end and try again.`,
      { headers: { "retry-after": "1" } },
    );
  }
  return release;
}

/** The number of open streams in this process. */
export function countStreams(): number {
  return openStreams.values().reduce((sum, open) => sum + open, 0);
}

function addInMemory(accountId: string, change: 1 | -1): number {
  const count = (openStreams.get(accountId) ?? 0) + change;
  if (count > 0) {
    openStreams.set(accountId, count);
  } else {
    openStreams.delete(accountId);
  }
  return count;
}

/** The slots in use, including this one, scored by their expiry; null without Redis or while it is unavailable. */
async function acquireInRedis(name: string, member: string): Promise<number | null> {
  const now = Date.now();
  try {
    const results = await redis()
      ?.multi()
      .zremrangebyscore(name, "-inf", now)
      .zadd(name, now + SLOT_TTL_MS, member)
      .zcard(name)
      .pexpire(name, SLOT_TTL_MS)
      .exec();
    return results ? Number(results[2]?.[1]) : null;
  } catch (cause) {
    log.warn({ err: cause }, "stream limit: redis unavailable, counting in this process only");
    return null;
  }
}

/** Does nothing for a slot that was never acquired or has expired. */
async function releaseInRedis(name: string, member: string): Promise<void> {
  try {
    await redis()?.zrem(name, member);
  } catch (cause) {
    log.warn({ err: cause }, "stream limit: slot not released, it will expire");
  }
}
