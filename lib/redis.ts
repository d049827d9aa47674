import { Redis } from "ioredis";
import { env } from "./env";
import { log } from "./log";
import { processSingleton } from "./singleton";

/** For limits shared between processes; null without REDIS_URL. */
export function redis(): Redis | null {
  const url = env.REDIS_URL;
  return url ? processSingleton("redis", () => open(url)) : null;
}

function open(url: string): Redis {
  // Limits must not delay requests: while Redis is unavailable, commands fail at once and memory counts.
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1000,
  });
  client.on("error", (cause: Error) => log.error({ err: cause }, "redis connection failed"));
  return client;
}
