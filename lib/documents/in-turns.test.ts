import { describe, expect, it } from "vitest";
import { inTurns } from "./in-turns";

describe("work in turns", () => {
  it("takes together what came while it was under way, and never runs twice at a time", async () => {
    const calls: string[][] = [];
    const gates: (() => void)[] = [];
    const run = inTurns(async (items: string[]) => {
      calls.push(items);
      await new Promise<void>((resolve) => gates.push(resolve));
      return items.join("");
    });
    const open = async () => {
      await expect.poll(() => gates.length).toBe(1);
      gates.pop()?.();
    };
    const first = run("a");
    await expect.poll(() => calls).toEqual([["a"]]);
    const others = [run("b"), run("c")];
    expect(calls).toEqual([["a"]]);
    await open();
    expect(await first).toBe("a");
    await open();
    expect(await Promise.all(others)).toEqual(["bc", "bc"]);
    expect(calls).toEqual([["a"], ["b", "c"]]);
  });

  it("fails for all who share a call, and goes on with the next one", async () => {
    const run = inTurns(async (items: number[]) => {
      if (items.includes(2)) {
        throw new Error("two");
      }
      return items;
    });
    const outcomes = await Promise.allSettled([run(1), run(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await run(3)).toEqual([3]);
  });
});
