import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CAUGHT_NUMBERS, FIGURES, MEASURED } from "./figures";

const bench = readFileSync("e2e/bench/README.md", "utf8");

describe("the figures on the home page", () => {
  it("are those of the published benchmark", () => {
    for (const { row, caught, share } of FIGURES) {
      const line = bench.split("\n").find((each) => each.startsWith(`| ${row} `));
      expect(line, row).toContain(`caught: ${caught}`);
      expect(caught.startsWith(`${share} / `), row).toBe(true);
    }
    expect(FIGURES[0]?.caught.startsWith(CAUGHT_NUMBERS.replace("%", " /"))).toBe(true);
    expect(bench).toContain(`measured on ${MEASURED.date}`);
  });
});
