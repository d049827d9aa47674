import { describe, expect, it } from "vitest";
import { Queue } from "@/server/load-shedding";

/** One-second windows: the queue lengths sampled in each, and how many items completed. */
function queueAfter(...windows: [waiting: number[], done: number][]): Queue {
  const queue = new Queue();
  let all = 0;
  for (const [waiting, done] of windows) {
    for (const each of waiting) {
      queue.sample(each);
    }
    all += done;
    queue.endWindow(all, 1);
  }
  return queue;
}

describe("a queue", () => {
  it("isn't full after a burst that drains, however large", () => {
    expect(queueAfter([[1000, 500, 0], 1000]).isFull(1000)).toBe(false);
  });

  it("is full at a quarter of a second's work when it doesn't drain", () => {
    const queue = queueAfter([[1000, 900, 1000], 2000]);
    expect([queue.isFull(499), queue.isFull(500)]).toEqual([false, true]);
  });

  it("is full while nothing completes, and accepts work again once it drains", () => {
    expect(queueAfter([[200, 200], 0]).isFull(128)).toBe(true);
    expect(queueAfter([[200, 200], 0], [[200, 20], 400]).isFull(1000)).toBe(false);
  });

  it("keeps its limit until it drops below half of it", () => {
    expect(queueAfter([[1000], 2000], [[480, 490], 2000]).isFull(500)).toBe(true);
    expect(queueAfter([[1000], 2000], [[480, 240], 2000]).isFull(500)).toBe(false);
  });
});
