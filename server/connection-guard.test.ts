import { describe, expect, it } from "vitest";
import * as z from "zod";
import { publicGate, route } from "@/lib/platform/http/route";
import { answersIn, head, rawClient } from "@/lib/testing/raw-client";
import { serve } from "@/lib/testing/raw-server";
import type { MinimumBodyRate } from "@/server/connection-guard";
import { createHost } from "@/server/host";
import { captureLog } from "@/tests/planted-secrets";

const echo = route({
  gate: publicGate,
  body: z.unknown(),
  handle: async ({ body }) => ({ body }),
});
const hello = route({ gate: publicGate, handle: async () => ({ hello: true }) });
const shut = route({
  gate: async () => {
    throw new Error("closed to all");
  },
  body: z.unknown(),
  handle: async () => ({}),
});

const FILES = {
  "../app/v1/echo/route.ts": { POST: echo, GET: hello },
  "../app/v1/shut/route.ts": { POST: shut },
};
const JSON_TYPE = { "content-type": "application/json" };
const HELLO = head("GET /v1/echo");

function start(options: Parameters<typeof serve>[1] = {}): Promise<number> {
  const host = createHost(FILES, (_request, response) => response.writeHead(404).end("next"));
  return serve(host.answer, options);
}

function post(headers: Record<string, string>, body = "", path = "/v1/echo"): string {
  return head(`POST ${path}`, { ...JSON_TYPE, ...headers }) + body;
}

