import { Redis } from "ioredis";
import { env } from "./env";
import { log } from "./log";

const shared = globalThis as typeof globalThis & { footnoteRedis?: Redis };

/** What processes share of their limits; null when each counts for itself. */
export function redis(): Redis | null {
  if (!env.REDIS_URL) {
    return null;
  }
  shared.footnoteRedis ??= open(env.REDIS_URL);
  return shared.footnoteRedis;
}

function open(url: string): Redis {
  // A limit must not hold up a request: while Redis is away, commands fail at once and memory counts.
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1000,
  });
  client.on("error", (cause: Error) => log.error({ err: cause }, "redis connection failed"));
  return client;
}
