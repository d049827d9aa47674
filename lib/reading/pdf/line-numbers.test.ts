import { describe, expect, it } from "vitest";
import type { Word } from "./geometry";
import { lineNumbersOf } from "./line-numbers";

const word = (text: string, x0: number, base: number): Word => ({
  ...{ text, x0, x1: x0 + text.length * 5, base, y0: base - 7.5, y1: base + 2.2 },
  ...{ size: 10, isBold: false, isHidden: false, order: 0 },
});
const lines = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => word(text(at), 80, 100 + at * 20));
const numbers = (count: number, step: number, x: number) =>
  Array.from({ length: Math.floor(count / step) }, (_, at) =>
    word(String((at + 1) * step).padStart(3, "0"), x, 100 + ((at + 1) * step - 1) * 20),
  );
const prose = (at: number) => `${at % 5 ? "goes" : "Begins"} on with words enough for a line`;

describe("lineNumbersOf", () => {
  it("finds them on either side of prose, at each line or every fifth", () => {
    for (const [step, x] of [
      [1, 40],
      [5, 40],
      [1, 400],
    ] as const) {
      const counted = numbers(30, step, x);
      expect([...lineNumbersOf([...counted, ...lines(30, prose)])]).toEqual(counted);
    }
  });

  it("leaves the numbers of a table's rows, a list's items and what doesn't count lines", () => {
    const counted = numbers(30, 1, 40);
    const others = [
      [...counted, ...lines(30, (at) => `drug ${at}`)],
      [...counted, ...lines(30, (at) => `Item ${at} has words enough for a line`)],
      [...counted.map((each, at) => ({ ...each, text: `${at * at}` })), ...lines(30, prose)],
      [...counted, ...lines(30, prose), word("outside", 20, 300)],
    ];
    expect(others.map((words) => lineNumbersOf(words).size)).toEqual([0, 0, 0, 0]);
  });
});
