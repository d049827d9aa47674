import { expect, it } from "vitest";
import { regionBlocks } from "./blocks";
import type { Word } from "./geometry";
import { withHeadings } from "./headings";

/** Lines one below the other, each letter half an em wide. */
function wordsOf(lines: readonly string[]): Word[] {
  return lines
    .flatMap((line, at) => {
      let left = 50;
      return line.split(" ").map((text) => {
        const base = 100 + at * 12;
        const box = { x0: left, x1: left + text.length * 5, y0: base - 7.5, y1: base + 2.2 };
        left = box.x1 + 2.5;
        return { text, ...box, base, size: 10, isBold: at === 0, isHidden: false };
      });
    })
    .map((word, order) => ({ ...word, order }));
}

it("reads each entry of a table of contents for itself, with its page and without the dots", () => {
  const dots = (count: number) => Array.from({ length: count }, () => ".").join(" ");
  const words = wordsOf([
    `Preface ${dots(40)} xi`,
    `1.1 Security of data${".".repeat(30)} 2`,
    "1.2 Rows and columns that only those",
    `may see who need them. ${dots(30)} 12`,
    "This sentence is none ... of 5",
  ]);
  const blocks = regionBlocks(words, []);
  expect(blocks.map(({ text }) => text)).toEqual([
    "Preface … xi",
    "1.1 Security of data … 2",
    "1.2 Rows and columns that only those may see who need them … 12",
    "This sentence is none ... of 5",
  ]);
  const kinds = withHeadings(blocks).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["paragraph"]));
});