describe("a malformed request", () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x-${at}`, "a"]));
  const ROWS: [name: string, bytes: string, status: number][] = [
    ["not HTTP at all", "hello, is this the server?\r\n\r\n", 400],
    ["an unknown method", head("FETCH /v1/echo"), 400],
    ["another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["another version", "GET /v1/echo HTTP/7.3\r\nhost: a\r\n\r\n", 400],
    ["no host header", "GET /v1/echo HTTP/1.1\r\n\r\n", 400],
    ["two host headers", "GET /v1/echo HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n", 400],
    ["no path but '*'", head("GET *"), 400],
    ["no path but a name", head("POST echo"), 400],
    ["a tunnel", "CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n", 405],
    ["a path with a space", "GET /v1/ec ho HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["10,000 headers", head("GET /v1/echo", many), 431],
    ["a header of 100 kB", head("GET /v1/echo", { "x-a": "a".repeat(100_000) }), 431],
    ["a path of 100 kB", head(`GET /v1/${"a".repeat(100_000)}`), 431],
    ["a NUL in a header", head("GET /v1/echo", { "x-a": "a\0b" }), 400],
    ["a CR in a header", head("GET /v1/echo", { "x-a": "a\rx-b: c" }), 400],
    ["a space in a header's name", head("GET /v1/echo", { "x a": "b" }), 400],
    [
      "both a content-length and a transfer-encoding",
      post({ "content-length": "5", "transfer-encoding": "chunked" }, "0\r\n\r\n"),
      400,
    ],
    [
      "a transfer-encoding that doesn't end in chunked",
      post({ "transfer-encoding": "chunked, gzip" }, "0\r\n\r\n"),
      400,
    ],
    [
      "two content-lengths",
      `POST /v1/echo HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}`,
      400,
    ],
    ["a content-length that isn't a number", post({ "content-length": "two" }, "{}"), 400],
    ["a negative content-length", post({ "content-length": "-2" }, "{}"), 400],
    ["a content-length beyond any integer", post({ "content-length": "9".repeat(30) }, "{}"), 400],
    ["a chunk without a valid size", post({ "transfer-encoding": "chunked" }, "zz\r\n{}\r\n"), 400],
    [
      "a chunk longer than its size",
      post({ "transfer-encoding": "chunked" }, "1\r\n{}\r\n0\r\n\r\n"),
      400,
    ],
    [
      "endless chunk extensions",
      post({ "transfer-encoding": "chunked" }, `2;${"a".repeat(50_000)}\r\n{}\r\n`),
      413,
    ],
    ["an unknown expectation", head("GET /v1/echo", { expect: "a miracle" }), 417],
  ];

  it.each(ROWS)(
    "gets a standard error and a closed connection: %s",
    async (_name, bytes, status) => {
      const log = captureLog();
      const client = rawClient(await start());
      client.send(bytes);
      const [answer, ...others] = answersIn(await client.isClosed());
      log.end();
      expect([answer?.status, others]).toEqual([status, []]);
      expect(answer?.headers.get("content-type")).toBe("application/json");
      expect(answer?.headers.get("connection")).toBe("close");
      const codes: Record<number, string> = { 405: "method_not_allowed", 413: "payload_too_large" };
      const code = codes[status] ?? "invalid_request";
      expect(JSON.parse(answer?.body ?? "")).toEqual({
        error: { message: expect.any(String), type: "invalid_request_error", param: null, code },
      });
      const logged = log.lines
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === "request rejected");
      expect(logged).toMatchObject([
        { request_id: answer?.headers.get("x-request-id"), status, code },
      ]);
    },
  );
});

describe("a request", () => {
  it("carries the address of its connection, after those that the client claims", async () => {
    const port = await serve((request, response) =>
      response.end(String(request.headers["x-forwarded-for"])),
    );
    const client = rawClient(port);
    client.send(head("GET /", { "x-forwarded-for": "198.51.100.1", connection: "close" }));
    expect(answersIn(await client.isClosed())).toMatchObject([
      { status: 200, body: "198.51.100.1, 127.0.0.1" },
    ]);
  });
});

describe("unusual requests", () => {
  it("are answered over HTTP/1.0 without a host", async () => {
    const client = rawClient(await start());
    client.send("GET /v1/echo HTTP/1.0\r\n\r\n");
    expect(answersIn(await client.isClosed())).toMatchObject([
      { status: 200, body: '{"hello":true}' },
    ]);
  });

  it.each(["websocket", "h2c"])("are not upgraded: %s", async (upgrade) => {
    const client = rawClient(await start());
    client.send(
      head("GET /v1/echo", { connection: "Upgrade", upgrade, "sec-websocket-key": "AAAA" }),
    );
    expect(answersIn(await client.receives(/true}/))).toMatchObject([{ status: 200 }]);
  });

  it("get 100 Continue when they ask before sending their body", async () => {
    const client = rawClient(await start());
    client.send(post({ expect: "100-continue", "content-length": "2" }));
    expect(await client.receives(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 100 /);
    client.send("{}");
    expect(answersIn(await client.receives(/"body"/))).toMatchObject([{ status: 200 }]);
  });

  it("can follow an oversized request on the same connection", async () => {
    const client = rawClient(await start());
    const size = 5 * 1024 * 1024;
    client.send(post({ "transfer-encoding": "chunked" }, `${size.toString(16)}\r\n`));
    client.send(`${"a".repeat(size)}\r\n0\r\n\r\n${HELLO}`);
    const statuses = answersIn(await client.receives(/hello/)).map(({ status }) => status);
    expect(statuses).toEqual([413, 200]);
  });

  it("are rejected at once when they declare an absurd length", async () => {
    const client = rawClient(await start());
    client.send(post({ "content-length": "9007199254740991" }, "{"));
    expect(answersIn(await client.receives(/payload_too_large/))[0]?.status).toBe(413);
  });

  it("end at their declared length, and the rest is parsed as another request", async () => {
    const client = rawClient(await start());
    client.send(post({ "content-length": "2" }, "{} and more\r\n\r\n"));
    const statuses = answersIn(await client.isClosed()).map(({ status }) => status);
    expect(statuses).toEqual([200, 400]);
  });

  it("are rejected when the client half-closes in the middle of the body", async () => {
    const client = rawClient(await start());
    client.send(post({ "content-length": "20" }, '{"a":'));
    client.socket.end();
    expect(answersIn(await client.isClosed())).toMatchObject([{ status: 400 }]);
  });
});

describe("a slow client", () => {
  const PACE: MinimumBodyRate = { windowMs: 400, bytesPerSecond: 200 };

  function drip(client: ReturnType<typeof rawClient>, piece: string): void {
    const timer = setInterval(() => client.send(piece), 50);
    client.socket.once("close", () => clearInterval(timer));
    void client.isClosed().then(() => clearInterval(timer));
  }

  it("is rejected when its headers don't arrive in time", async () => {
    const client = rawClient(await start({ headersTimeout: 300, connectionsCheckingInterval: 50 }));
    client.send("GET /v1/echo HTTP/1.1\r\nx-a: ");
    drip(client, "a");
    expect(answersIn(await client.isClosed())).toMatchObject([{ status: 408 }]);
  });

  it("is rejected when it sends nothing at all", async () => {
    const client = rawClient(await start({ headersTimeout: 300, connectionsCheckingInterval: 50 }));
    expect(answersIn(await client.isClosed())).toMatchObject([{ status: 408 }]);
  });

  it.each(["/v1/echo", "/v1/shut"])("is rejected when its body is too slow: %s", async (path) => {
    const client = rawClient(await start({ pace: PACE }));
    client.send(post({ "content-length": "2000" }, '"', path));
    drip(client, "a");
    const [answer] = answersIn(await client.isClosed());
    expect(answer?.status).toBe(path === "/v1/shut" ? 500 : 408);
  });

  it("isn't read from forever once it has its answer", async () => {
    const client = rawClient(await start({ pace: PACE }));
    client.send(post({ "content-length": "9007199254740991" }));
    drip(client, "a".repeat(1000));
    expect(answersIn(await client.isClosed())).toMatchObject([{ status: 413 }]);
  });

  it("is answered when its body meets the minimum rate", async () => {
    const client = rawClient(await start({ pace: PACE }));
    const pieces = 30;
    client.send(post({ "content-length": String(pieces * 1000 + 2) }, '"'));
    for (let sent = 0; sent < pieces; sent += 1) {
      client.send("a".repeat(1000));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    client.send('"');
    expect(answersIn(await client.receives(/"}$/))[0]?.status).toBe(200);
  });

  it("is rejected, however fast, when a body for strangers doesn't end within the window", async () => {
    const port = await serve(
      (request, response) => request.resume().once("end", () => response.end()),
      {
        pace: PACE,
      },
    );
    const client = rawClient(port);
    client.send(post({ "content-length": "1000000" }, '"', "/api/account/sign-up"));
    drip(client, "a".repeat(1000));
    expect(answersIn(await client.isClosed())).toMatchObject([{ status: 408 }]);
  });

  it("isn't rejected because of a slow handler", async () => {
    const slow = route({
      gate: async () => {
        await new Promise((resolve) => setTimeout(resolve, 3 * PACE.windowMs));
        return { ctx: null };
      },
      body: z.unknown(),
      handle: async ({ body }) => ({ body }),
    });
    const host = createHost({ "../app/v1/slow/route.ts": { POST: slow } }, () => {});
    const client = rawClient(await serve(host.answer, { pace: PACE }));
    client.send(post({ "content-length": "2000" }, `"${"a".repeat(1000)}`, "/v1/slow"));
    await new Promise((resolve) => setTimeout(resolve, 2 * PACE.windowMs));
    client.send(`${"a".repeat(998)}"`);
    expect(answersIn(await client.receives(/"}$/))[0]?.status).toBe(200);
  });
});

describe("pipelined requests", () => {
  it("are answered in order, including failures", async () => {
    const client = rawClient(await start());
    client.send(
      HELLO +
        post({ "content-length": "1" }, "{") +
        post({ "content-length": "3" }, '"b"') +
        head("GET /elsewhere") +
        HELLO,
    );
    const statuses = answersIn(await client.receives(/(hello[\s\S]*){2}/)).map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([200, 400, 200, 404, 200]);
  });

  it("are answered before malformed data behind them is rejected", async () => {
    const client = rawClient(await start());
    client.send(`${HELLO}${HELLO}nonsense\r\n\r\n`);
    const answers = answersIn(await client.isClosed());
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  });
});
