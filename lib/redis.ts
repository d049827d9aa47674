import { Redis } from "ioredis";
import { env } from "./env";
import { log } from "./log";
import { processSingleton } from "./singleton";

/** What processes share of their limits; null when each counts for itself. */
export function redis(): Redis | null {
  const url = env.REDIS_URL;
  return url ? processSingleton("redis", () => open(url)) : null;
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
