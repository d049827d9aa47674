import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { answersIn, head, rawClient } from "@/lib/testing/raw-client";

// The checks of server/connection-guard.test.ts against the real server with its real limits.

const { port, origin } = new URL(inject("baseUrl"));
const authorization = `Bearer ${inject("apiKey")}`;
/** Heads and body windows may take 20 s and are checked every 5 s; the rest is slack for a busy machine. */
const SLOW_LIMIT_MS = 60_000;

const connected = () => rawClient(Number(port));

describe("the server started by npm start", () => {
  it.each([
    ["invalid HTTP", "hello?\r\n\r\n", 400],
    ["a missing host", "GET / HTTP/1.1\r\n\r\n", 400],
    [
      "10,000 headers",
      head(
        "GET /v1/models",
        Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, "a"])),
      ),
      431,
    ],
    [
      "conflicting body lengths",
      `${head("POST /v1/chat/completions", { authorization, "content-length": "5", "transfer-encoding": "chunked" })}0\r\n\r\n`,
      400,
    ],
  ])("rejects %s with a standard error and keeps serving", async (_name, bytes, status) => {
    const client = connected();
    client.send(bytes);
    const [answer] = answersIn(await client.isClosed());
    expect(answer?.status).toBe(status);
    expect(JSON.parse(answer?.body ?? "").error.code).toBe("invalid_request");
    expect(answer?.headers.get("x-request-id")).toMatch(/^req_/);
    expect((await fetch(`${origin}/api/health`)).status).toBe(200);
  });

  it.each(["/", "/v1/models", "/_next/webpack-hmr", "/nowhere"])(
    "neither upgrades a connection nor leaves it open: %s",
    async (path) => {
      const client = connected();
      client.send(
        head(`GET ${path}`, {
          connection: "Upgrade, close",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
        }),
      );
      expect(await client.isClosed()).toMatch(/^HTTP\/1.1 (200|401|404) /);
    },
  );

  it("answers pipelined page and API requests in order", async () => {
    const client = connected();
    client.send(
      head("GET /api/health") +
        head("GET /v1/models", { authorization }) +
        head("DELETE /v1/models", { authorization }) +
        head("GET /api/health", { connection: "close" }),
    );
    const answers = answersIn(await client.isClosed());
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 405, 200]);
    expect(JSON.parse(answers[1]?.body ?? "").object).toBe("list");
  });

  it("waits for a slow upload, but not for a client that sends a byte per second", {
    timeout: 2 * SLOW_LIMIT_MS,
  }, async () => {
    const headDrip = connected();
    headDrip.send("GET /v1/models HTTP/1.1\r\nhost: a\r\nx-a: ");
    const bodyDrip = connected();
    bodyDrip.send(
      head("POST /v1/chat/completions", {
        authorization,
        "content-type": "application/json",
        "content-length": "4000",
      }),
    );
    const dripping = [headDrip, bodyDrip].map(async (client) => {
      const startedAt = Date.now();
      const timer = setInterval(() => client.send("a"), 1000);
      const [answer] = answersIn(await client.isClosed());
      clearInterval(timer);
      return { status: answer?.status, isInTime: Date.now() - startedAt < SLOW_LIMIT_MS };
    });
    const document = uploadSlowly();
    expect(await Promise.all(dripping)).toEqual([
      { status: 408, isInTime: true },
      { status: 408, isInTime: true },
    ]);
    expect(await document).toMatchObject([{ status: 202 }]);
  });
});

/** A 560 kB upload that takes 28 s, longer than the idle limit. */
async function uploadSlowly() {
  const client = connected();
  const text = "A slow line brings a word at a time, and all of them come. ".repeat(9500);
  const body = JSON.stringify({ scope: "customer_kb", title: "Slow", text });
  client.send(
    head("POST /v1/kb/documents", {
      authorization,
      connection: "close",
      "content-type": "application/json",
      "content-length": String(body.length),
    }),
  );
  for (let at = 0; at < body.length; at += 20_000) {
    client.send(body.slice(at, at + 20_000));
    await sleep(1000);
  }
  return answersIn(await client.isClosed());
}
