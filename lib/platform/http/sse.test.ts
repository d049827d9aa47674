import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { eventStreamResponse, sse } from "./sse";

const { signal } = new AbortController();
const facts = { onDisconnect: () => {}, signal, onEnd: () => {} };

async function* events(...values: unknown[]) {
  for (const value of values) {
    if (value instanceof Error) {
      throw value;
    }
    yield value;
  }
}

describe("an event stream", () => {
  it("sends one data line per event and ends with [DONE]", async () => {
    const response = eventStreamResponse(sse(events({ a: 1 }, { b: "x\ny" })), facts);
    expect(await response.text()).toBe('data: {"a":1}\n\ndata: {"b":"x\\ny"}\n\ndata: [DONE]\n\n');
    expect(response.headers.get("cache-control")).toMatch(/no-store/);
  });

  it("ends with one error event, without [DONE], when its source fails", async () => {
    const known = new AppError("upstream_error", "It broke.", { cause: new Error("inner") });
    const text = await eventStreamResponse(sse(events({ a: 1 }, known)), facts).text();
    const error = {
      message: "It broke.",
      type: "server_error",
      param: null,
      code: "upstream_error",
    };
    expect(text).toBe(`data: {"a":1}\n\ndata: ${JSON.stringify({ error })}\n\n`);
    const unknown = await eventStreamResponse(sse(events(new Error("secret"))), facts).text();
    expect(unknown).toMatch(/"internal_error"/);
    expect(unknown).not.toMatch(/secret/);
  });

  it("ends with an error event, without [DONE], when the server aborts it", async () => {
    const cut = new AbortController();
    const onEnd = vi.fn();
    async function* abortedMidway() {
      yield 1;
      cut.abort(new AppError("service_unavailable", "The server is being stopped."));
    }
    const stream = sse(abortedMidway());
    const response = eventStreamResponse(stream, { ...facts, signal: cut.signal, onEnd });
    const text = await response.text();
    expect(text).toMatch(/^data: 1\n\ndata: \{"error":.*"code":"service_unavailable"\}\}\n\n$/);
    expect(onEnd).toHaveBeenCalled();
  });

  it("sends a keep-alive comment every 15 seconds while it is idle", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const reader = eventStreamResponse(sse(silent), facts).body?.getReader();
    const first = reader?.read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(new TextDecoder().decode((await first)?.value)).toBe(": keep-alive\n\n");
  });

  it("reports a client disconnect and closes its source", async () => {
    const onDisconnect = vi.fn();
    const ended = vi.fn();
    async function* endless() {
      try {
        for (;;) {
          yield 1;
        }
      } finally {
        ended();
      }
    }
    const reader = eventStreamResponse(sse(endless()), {
      ...facts,
      onDisconnect: onDisconnect,
    }).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect([onDisconnect.mock.calls.length, ended.mock.calls.length]).toEqual([1, 1]);
  });
});
