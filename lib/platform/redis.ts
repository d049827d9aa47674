import { Redis } from "ioredis";
import { processSingleton } from "@/lib/singleton";
import { env } from "./env";
import { log } from "./log";

/** Redis is near: one that takes longer is stuck. */
const TIMEOUT_MS = 500;

/** For limits shared between processes; null without REDIS_URL. */
export function redis(): Redis | null {
  const url = env.REDIS_URL;
  return url ? processSingleton("redis", () => openRedis(url)) : null;
}

/**
 * Limits must not delay requests: while Redis is unavailable, commands fail at once and memory counts. If Redis stops
 * answering, the first timeout closes the connection, and no command is sent before a new one has answered.
 */
export function openRedis(url: string, timeoutMs = TIMEOUT_MS): Redis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  client.on("error", (cause: Error) => log.error({ err: cause }, "redis connection failed"));
  return client;
}
