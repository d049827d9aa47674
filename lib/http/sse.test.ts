import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { eventStreamResponse, sse } from "./sse";

const facts = { requestId: "req_test", onHangUp: () => {} };

async function* events(...values: unknown[]) {
  for (const value of values) {
    if (value instanceof Error) {
      throw value;
    }
    yield value;
  }
}

describe("a stream of events", () => {
  it("is one data line an event and ends with [DONE]", async () => {
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

  it("bridges silence with a comment every 15 seconds", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const silent = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const reader = eventStreamResponse(sse(silent), facts).body?.getReader();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(": keep-alive\n\n");
  });

  it("tells of a hang-up and ends its source", async () => {
    const onHangUp = vi.fn();
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
    const reader = eventStreamResponse(sse(endless()), { ...facts, onHangUp }).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect([onHangUp.mock.calls.length, ended.mock.calls.length]).toEqual([1, 1]);
  });
});
