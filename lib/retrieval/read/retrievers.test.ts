import { describe, expect, it } from "vitest";
import { effortFor } from "./retrievers";

describe("how many neighbors a vector index considers", () => {
  it("grows with the index, up to 200", () => {
    const sizes = [0, 7000, 50_000, 100_000, 200_000, 500_000, 5_000_000];
    expect(sizes.map((size) => effortFor(size, 50))).toEqual([60, 60, 64, 90, 127, 200, 200]);
  });

  it("has no jump", () => {
    const sizes = Array.from({ length: 1000 }, (_, index) => index * 1000);
    const steps = sizes.map((size) => effortFor(size + 1000, 50) - effortFor(size, 50));
    expect(Math.max(...steps)).toBe(1);
  });

  it("is never less than the candidates that are asked for", () => {
    expect(effortFor(1000, 100)).toBe(100);
    expect(effortFor(5_000_000, 300)).toBe(300);
  });
});
