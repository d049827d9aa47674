import { describe, expect, it } from "vitest";
import type { Word } from "./geometry";
import { runningPatterns, withoutRunning } from "./running-lines";

const SIZE = 10;

/** The words of a line; "|" begins the next column. */
function line(text: string, y: number): Word[] {
  return text.split("|").flatMap((cell, column) =>
    cell
      .trim()
      .split(" ")
      .map((word, at) => {
        const x0 = 60 + column * 150 + at * 30;
        const style = { size: SIZE, isBold: false, isHidden: false, order: y + column + at };
        return { text: word, x0, x1: x0 + 25, y0: y - 8, y1: y + 2, base: y, ...style };
      }),
  );
}

const BODY = Array.from({ length: 30 }, (_, at) => `Sentence ${at} of the body says nothing.`);

/** Pages with body text, and lines at their top, at their bottom, or right below the body. */
function pagesWith(lineOf: (page: number) => string, y: number, pages = 6): Word[][] {
  return Array.from({ length: pages }, (_, page) => [
    ...line(lineOf(page), y),
    ...BODY.flatMap((text, at) => line(`${text} ${page}`, 100 + at * 14)),
  ]);
}

function keeps(pages: readonly Word[][]): boolean {
  const running = runningPatterns(pages.map((words, index) => ({ index, words })));
  return pages.every((words) => withoutRunning(words, running).removed.length === 0);
}

const [TOP, BOTTOM] = [40, 760];

describe("lines that pages repeat", () => {
  it.each([
    [TOP, () => "Guideline for sepsis in adults"],
    [TOP, (page: number) => `Guideline for sepsis in adults | ${page + 1}`],
    [BOTTOM, (page: number) => `Page ${page + 1} of 6`],
    [BOTTOM, (page: number) => `- ${page + 11} -`],
    [BOTTOM, (page: number) => `${page + 3}`],
    [BOTTOM, (page: number) => `Hospital of the Holy Spirit, Antibiotics ${page + 1}`],
  ])("are taken away at %d if only the page's number changes", (y, lineOf) => {
    expect(keeps(pagesWith(lineOf, y))).toBe(false);
  });

  it.each([
    () => "Sodium | 131 | mmol/L",
    () => "Never more than 4 g",
    (page: number) => `Given dose: ${25 * (page + 1)} mg carboplatin`,
    (page: number) => `Drug ${page + 1}: do not give with warfarin`,
    (page: number) => `Cycle ${page + 1}`,
    (page: number) => `weeks of treatment, and stop. Code ${780 - 7 * page}`,
    (page: number) => `Bed ${[3, 1, 4, 1, 5, 9][page]}`,
  ])("are kept if they carry an amount, or a number that isn't the page's", (lineOf) => {
    for (const y of [TOP, BOTTOM]) {
      expect(keeps(pagesWith(lineOf, y))).toBe(true);
    }
  });

  it("are kept if they are part of a paragraph, or a row of a table", () => {
    expect(keeps(pagesWith(() => "Sentence one of the body is the same everywhere", 86))).toBe(
      true,
    );
    const rows = Array.from({ length: 5 }, (_, page) =>
      Array.from({ length: 30 }, (__, at) =>
        line(
          at === 29 ? "Potassium | normal | no change" : `Test ${at}${page} | high | repeat`,
          60 + at * 20,
        ),
      ).flat(),
    );
    expect(keeps(rows)).toBe(true);
  });
});
