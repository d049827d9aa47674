import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { redis } from "@/lib/platform/redis";
import { processSingleton } from "@/lib/singleton";

/** A slot in Redis expires after this time: its process died. */
const SLOT_TTL_MS = 15 * 60_000;

/** What an account can have open at the same time. */
interface SlotKind {
  name: string;
  limit: number;
  /** How many there are, for the caller. */
  sentence: string;
  /** By account, in this process. */
  open: Map<string, number>;
}

const streams: SlotKind = {
  name: "open-streams",
  limit: env.MAX_STREAMS_PER_ACCOUNT,
  sentence: `The account has ${env.MAX_STREAMS_PER_ACCOUNT} open streams, the most allowed.`,
  open: processSingleton("open streams", () => new Map<string, number>()),
};
const longPolls: SlotKind = {
  name: "long-polls",
  limit: env.MAX_LONG_POLLS_PER_ACCOUNT,
  sentence: `The account has ${env.MAX_LONG_POLLS_PER_ACCOUNT} requests waiting for jobs, the most allowed.`,
  open: processSingleton("long polls", () => new Map<string, number>()),
};

/** Acquires one of the account's stream slots and returns the function that releases it. Throws rate_limit_exceeded. */
export function acquireStream(accountId: string): Promise<() => void> {
  return acquireSlot(streams, accountId);
}

/** As `acquireStream`, for a request that waits for a job. */
export function acquireLongPoll(accountId: string): Promise<() => void> {
  return acquireSlot(longPolls, accountId);
}

async function acquireSlot(kind: SlotKind, accountId: string): Promise<() => void> {
  const slot = [`footnote:${kind.name}:${accountId}`, randomUUID()] as const;
  const here = changeCount(kind.open, accountId, 1);
  const everywhere = await acquireInRedis(...slot);
  let isOpen = true;
  const release = () => {
    if (isOpen) {
      isOpen = false;
      changeCount(kind.open, accountId, -1);
      void releaseInRedis(...slot);
    }
  };
  if (Math.max(here, everywhere ?? 0) > kind.limit) {
    release();
    throw new AppError(
      "rate_limit_exceeded",
      `${kind.sentence} Wait for one to end and try again.`,
      { headers: { "retry-after": "1" } },
    );
  }
  return release;
}

/** The number of open streams in this process. */
export function countStreams(): number {
  return streams.open.values().reduce((sum, open) => sum + open, 0);
}

/** Changes the count of a key, which has an entry as long as it has any. Returns the new count. */
export function changeCount(counts: Map<string, number>, key: string, change: 1 | -1): number {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) {
    counts.set(key, count);
  } else {
    counts.delete(key);
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
    log.warn({ err: cause }, "slot limit: redis unavailable, counting in this process only");
    return null;
  }
}

/** Does nothing for a slot that was never acquired or has expired. */
async function releaseInRedis(name: string, member: string): Promise<void> {
  try {
    await redis()?.zrem(name, member);
  } catch (cause) {
    log.warn({ err: cause }, "slot limit: slot not released, it will expire");
  }
}
