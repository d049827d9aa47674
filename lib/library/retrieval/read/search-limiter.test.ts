import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSearchLimiter } from "./search-limiter";

const { signal } = new AbortController();

describe("the search limiter", () => {
  it("limits concurrency and keeps the order of arrival", async () => {
    const limiter = createSearchLimiter(2);
    const started: number[] = [];
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 7 }, (_, index) =>
        limiter.run(signal, async () => {
          started.push(index);
          running += 1;
          most = Math.max(most, running);
          await sleep(1);
          running -= 1;
        }),
      ),
    );
    expect([started, most]).toEqual([[0, 1, 2, 3, 4, 5, 6], 2]);
  });

  it("rejects searches that would wait longer than a second, until the queue is shorter", async () => {
    const limiter = createSearchLimiter(1);
    await limiter.run(signal, () => sleep(100));
    const ends: (() => void)[] = [];
    const waiting: Promise<void>[] = [];
    const outcomes = Array.from({ length: 1000 }, () => {
      try {
        limiter.shedLoad();
      } catch (thrown) {
        return (thrown as { code: string }).code;
      }
      waiting.push(limiter.run(signal, () => new Promise((resolve) => ends.push(resolve))));
      return "waits";
    });
    await expect(limiter.run(signal, async () => {})).rejects.toMatchObject({ status: 503 });
    // The moving average is about 10 ms: a hundred searches per second.
    const accepted = outcomes.lastIndexOf("waits") + 1;
    expect(accepted).toBeGreaterThan(10);
    expect(accepted).toBeLessThan(500);
    expect(new Set(outcomes.slice(accepted))).toEqual(new Set(["retrieval_unavailable"]));
    for (let ended = 0; ended < accepted; ended += 1) {
      await expect.poll(() => ends.length).toBeGreaterThan(ended);
      ends[ended]?.();
    }
    await Promise.all(waiting);
    expect(await limiter.run(signal, async () => "done")).toBe("done");
  });

  it("skips aborted searches and continues after failures", async () => {
    const limiter = createSearchLimiter(1);
    const left = new AbortController();
    const first = limiter.run(signal, () => sleep(5));
    const second = limiter.run(left.signal, async () => "done");
    const third = limiter.run(signal, () => Promise.reject(new Error("broken")));
    const last = limiter.run(signal, async () => "done");
    left.abort();
    expect(await Promise.allSettled([first, second, third, last])).toMatchObject([
      { status: "fulfilled" },
      { reason: { name: "AbortError" } },
      { reason: { message: "broken" } },
      { value: "done" },
    ]);
  });
});
