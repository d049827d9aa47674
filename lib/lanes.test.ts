import { describe, expect, it } from "vitest";
import { Lanes } from "./lanes";

/** Lanes whose work is done when the test says so, and the batches they made. */
function heldLanes(isDoable: (item: number) => boolean = () => true) {
  const batches: [lane: string, items: readonly number[]][] = [];
  const held: (() => void)[] = [];
  const lanes = new Lanes<number, number>(async (lane, items) => {
    batches.push([lane, items]);
    await new Promise<void>((resolve) => held.push(resolve));
    if (!items.every(isDoable)) {
      throw Object.assign(new Error("not doable"), { code: "23505" });
    }
    return items.map((item) => item * 10);
  });
  const releaseAll = async () => {
    while (held.length > 0) {
      held.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { lanes, batches, releaseAll };
}

describe("a lane", () => {
  it("does the first at once, and what arrives meanwhile together", async () => {
    const { lanes, batches, releaseAll } = heldLanes();
    const outcomes = [1, 2, 3].map((item) => lanes.run("a", item));
    expect(batches).toEqual([["a", [1]]]);
    await releaseAll();
    expect(await Promise.all(outcomes)).toEqual([10, 20, 30]);
    expect(batches).toEqual([
      ["a", [1]],
      ["a", [2, 3]],
    ]);
  });

  it("does not wait for another one", async () => {
    const { lanes, batches, releaseAll } = heldLanes();
    const outcomes = [lanes.run("a", 1), lanes.run("b", 2)];
    expect(batches.map(([lane]) => lane)).toEqual(["a", "b"]);
    await releaseAll();
    expect(await Promise.all(outcomes)).toEqual([10, 20]);
  });

  it("does a thousand in few batches of bounded size, each item once", async () => {
    const { lanes, batches, releaseAll } = heldLanes();
    const items = Array.from({ length: 1000 }, (_, item) => item);
    const outcomes = Promise.all(items.map((item) => lanes.run("a", item)));
    await releaseAll();
    expect(await outcomes).toEqual(items.map((item) => item * 10));
    expect(batches.flatMap(([, batch]) => batch)).toEqual(items);
    expect(Math.max(...batches.map(([, batch]) => batch.length))).toBeLessThanOrEqual(256);
    expect(batches.length).toBeLessThan(10);
  });

  it("fails as one when the database is away, without trying each", async () => {
    let tries = 0;
    const lanes = new Lanes<number, number>(async () => {
      tries += 1;
      throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => lanes.run("a", item)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
    expect(tries).toBe(2);
  });

  it("fails only what cannot be done, and goes on", async () => {
    const { lanes, releaseAll } = heldLanes((item) => item !== 3);
    const outcomes = Promise.allSettled([1, 2, 3, 4].map((item) => lanes.run("a", item)));
    await releaseAll();
    expect((await outcomes).map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    const later = lanes.run("a", 5);
    await releaseAll();
    expect(await later).toBe(50);
  });
});
