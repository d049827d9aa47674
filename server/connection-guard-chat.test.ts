import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countMessageTokens } from "@/lib/models/message-tokens";
import type { ChatMessage } from "@/lib/models/schema";
import { env } from "@/lib/platform/env";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { answersIn, head, rawClient } from "@/lib/testing/raw-client";
import { serve } from "@/lib/testing/raw-server";
import { createHost } from "@/server/host";

// The public API itself, behind the same connection guard as in `npm start`.

const PATH = "/v1/chat/completions";
const MOST_BLOCKED_MS = 2000;
/** Short, so that a silent upstream whose client left isn't read on for long. */
const LEASE_SECONDS = 1;

let account: Awaited<ReturnType<typeof makeKeyedAccount>>;
let answer: ReturnType<typeof createHost>["answer"];

const { HOLD_LEASE_SECONDS: lease } = env;

afterAll(() => {
  env.HOLD_LEASE_SECONDS = lease;
});

beforeAll(async () => {
  account = await makeKeyedAccount();
  const { ROUTES } = await import("@/server/v1");
  // Afterwards: billing reads it once, for all tests of this process.
  env.HOLD_LEASE_SECONDS = LEASE_SECONDS;
  answer = createHost(ROUTES, (_request, response) => response.writeHead(404).end()).answer;
});

function ask(script: object, extra: object = {}): string {
  const messages = [{ role: "user", content: `script:${JSON.stringify(script)}` }];
  const body = JSON.stringify({ model: "scripted", messages, ...extra });
  return post({ "content-length": String(Buffer.byteLength(body)) }) + body;
}

function post(headers: Record<string, string>): string {
  const authorization = `Bearer ${account.key}`;
  return head(`POST ${PATH}`, { authorization, "content-type": "application/json", ...headers });
}

async function connected() {
  return rawClient(await serve(answer));
}

function seen(name: string) {
  return upstream().seen.find(({ body }) => JSON.stringify(body).includes(name));
}

async function untilSettled(): Promise<void> {
  await expect.poll(async () => (await readMoney(account.id)).held, { timeout: 10_000 }).toBe(0n);
}

