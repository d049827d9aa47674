import { randomUUID } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { redis } from "@/lib/redis";
import { processSingleton } from "@/lib/singleton";

/** A place in Redis that is not given back for this long is free again: its process died. */
const FORGOTTEN_AFTER_MS = 15 * 60_000;

const openStreams = processSingleton("open streams", () => new Map<string, number>());

/**
 * Takes one of the account's places for streams. The answer gives it back, once. Throws
 * rate_limit_exceeded when all are taken.
 */
export async function takeStream(accountId: string): Promise<() => void> {
  const place = { name: `footnote:open-streams:${accountId}`, member: randomUUID() };
  const here = addInMemory(accountId, 1);
  const everywhere = await takeInRedis(place);
  let isTaken = true;
  const giveBack = () => {
    if (isTaken) {
      isTaken = false;
      addInMemory(accountId, -1);
      void giveBackInRedis(place);
    }
  };
  if (Math.max(here, everywhere ?? 0) > env.MAX_STREAMS_PER_ACCOUNT) {
    giveBack();
    throw new AppError(
      "rate_limit_exceeded",
      `The account has ${env.MAX_STREAMS_PER_ACCOUNT} streams open, as many as it may. Wait for one to end and try again.`,
      { headers: { "retry-after": "1" } },
    );
  }
  return giveBack;
}

/** How many streams this process has open. */
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

/** A stream's own entry in its account's sorted set, scored by the time it expires. */
interface Place {
  name: string;
  member: string;
}

/** How many places are taken now, this one included; null without Redis, and while it is away. */
async function takeInRedis({ name, member }: Place): Promise<number | null> {
  const now = Date.now();
  try {
    const results = await redis()
      ?.multi()
      .zremrangebyscore(name, "-inf", now)
      .zadd(name, now + FORGOTTEN_AFTER_MS, member)
      .zcard(name)
      .pexpire(name, FORGOTTEN_AFTER_MS)
      .exec();
    return results ? Number(results[2]?.[1]) : null;
  } catch (cause) {
    log.warn({ err: cause }, "streams are counted in this process alone");
    return null;
  }
}

/** What was never taken, because Redis was away, or has expired, is no member: nothing changes. */
async function giveBackInRedis({ name, member }: Place): Promise<void> {
  try {
    await redis()?.zrem(name, member);
  } catch (cause) {
    log.warn({ err: cause }, "a stream's place comes back when it expires");
  }
}
