import { describe, expect, it } from "vitest";
import { Batcher, batcherStats } from "./batcher";

/** A batcher whose work finishes when the test releases it, and the batches it ran. */
function heldBatcher(isDoable: (item: number) => boolean = () => true) {
  const batches: [key: string, items: readonly number[]][] = [];
  const held: (() => void)[] = [];
  const batcher = new Batcher<number, number>(async (key, items) => {
    batches.push([key, items]);
    await new Promise<void>((resolve) => held.push(resolve));
    if (!items.every(isDoable)) {
      throw Object.assign(new Error("not doable"), { code: "23505" });
    }
    return items.map((item) => item * 10);
  });
  const releaseAll = async () => {
    await turn();
    while (held.length > 0) {
      held.shift()?.();
      await turn();
    }
  };
  return { batcher, batches, releaseAll };
}

/** Resolves once work queued in this turn of the event loop has started. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("a batcher", () => {
  it("batches calls made in one turn, and calls made during a batch into the next one", async () => {
    const { batcher, batches, releaseAll } = heldBatcher();
    const first = [1, 2].map((item) => batcher.run("a", item));
    await turn();
    expect(batches).toEqual([["a", [1, 2]]]);
    const meanwhile = [3, 4].map((item) => batcher.run("a", item));
    await turn();
    const later = batcher.run("a", 5);
    expect(batches).toHaveLength(1);
    await releaseAll();
    expect(await Promise.all([...first, ...meanwhile, later])).toEqual([10, 20, 30, 40, 50]);
    expect(batches).toEqual([
      ["a", [1, 2]],
      ["a", [3, 4, 5]],
    ]);
  });

  it("runs different keys independently", async () => {
    const { batcher, batches, releaseAll } = heldBatcher();
    const outcomes = [batcher.run("a", 1), batcher.run("b", 2)];
    await turn();
    expect(batches.map(([key]) => key)).toEqual(["a", "b"]);
    await releaseAll();
    expect(await Promise.all(outcomes)).toEqual([10, 20]);
  });

  it("runs a thousand items once each, in a few batches of bounded size", async () => {
    const { batcher, batches, releaseAll } = heldBatcher();
    const items = Array.from({ length: 1000 }, (_, item) => item);
    const outcomes = Promise.all(items.map((item) => batcher.run("a", item)));
    await releaseAll();
    expect(await outcomes).toEqual(items.map((item) => item * 10));
    expect(batches.flatMap(([, batch]) => batch)).toEqual(items);
    expect(Math.max(...batches.map(([, batch]) => batch.length))).toBeLessThanOrEqual(256);
    expect(batches.length).toBeLessThan(10);
  });

  it("fails the whole batch without retrying each item when the database is unavailable", async () => {
    let tries = 0;
    const batcher = new Batcher<number, number>(async () => {
      tries += 1;
      throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.run("a", item)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
    expect(tries).toBe(1);
  });

  it("fails queued items along with a batch that loses the database connection", async () => {
    let away = () => {};
    const batcher = new Batcher<number, number>(
      () =>
        new Promise((_resolve, reject) => {
          away = () => reject(Object.assign(new Error("away"), { code: "ECONNRESET" }));
        }),
    );
    const before = batcherStats().waiting;
    const first = batcher.run("a", 1);
    await turn();
    const behind = [2, 3].map((item) => batcher.run("a", item));
    expect(batcherStats().waiting - before).toBe(3);
    away();
    const outcomes = await Promise.allSettled([first, ...behind]);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    await turn();
    expect(batcherStats().waiting).toBe(before);
  });

  it("fails only the invalid item and continues with later ones", async () => {
    const { batcher, releaseAll } = heldBatcher((item) => item !== 3);
    const outcomes = Promise.allSettled([1, 2, 3, 4].map((item) => batcher.run("a", item)));
    await releaseAll();
    expect((await outcomes).map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    const later = batcher.run("a", 5);
    await releaseAll();
    expect(await later).toBe(50);
  });
});
