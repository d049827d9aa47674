import { execFile } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRedis } from "@/lib/platform/redis";

const url = process.env.TEST_REDIS_URL;
const run = promisify(execFile);

/** Runs the code in another process, as a second server would. */
async function inAnotherProcess(code: string): Promise<string> {
  const { stdout } = await run("tsx", ["--conditions=react-server", "-e", code], {
    env: {
      ...process.env,
      REDIS_URL: url,
      LOG_LEVEL: "silent",
      DATABASE_URL: "",
      DATA_DIR: "memory:",
    },
  });
  return stdout.trim();
}

describe.runIf(url)("limits in Redis", () => {
  it("are shared across processes", async () => {
    const name = `test-${process.pid}-${Date.now()}`;
    const once = `(async () => {
      const { consume } = await import("./lib/platform/http/rate-limit.ts");
      const { redis } = await import("./lib/platform/redis.ts");
      await new Promise((resolve) => redis().once("ready", resolve));
      console.log(JSON.stringify(await consume("${name}", 3, 5)));
      redis().disconnect();
    })()`;
    expect(JSON.parse(await inAnotherProcess(once))).toMatchObject({
      remaining: 2,
      isExceeded: false,
    });
    expect(JSON.parse(await inAnotherProcess(once))).toMatchObject({
      remaining: 0,
      isExceeded: true,
    });
  });

  it("count an account's open streams across processes", async () => {
    const account = `acct-${process.pid}-${Date.now()}`;
    const take = `(async () => {
      const { acquireStream } = await import("./lib/platform/limits/open-streams.ts");
      const { redis } = await import("./lib/platform/redis.ts");
      await new Promise((resolve) => redis().once("ready", resolve));
      await acquireStream("${account}").then(() => console.log("taken"), (error) => console.log(error.code));
      redis().disconnect();
    })()`;
    process.env.MAX_STREAMS_PER_ACCOUNT = "1";
    try {
      expect(await inAnotherProcess(take)).toBe("taken");
      expect(await inAnotherProcess(take)).toBe("rate_limit_exceeded");
    } finally {
      delete process.env.MAX_STREAMS_PER_ACCOUNT;
    }
  });

  it("free a dead process's stream slot, even if other requests are rejected in the meantime", async () => {
    const account = `acct-${process.pid}-${Date.now()}`;
    const takeAfter = (minutes: number) => `(async () => {
      const { acquireStream } = await import("./lib/platform/limits/open-streams.ts");
      const { redis } = await import("./lib/platform/redis.ts");
      await new Promise((resolve) => redis().once("ready", resolve));
      const now = Date.now();
      Date.now = () => now + ${minutes} * 60_000;
      await acquireStream("${account}").then(() => console.log("taken"), (error) => console.log(error.code));
      await redis().quit();
    })()`;
    process.env.MAX_STREAMS_PER_ACCOUNT = "1";
    try {
      expect(await inAnotherProcess(takeAfter(0))).toBe("taken");
      expect(await inAnotherProcess(takeAfter(14))).toBe("rate_limit_exceeded");
      expect(await inAnotherProcess(takeAfter(16))).toBe("taken");
    } finally {
      delete process.env.MAX_STREAMS_PER_ACCOUNT;
    }
  });

  it("don't miscount a stream that was acquired before Redis was ready", async () => {
    const account = `acct-${process.pid}-${Date.now()}-back`;
    const code = `(async () => {
      const { acquireStream } = await import("./lib/platform/limits/open-streams.ts");
      const { redis } = await import("./lib/platform/redis.ts");
      const releaseUnknown = await acquireStream("${account}");
      await new Promise((resolve) => redis().once("ready", resolve));
      releaseUnknown();
      await acquireStream("${account}");
      console.log(await redis().zcard("footnote:open-streams:${account}"));
      await redis().quit();
    })()`;
    expect(await inAnotherProcess(code)).toBe("1");
  });
});

/** Answers PING and what a client asks on connecting, until it hangs: then it accepts connections and says nothing. */
async function startHangingRedis() {
  const state = { hangs: false, pings: 0 };
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      const commands = bytes
        .toString()
        .split(/^\*\d+\r\n/m)
        .slice(1);
      state.pings += commands.filter((command) => /ping/i.test(command)).length;
      if (!state.hangs) {
        socket.write("+PONG\r\n".repeat(commands.length));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = openRedis(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`, 200);
  onTestFinished(() => {
    client.disconnect();
    server.close();
  });
  return { client, state };
}

describe("a Redis that stops answering", () => {
  it("gets no further command after one timeout, until it answers again", async () => {
    const { client, state } = await startHangingRedis();
    await expect.poll(() => client.status).toBe("ready");
    await client.ping();
    state.hangs = true;
    await expect(client.ping()).rejects.toThrow();
    await expect.poll(() => client.status).not.toBe("ready");
    for (let count = 0; count < 100; count += 1) {
      await expect(client.ping()).rejects.toThrow("Stream isn't writeable");
    }
    expect(state.pings).toBe(2);
    state.hangs = false;
    await expect.poll(() => client.status, { timeout: 10_000 }).toBe("ready");
    expect(await client.ping()).toBe("PONG");
  });
});
