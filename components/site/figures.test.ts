import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CAUGHT, CAUGHT_NUMBERS, CLIENTS_TESTED, MEASURED, RESTATED, WITHIN } from "./figures";

const bench = readFileSync("e2e/bench/README.md", "utf8");
const clients = readFileSync("docs/clients.md", "utf8");

function rowOf(row: string): string {
  const line = bench.split("\n").find((each) => each.startsWith(`| ${row} `));
  expect(line, row).toBeDefined();
  return line ?? "";
}

describe("the figures on the home page", () => {
  it("are those of the published benchmark", () => {
    for (const { row, caught, share } of CAUGHT) {
      expect(rowOf(row)).toContain(`caught: ${caught}`);
      expect(Number.parseFloat(caught), row).toBe(share);
    }
    for (const { row, share } of WITHIN) {
      expect(100 - Number(rowOf(row).split("|")[3]), row).toBeCloseTo(share);
    }
    expect(`${WITHIN[0]?.share}%`).toBe(CAUGHT_NUMBERS);
    expect(bench).toContain(`measured on ${MEASURED.date}`);
  });

  it("include what the rules miss in claims that are restated", () => {
    for (const { row, share } of RESTATED.slice(0, -1)) {
      const reported = Number(rowOf(row).split("|")[2]);
      expect(Math.round(reported * 100), row).toBe(share);
    }
    const counts = rowOf("contradict").split("|").slice(2, 7);
    const [, , , contradicted = 0, ...rest] = counts.map((count) => Number(count.split("/")[0]));
    const all = counts.reduce((sum, count) => sum + Number(count.split("/")[0]), 0);
    expect(rest).toHaveLength(1);
    expect(Math.round((100 * contradicted) / all)).toBe(RESTATED.at(-1)?.share);
  });

  it("are those of the sections that the summary links to", () => {
    const [, summary = "", ...rest] = bench.split(/^#{2,3} /m);
    const sections = new Map(
      rest.map((text) => [(text.split("\n")[0] ?? "").toLowerCase().replaceAll(" ", "-"), text]),
    );
    const rows = [...summary.matchAll(/^\| \[[^\]]+\]\(#([a-z-]+)\)[^|]*\| ([^|]+)\|/gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [row, section = "", value = ""] of rows) {
      const figure = value.trim().replace(/ times$/, "");
      expect(sections.get(section)?.includes(figure), row).toBe(true);
    }
  });

  it("count the client versions that are tested", () => {
    const names = [...clients.matchAll(/^\| ([@a-z/-]+ \d+\.\d+\.\d+) /gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(CLIENTS_TESTED);
  });
});
