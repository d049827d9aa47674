import { spawn } from "node:child_process";
import { once } from "node:events";
import { Redis } from "ioredis";
import { freePort } from "../../product";

/** The server in FOOTNOTE_BENCH_REDIS_URL, or a new one; throws if neither is available. */
export async function openRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { FOOTNOTE_BENCH_REDIS_URL } = process.env;
  if (FOOTNOTE_BENCH_REDIS_URL) {
    return { url: FOOTNOTE_BENCH_REDIS_URL, stop: async () => {} };
  }
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", args, { stdio: "ignore" });
  child.once("error", () => {
    throw new Error("redis-server isn't installed. Install it, or set FOOTNOTE_BENCH_REDIS_URL.");
  });
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { lazyConnect: false, maxRetriesPerRequest: null });
  client.on("error", () => {});
  await client.ping();
  client.disconnect();
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await (child.exitCode === null && once(child, "exit"));
    },
  };
}
