import { afterEach, describe, expect, it } from "vitest";
import { env } from "@/lib/platform/env";
import { answersIn, head, rawClient } from "@/lib/testing/raw-client";
import { serve } from "@/lib/testing/raw-server";
import { captureLog } from "@/tests/planted-secrets";
import { connectionLimits } from "./connection-limits";

const { TRUSTED_PROXIES } = env;
afterEach(() => {
  Object.assign(env, {
    TRUSTED_PROXIES,
    MAX_CONNECTIONS: undefined,
    MAX_CONNECTIONS_PER_ADDRESS: undefined,
  });
});

const HELLO = head("GET /");

function start(limits: { all: number; perAddress: number }): Promise<number> {
  return serve((_request, response) => response.end("hello"), { limits });
}

/** A client whose connection is open, and has been answered. */
async function connected(port: number) {
  const client = rawClient(port);
  client.send(HELLO);
  await client.receives(/hello/);
  return client;
}

describe("connections of one address", () => {
  it("are rejected beyond their number, until one of them is closed", async () => {
    const port = await start({ all: 100, perAddress: 3 });
    const [first] = await Promise.all([connected(port), connected(port), connected(port)]);
    const [answer] = answersIn(await rawClient(port).isClosed());
    expect([answer?.status, answer?.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(answer?.headers.get("x-request-id")).toMatch(/^req_/);
    expect(JSON.parse(answer?.body ?? "").error).toMatchObject({
      code: "rate_limit_exceeded",
      message: expect.stringContaining("connections from this address"),
    });
    first?.socket.end(head("GET /", { connection: "close" }));
    await first?.isClosed();
    await expect.poll(async () => (await connected(port)).receives(/hello/)).toContain("200");
  });

  it("are closed at once when the server has all it may", async () => {
    const port = await start({ all: 2, perAddress: 10 });
    await Promise.all([connected(port), connected(port)]);
    expect(await rawClient(port).isClosed()).toBe("");
  });

  it("are logged once per second when many are rejected", async () => {
    const port = await start({ all: 100, perAddress: 1 });
    await connected(port);
    const log = captureLog();
    await Promise.all(Array.from({ length: 300 }, () => rawClient(port).isClosed()));
    await expect
      .poll(() => log.lines.filter((line) => line.includes('"rejected"')), { timeout: 3000 })
      .not.toEqual([]);
    log.end();
    const entries = log.lines.map((line) => JSON.parse(line));
    const each = entries.filter(({ msg }) => msg === "request rejected");
    const together = entries.filter(({ rejected }) => rejected > 0);
    expect(each.length).toBeLessThan(300);
    expect(each.length + together.reduce((sum, { rejected }) => sum + rejected, 0)).toBe(300);
  });
});

describe("the limits", () => {
  it("stay below the open files that the process may have", () => {
    expect(connectionLimits(20_000)).toEqual({ all: 16_000, perAddress: 4000 });
    expect(connectionLimits(1024).all).toBeLessThan(1024);
    expect(connectionLimits(1_000_000).all).toBe(32_768);
    env.MAX_CONNECTIONS = 50_000;
    expect(connectionLimits(20_000).all).toBe(16_000);
  });

  it("are those that the operator sets", () => {
    env.MAX_CONNECTIONS = 1000;
    env.MAX_CONNECTIONS_PER_ADDRESS = 20;
    expect(connectionLimits(20_000)).toEqual({ all: 1000, perAddress: 20 });
  });

  it("are no lower for one address behind a proxy, whose address all connections have", () => {
    env.TRUSTED_PROXIES = 1;
    expect(connectionLimits(20_000)).toEqual({ all: 16_000, perAddress: 16_000 });
  });
});
