import { describe, expect, it } from "vitest";
import { Batcher, batcherStats } from "./batcher";

/** Lanes whose work is done when the test says so, and the batches they made. */
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

/** Until what was begun in this turn of the event loop has started. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("a key", () => {
  it("does what one turn brings together, and what arrives meanwhile in the next batch", async () => {
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

  it("does not wait for another one", async () => {
    const { batcher, batches, releaseAll } = heldBatcher();
    const outcomes = [batcher.run("a", 1), batcher.run("b", 2)];
    await turn();
    expect(batches.map(([key]) => key)).toEqual(["a", "b"]);
    await releaseAll();
    expect(await Promise.all(outcomes)).toEqual([10, 20]);
  });

  it("does a thousand in few batches of bounded size, each item once", async () => {
    const { batcher, batches, releaseAll } = heldBatcher();
    const items = Array.from({ length: 1000 }, (_, item) => item);
    const outcomes = Promise.all(items.map((item) => batcher.run("a", item)));
    await releaseAll();
    expect(await outcomes).toEqual(items.map((item) => item * 10));
    expect(batches.flatMap(([, batch]) => batch)).toEqual(items);
    expect(Math.max(...batches.map(([, batch]) => batch.length))).toBeLessThanOrEqual(256);
    expect(batches.length).toBeLessThan(10);
  });

  it("fails as one when the database is away, without trying each", async () => {
    let tries = 0;
    const batcher = new Batcher<number, number>(async () => {
      tries += 1;
      throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.run("a", item)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
    expect(tries).toBe(1);
  });

  it("does not make what waits behind find out for itself that the database is away", async () => {
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

  it("fails only what cannot be done, and goes on", async () => {
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
