import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { redis } from "@/lib/redis";

/** A count in Redis that no process touches for this long is forgotten: its processes died. */
const FORGOTTEN_AFTER_SECONDS = 15 * 60;

const shared = globalThis as typeof globalThis & { footnoteStreams?: Map<string, number> };

/**
 * Takes one of the account's places for streams. The answer gives it back, once. Throws
 * rate_limit_exceeded when all are taken.
 */
export async function takeStream(accountId: string): Promise<() => void> {
  const open = await add(accountId, 1);
  let isTaken = true;
  const giveBack = () => {
    if (isTaken) {
      isTaken = false;
      void add(accountId, -1);
    }
  };
  if (open > env.MAX_STREAMS_PER_ACCOUNT) {
    giveBack();
    throw new AppError(
      "rate_limit_exceeded",
      `The account has ${env.MAX_STREAMS_PER_ACCOUNT} streams open, as many as it may. Wait for one to end and try again.`,
      { headers: { "retry-after": "1" } },
    );
  }
  return giveBack;
}

/** Adds to the account's count, wherever it stands, and returns it. */
async function add(accountId: string, change: 1 | -1): Promise<number> {
  const here = addInMemory(accountId, change);
  const everywhere = await addInRedis(`footnote:streams:${accountId}`, change);
  return Math.max(here, everywhere ?? 0);
}

function addInMemory(accountId: string, change: 1 | -1): number {
  shared.footnoteStreams ??= new Map();
  const count = (shared.footnoteStreams.get(accountId) ?? 0) + change;
  if (count > 0) {
    shared.footnoteStreams.set(accountId, count);
  } else {
    shared.footnoteStreams.delete(accountId);
  }
  return count;
}

/** Null without Redis, and while it is away. */
async function addInRedis(name: string, change: 1 | -1): Promise<number | null> {
  try {
    const results = await redis()
      ?.multi()
      .incrby(name, change)
      .expire(name, FORGOTTEN_AFTER_SECONDS)
      .exec();
    return results ? Number(results[0]?.[1]) : null;
  } catch (cause) {
    log.warn({ err: cause }, "streams are counted in this process alone");
    return null;
  }
}
