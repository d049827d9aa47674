import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SearchLimiter } from "./search-limiter";

const { signal } = new AbortController();

describe("turns", () => {
  it("are given to so many at once, to the others in their order", async () => {
    const turns = new SearchLimiter(2);
    const begun: number[] = [];
    let atWork = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 7 }, (_, index) =>
        turns.run(signal, async () => {
          begun.push(index);
          atWork += 1;
          most = Math.max(most, atWork);
          await sleep(1);
          atWork -= 1;
        }),
      ),
    );
    expect([begun, most]).toEqual([[0, 1, 2, 3, 4, 5, 6], 2]);
  });

  it("are refused at once while more wait than are done in a second, and given again afterwards", async () => {
    const turns = new SearchLimiter(1);
    await turns.run(signal, () => sleep(100));
    const ends: (() => void)[] = [];
    const waiting: Promise<void>[] = [];
    const outcomes = Array.from({ length: 1000 }, () => {
      try {
        turns.shedLoad();
      } catch (thrown) {
        return (thrown as { code: string }).code;
      }
      waiting.push(turns.run(signal, () => new Promise((resolve) => ends.push(resolve))));
      return "waits";
    });
    await expect(turns.run(signal, async () => {})).rejects.toMatchObject({ status: 503 });
    // One takes some 10 ms, smoothed: about a hundred of them a second.
    const given = outcomes.lastIndexOf("waits") + 1;
    expect(given).toBeGreaterThan(10);
    expect(given).toBeLessThan(500);
    expect(new Set(outcomes.slice(given))).toEqual(new Set(["retrieval_unavailable"]));
    for (let ended = 0; ended < given; ended += 1) {
      await expect.poll(() => ends.length, { interval: 1 }).toBeGreaterThan(ended);
      ends[ended]?.();
    }
    await Promise.all(waiting);
    expect(await turns.run(signal, async () => "done")).toBe("done");
  });

  it("do nothing for whom nobody waits any more, and what fails gives its turn on", async () => {
    const turns = new SearchLimiter(1);
    const left = new AbortController();
    const first = turns.run(signal, () => sleep(5));
    const second = turns.run(left.signal, async () => "done");
    const third = turns.run(signal, () => Promise.reject(new Error("broken")));
    const last = turns.run(signal, async () => "done");
    left.abort();
    expect(await Promise.allSettled([first, second, third, last])).toMatchObject([
      { status: "fulfilled" },
      { reason: { name: "AbortError" } },
      { reason: { message: "broken" } },
      { value: "done" },
    ]);
  });
});
