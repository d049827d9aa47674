import { describe, expect, it } from "vitest";
import type { Box, Word } from "./geometry";
import { gridsOf } from "./grid";
import { linesOf } from "./lines";
import { tablesOf } from "./tables";

const SIZE = 10;
const PITCH = 13;
const PADDING = 3;
const LEFT = [60, 180, 300, 420];
const SHARE = { top: 0, middle: 0.5, bottom: 1 };

type Align = keyof typeof SHARE;

/** Where rows begin, and below the last one. */
function topsOf(rows: readonly (readonly string[])[]): number[] {
  const tops = [100];
  for (const row of rows) {
    const lines = Math.max(...row.map((cell) => cell.split("\n").length));
    tops.push((tops.at(-1) ?? 0) + lines * PITCH + 2 * PADDING);
  }
  return tops;
}

/** The words of cells, whose lines are as in a program that aligns cells in their row; `spans` are rows of merged cells. */
function wordsOf(
  rows: readonly (readonly string[])[],
  align: Align,
  spans: Record<string, number> = {},
): Word[] {
  const tops = topsOf(rows);
  const words = rows.flatMap((row, y) =>
    row.flatMap((cell, column) => {
      const lines = cell.split("\n");
      const height = (tops[y + (spans[cell] ?? 1)] ?? 0) - (tops[y] ?? 0) - 2 * PADDING;
      const top = (tops[y] ?? 0) + PADDING + SHARE[align] * (height - lines.length * PITCH);
      return lines.flatMap((line, at) => {
        const base = top + at * PITCH + SIZE;
        let x0 = LEFT[column] ?? 0;
        return line.split(" ").map((text) => {
          const box = { x0, x1: x0 + text.length * 5, base, y0: base - 7.5, y1: base + 2.2 };
          x0 = box.x1 + 3;
          return { text, ...box };
        });
      });
    }),
  );
  const style = { size: SIZE, isBold: false, isHidden: false };
  return words.filter(({ text }) => text).map((word, order) => ({ ...word, ...style, order }));
}

const ROWS = [
  ["Group", "Drug", "Dose", "Days"],
  ["Low", "Amoxicillin", "500 mg three\ntimes daily", "5"],
  [
    "Moderate,\nwith heart or\nlung disease",
    "Amoxicillin\nplus another",
    "1 g three\ntimes daily",
    "7",
  ],
  ["Pregnant", "Azithromycin", "", "3"],
  ["Child below\n20 kg", "A suspension\nof it", "90 mg/kg in\ntwo doses", ""],
];
const asCells = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((cell) => cell.replaceAll("\n", " ")));

describe("a table without rules whose cells have several lines", () => {
  it.each(["top", "middle", "bottom"] as const)(
    "has whole rows if they are aligned at the %s",
    (align) => {
      const [table, ...others] = tablesOf(linesOf(wordsOf(ROWS, align)), []);
      expect(table?.rows.map(({ cells }) => cells)).toEqual(asCells(ROWS));
      expect(others).toEqual([]);
    },
  );

  it("has a cell that is merged over two rows in both", () => {
    const rows = [
      ...ROWS.slice(0, 3),
      ["Severe", "Ceftriaxone", "2 g once\ndaily", "7"],
      ["", "Levofloxacin\nif allergic", "750 mg once\ndaily", "5"],
    ];
    const [table] = tablesOf(linesOf(wordsOf(rows, "middle", { Severe: 2 })), []);
    const expected = asCells(rows).map((row) => [row[0] || "Severe", ...row.slice(1)]);
    expect(table?.rows.map(({ cells }) => cells)).toEqual(expected);
  });

  it("has rows of its own where groups of rows, each on a line, are set apart", () => {
    const arm = (name: string) => [1, 2, 3].map((at) => `${name} ${at}|${at}${at}|1.${at}|9`);
    const groups = [["Group|n|Mean|Days"], arm("first"), arm("second"), arm("third")];
    const rows = groups.flat().map((line) => line.split("|"));
    const cells = groups.map((group) =>
      [0, 1, 2, 3].map((column) => group.map((line) => line.split("|")[column]).join("\n")),
    );
    const [table] = tablesOf(linesOf(wordsOf(cells, "top")), []);
    expect(table?.rows.map((row) => row.cells)).toEqual(rows);
  });
});

describe("pieces that stand beside each other, but not level", () => {
  it("are no table if few lines have several, as in a formula or at the axes of a chart", () => {
    const at = (text: string, x0: number, base: number): Word => ({
      ...{ text, x0, x1: x0 + text.length * 5, base, y0: base - 7.5, y1: base + 2.2 },
      ...{ size: SIZE, isBold: false, isHidden: false, order: base },
    });
    const words = [
      at("clusters", 160, 100),
      ...[at("weight", 60, 107), at("log", 110, 107), at(")", 240, 107)],
      at("all", 170, 114),
      ...[at("total", 60, 121), at("log", 110, 121), at(")", 240, 121)],
      at("others", 160, 128),
    ];
    expect(tablesOf(linesOf(words), [])).toEqual([]);
  });
});

describe("a table with rules between its rows", () => {
  const flat = (y: number, x0: number, x1: number): Box => ({ x0, x1, y0: y, y1: y + 1 });

  /** Rules around each cell, but not across the first column at the tops of these rows. */
  function rulesOf(rows: readonly (readonly string[])[], merged: readonly number[] = []): Box[] {
    const tops = topsOf(rows);
    const [top = 0, bottom = 0] = [tops[0], tops.at(-1)];
    const uprights = [55, 175, 295, 415, 500].map((x) => ({
      x0: x,
      x1: x + 1,
      y0: top,
      y1: bottom,
    }));
    return [...uprights, ...tops.map((y, at) => flat(y, merged.includes(at) ? 175 : 55, 500))];
  }

  it.each(["top", "middle", "bottom"] as const)(
    "keeps a row of several lines whole, aligned at the %s",
    (align) => {
      const [grid] = gridsOf(wordsOf(ROWS, align), rulesOf(ROWS), []);
      expect(grid?.rows.map(({ cells }) => cells)).toEqual(asCells(ROWS));
    },
  );

  it("has a merged cell in each of its rows", () => {
    const rows = [
      ...ROWS.slice(0, 3),
      ["Severe", "Ceftriaxone", "2 g", "7"],
      ["", "Levofloxacin", "750 mg", "5"],
      ["Other", "", "", ""],
    ];
    const [grid] = gridsOf(wordsOf(rows, "middle", { Severe: 2 }), rulesOf(rows, [4]), []);
    const expected = asCells(rows).map((row) => [row[0] || "Severe", ...row.slice(1)]);
    expect(grid?.rows.map(({ cells }) => cells)).toEqual(expected);
  });
});