describe("pipelined requests", () => {
  it("are answered correctly and in order: a stream, a failure, a list, a completion", async () => {
    const client = await connected();
    client.send(
      ask({ text: "one two three", pieceMs: 30 }, { stream: true }) +
        ask({ status: 400, error: { message: "No.", param: "seed" } }) +
        head("GET /v1/models", { authorization: `Bearer ${account.key}` }) +
        ask({ text: "at last" }),
    );
    const [stream, failure, list, last] = answersIn(await client.receives(/at last/));
    expect(stream?.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(stream?.body.match(/one |two |three/g)).toEqual(["one ", "two ", "three"]);
    expect(stream?.body.endsWith("data: [DONE]\n\n")).toBe(true);
    expect([failure?.status, JSON.parse(failure?.body ?? "").error.param]).toEqual([400, "seed"]);
    expect(JSON.parse(list?.body ?? "").object).toBe("list");
    expect(JSON.parse(last?.body ?? "").choices[0].message.content).toBe("at last");
    await untilSettled();
  });

  it("finish a stream before malformed data behind it is rejected", async () => {
    const client = await connected();
    client.send(`${ask({ text: "a b c", pieceMs: 30 }, { stream: true })}nonsense\r\n\r\n`);
    const [stream, refusal] = answersIn(await client.isClosed());
    expect(stream?.body.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(refusal?.status).toBe(400);
    await untilSettled();
  });
});

describe("a client that half-closes its connection after a request", () => {
  it.each([false, true])("gets its answer (streamed: %s)", async (stream) => {
    const client = await connected();
    client.send(ask({ text: "one two", delayMs: 700, pieceMs: 300 }, { stream }));
    client.socket.end();
    const [got, ...others] = answersIn(await client.isClosed());
    expect([got?.status, others]).toEqual([200, []]);
    expect(got?.body).toMatch(stream ? /one [\s\S]*two[\s\S]*\[DONE\]/ : /one two/);
    await untilSettled();
    expect((await lastUsage(account.id)).status).toBe(200);
  });

  it("counts as disconnected over HTTP/1.0, like a proxy whose client has disconnected", async () => {
    const client = await connected();
    const name = "gone at 1.0";
    client.send(ask({ name, delayMs: 60_000 }).replace("HTTP/1.1", "HTTP/1.0"));
    await expect.poll(() => seen(name)).toBeDefined();
    client.socket.end();
    await expect.poll(() => seen(name)?.isAborted, { timeout: 10_000 }).toBe(true);
    await untilSettled();
  });
});

describe("a client that disconnects", () => {
  it.each([false, true])(
    "pays for the prompt of an upstream that stays silent, whose call is canceled (streamed: %s)",
    async (stream) => {
      const client = await connected();
      const { balance } = await readMoney(account.id);
      const name = `vanishes early ${stream}`;
      client.send(ask({ name, delayMs: 60_000 }, { stream }));
      await expect.poll(() => seen(name)).toBeDefined();
      client.socket.destroy();
      await expect.poll(() => seen(name)?.isAborted, { timeout: 10_000 }).toBe(true);
      await untilSettled();
      const { messages = [] } = seen(name)?.body ?? {};
      const usage = await lastUsage(account.id);
      expect(usage).toMatchObject({ status: 499, completionTokens: 0 });
      expect(usage.promptTokens).toBe(countMessageTokens(messages as ChatMessage[]));
      expect((await readMoney(account.id)).balance).toBe(balance - usage.costMicros);
    },
  );

  it("in the middle of a stream pays for all that the upstream goes on to generate", async () => {
    const client = await connected();
    const name = "vanishes late";
    const text = "word ".repeat(100).trim();
    client.send(ask({ name, text, pieceMs: 5 }, { stream: true }));
    await client.receives(/(word [\s\S]*){5}/);
    client.socket.destroy();
    await untilSettled();
    const usage = await lastUsage(account.id);
    expect([usage.status, usage.costMicros > 0n]).toEqual([499, true]);
    expect(usage.completionTokens).toBe(100);
    expect(seen(name)?.isAborted).toBe(false);
  });

  it("while the upstream is silent in the middle of a stream is detected", async () => {
    const client = await connected();
    const name = "vanishes in silence";
    client.send(ask({ name, text: "word and", pieceMs: 60_000 }, { stream: true }));
    await client.receives(/word /);
    client.socket.destroy();
    await expect.poll(() => seen(name)?.isAborted, { timeout: 10_000 }).toBe(true);
    await untilSettled();
    expect((await lastUsage(account.id)).status).toBe(499);
  });

  it("in the middle of its request body causes no server error", async () => {
    const client = await connected();
    client.send(`${post({ "content-length": "1000" })}{"model":`);
    client.socket.resetAndDestroy();
    await untilSettled();
  });
});

describe("a very large body", () => {
  const SENT = 4 * 1024 * 1024 - 1024;
  const fill = (item: string) =>
    Array(Math.floor(SENT / (item.length + 1)))
      .fill(item)
      .join(",");
  const message = '{"role":"user","content":"a"}';

  const ROWS: [name: string, body: string, status: number, code: string][] = [
    [
      "messages",
      `{"model":"scripted","messages":[${Array(1_000_000).fill(message).join(",")}]}`,
      413,
      "payload_too_large",
    ],
    ["empty messages", `{"model":"scripted","messages":[${fill("{}")}]}`, 400, "invalid_request"],
    [
      "parts of a message",
      `{"model":"scripted","messages":[{"role":"user","content":[${fill("1")}]}]}`,
      400,
      "invalid_request",
    ],
    ["brackets", "[".repeat(SENT), 400, "invalid_request"],
    ["tools", `{"model":"scripted","tools":[${fill("{}")}]}`, 400, "invalid_request"],
  ];

  it.each(ROWS)(
    "of %s is rejected without blocking other requests",
    async (_name, body, status, code) => {
      const client = await connected();
      const bytes = Buffer.from(body);
      const delay = monitorEventLoopDelay({ resolution: 20 });
      const before = process.memoryUsage().rss;
      delay.enable();
      client.send(post({ "transfer-encoding": "chunked" }));
      for (let at = 0; at < bytes.length; at += 1024 * 1024) {
        const piece = bytes.subarray(at, at + 1024 * 1024);
        client.send(`${piece.length.toString(16)}\r\n`);
        client.send(piece);
        client.send("\r\n");
      }
      client.send("0\r\n\r\n");
      const [got] = answersIn(await client.receives(/"code":"\w+"/));
      delay.disable();
      expect([got?.status, JSON.parse(got?.body ?? "").error.code]).toEqual([status, code]);
      expect(delay.max / 1e6).toBeLessThan(MOST_BLOCKED_MS);
      expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(400);
    },
  );

  it("of text is accepted", async () => {
    const client = await connected();
    const body = JSON.stringify({
      model: "scripted",
      messages: [{ role: "user", content: `script:{"text":"read"} ${'a, "b" '.repeat(20_000)}` }],
    });
    client.send(post({ "content-length": String(Buffer.byteLength(body)) }) + body);
    expect(answersIn(await client.receives(/cost_usd/))[0]?.status).toBe(200);
    await untilSettled();
  });
});
