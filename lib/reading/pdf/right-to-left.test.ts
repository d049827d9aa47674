import { describe, expect, it } from "vitest";
import type { Word } from "./geometry";
import { gridsOf } from "./grid";
import { linesOf, withTurnedBrackets } from "./lines";
import { gridRows } from "./table-rows";
import { tablesOf } from "./tables";

/** Cells of one word each, which end at the right edges of columns of 100 points. */
function wordsOf(rows: readonly (readonly string[])[]): Word[] {
  return rows
    .flatMap((row, line) =>
      row.map((text, at) => {
        const [x1, base] = [350 - at * 100, 100 + line * 20];
        return { text, x0: x1 - text.length * 5, x1, base, y0: base - 7.5, y1: base + 2.2 };
      }),
    )
    .map((box, order) => ({ ...box, order, size: 10, isBold: false, isHidden: false }))
    .filter(({ text }) => text !== "");
}

const ROWS = [
  ["תרופה", "בוקר", "ערב"],
  ["אספירין", "", "100"],
  ["אינסולין", "20", "30"],
  ["ברזל", "5", ""],
];

describe("brackets in a script that runs from right to left", () => {
  it("are turned back if the file has the shapes that they are drawn with", () => {
    expect(withTurnedBrackets("ביום )ראו טבלה ]1[(.")).toBe("ביום (ראו טבלה [1]).");
    for (const text of ["ביום (ראו טבלה 1).", "1) ביום", "See )this(."]) {
      expect(withTurnedBrackets(text)).toBe(text);
    }
  });
});

describe("a line in a script that runs from right to left", () => {
  // As drawn, from left to right; the file may have the words in this order, or in the reader's.
  const drawn = ["לפנסילין", "רגישים", "Amoxicillin", "875", "mg", "ליום", "500", "נותנים"];
  const said = "נותנים 500 ליום Amoxicillin 875 mg רגישים לפנסילין";
  const boxes = drawn.map((text, at) => {
    const x0 = 50 + 60 * at;
    return { text, x0, x1: x0 + 5 * text.length, base: 100, y0: 92.5, y1: 102.2 };
  });
  const places = said.split(" ").map((text) => drawn.indexOf(text));

  it.each([
    ["as read", (at: number) => places.indexOf(at)],
    ["from right to left, Latin words too", (at: number) => drawn.length - at],
    ["from left to right", (at: number) => at],
  ])(
    "has its Latin words and their numbers from left to right, in a file that has them %s",
    (_, orderAt) => {
      const words = boxes.map((box, at) => ({
        ...box,
        ...{ order: orderAt(at), size: 10, isBold: false, isHidden: false },
      }));
      const [line] = linesOf(words);
      expect(line?.words.map(({ text }) => text).join(" ")).toBe(said);
    },
  );
});

describe("a table in a script that runs from right to left", () => {
  it("has its rightmost column first", () => {
    const [table] = tablesOf(linesOf(wordsOf(ROWS)), []);
    expect(table?.rows.map(({ cells }) => cells)).toEqual(ROWS);
  });

  it("has it first with ruled cells, too, and a merged cell's text in the first of its columns", () => {
    const merged = [...ROWS, ["מינון", "ללא", ""]];
    const bottom = 86 + merged.length * 20;
    const flat = [86, 106, 126, 146, 166, bottom].map((y) => ({
      x0: 60,
      x1: 360,
      y0: y,
      y1: y + 1,
    }));
    const upright = [60, 160, 260, 360].map((x) => ({
      ...{ x0: x, x1: x + 1, y0: 86 },
      y1: x === 160 ? 166 : bottom,
    }));
    const [grid] = gridsOf(wordsOf(merged), [...flat, ...upright], []);
    const rows = grid ? gridRows(grid).table?.map(({ text }) => text) : [];
    expect(rows).toEqual([
      "אספירין | | 100",
      "אינסולין | 20 | 30",
      "ברזל | 5 | ",
      "מינון | ללא | ",
    ]);
  });
});
