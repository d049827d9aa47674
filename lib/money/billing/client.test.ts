import { describe, expect, it } from "vitest";
import { newAttempt, pollDelayMs } from "./client";

describe("pollDelayMs", () => {
  it("starts at one second, grows, and stops after a few minutes", () => {
    const delays: number[] = [];
    for (let reads = 1; ; reads += 1) {
      const delay = pollDelayMs(reads);
      if (delay === false) {
        break;
      }
      delays.push(delay);
    }
    expect(delays[0]).toBe(1000);
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    const minutes = delays.reduce((sum, delay) => sum + delay, 0) / 60_000;
    expect(minutes).toBeGreaterThan(3);
    expect(minutes).toBeLessThan(8);
  });
});

describe("newAttempt", () => {
  it("returns a different value each time", () => {
    expect(newAttempt()).toMatch(/^[0-9a-f]{32}$/);
    expect(newAttempt()).not.toBe(newAttempt());
  });
});
