import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBoxes, encodePages, mergeLines, packBoxes, type TextBox } from "./page-boxes";

const WHOLE = { start: 0, end: 2 ** 31 };
const part = fc.integer({ min: 0, max: 10_000 }).map((units) => units / 10_000);
const anyBox = fc
  .record({
    start: fc.nat(50_000_000),
    length: fc.integer({ min: 1, max: 5000 }),
    ...{ x0: part, y0: part, x1: part, y1: part },
  })
  .map(({ length, ...box }): TextBox => ({ ...box, end: box.start + length, page: 3 }));

describe("the boxes of a page", () => {
  it("are the same after encoding, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(anyBox, { maxLength: 40 }), (boxes) => {
        const [page] = encodePages([{ boxes: packBoxes(boxes) }], [0]);
        expect(page ? decodeBoxes(page, WHOLE) : []).toEqual(boxes);
      }),
    );
  });

  it("are found by the range of their words, in the document's text", () => {
    const at = (start: number, end: number) => ({
      start,
      end,
      page: 1,
      x0: 0,
      y0: 0,
      x1: 1,
      y1: 1,
    });
    const blocks = [
      { boxes: packBoxes([at(0, 4), at(5, 9)]) },
      {},
      { boxes: packBoxes([at(0, 3)]) },
    ];
    const [page] = encodePages(blocks, [0, 20, 100]);
    const rangesIn = (start: number, end: number) =>
      page ? decodeBoxes(page, { start, end }).map((box) => [box.start, box.end]) : [];
    expect(rangesIn(4, 6)).toEqual([[5, 9]]);
    expect(rangesIn(8, 101)).toEqual([
      [5, 9],
      [100, 103],
    ]);
    expect(rangesIn(9, 100)).toEqual([]);
  });
});

describe("mergeLines", () => {
  const word = (x0: number, y0: number, page = 1): TextBox => ({
    ...{ start: 0, end: 1, page, x0, y0, x1: x0 + 0.1, y1: y0 + 0.02 },
  });

  it("makes one box of the words of a line", () => {
    expect(mergeLines([word(0.1, 0.5), word(0.22, 0.501), word(0.1, 0.53)])).toEqual([
      { page: 1, x0: 0.1, y0: 0.5, x1: 0.32, y1: 0.521 },
      { page: 1, x0: 0.1, y0: 0.53, x1: 0.2, y1: 0.55 },
    ]);
  });

  it("keeps apart what is on two pages, or far from each other on one line", () => {
    expect(mergeLines([word(0.1, 0.5), word(0.21, 0.5, 2)])).toHaveLength(2);
    expect(mergeLines([word(0.1, 0.5), word(0.7, 0.5)])).toHaveLength(2);
  });
});
