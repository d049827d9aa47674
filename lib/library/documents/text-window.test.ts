import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWindow, WINDOW } from "./text-window";

const PARAGRAPH = "A tack turns the bow through the wind. ".repeat(20).trim();
const TEXT = Array.from({ length: 200 }, (_, at) => `${at}. ${PARAGRAPH}`).join("\n\n");

/** Reads a whole text in consecutive windows. */
function readOn(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const { start, end } = textWindow(text, { from });
    parts.push(text.slice(start, end));
    expect(end).toBeGreaterThan(from);
    from = end;
  }
  return parts;
}

describe("a window of a text", () => {
  it("covers all of a short text", () => {
    for (const look of [{ from: 0 }, { around: 3 }, { to: 99 }, { around: 1_000_000_000 }]) {
      const { start, end } = textWindow("Short.", look);
      expect([start, end]).toEqual([0, 6]);
    }
    expect(textWindow("", { from: 0 })).toEqual({ start: 0, end: 0 });
    expect(textWindow("Short.", { from: 1_000_000_000 })).toEqual({ start: 6, end: 6 });
  });

  it("starts and ends between paragraphs", () => {
    const { start, end } = textWindow(TEXT, { around: 80_000 });
    expect(start).toBeLessThan(80_000);
    expect(end).toBeGreaterThan(80_000);
    expect(TEXT.slice(start)).toMatch(/^\d+\. A tack/);
    expect(TEXT.slice(end)).toMatch(/^\d+\. A tack/);
    expect(textWindow(TEXT, { from: end }).start).toBe(end);
    expect(textWindow(TEXT, { to: start }).end).toBe(start);
  });

  it("covers a whole text in both directions without gaps", () => {
    const parts = readOn(TEXT);
    expect(parts.length).toBe(Math.ceil(TEXT.length / WINDOW));
    expect(parts.join("")).toBe(TEXT);
    let back = "";
    for (let to = TEXT.length; to > 0; to = textWindow(TEXT, { to }).start) {
      back = TEXT.slice(textWindow(TEXT, { to }).start, to) + back;
    }
    expect(back).toBe(TEXT);
  });

  it("handles text without a natural break, and never splits a character", () => {
    for (const text of ["x".repeat(100_001), "😀".repeat(40_001), ` ${"😀".repeat(40_001)}`]) {
      const parts = readOn(text);
      expect(parts.join("")).toBe(text);
      expect(parts.every((part) => part.isWellFormed())).toBe(true);
    }
  });

  it("always includes the position it is centered on", () => {
    const texts = fc.constantFrom(TEXT, "😀".repeat(40_001), "a b\n\n".repeat(20_000));
    fc.assert(
      fc.property(texts, fc.double({ min: 0, max: 1, noNaN: true }), (text, part) => {
        const around = Math.floor(part * (text.length - 1));
        const { start, end } = textWindow(text, { around });
        expect(start).toBeLessThanOrEqual(around);
        expect(end).toBeGreaterThan(around);
        expect(end - start).toBeLessThanOrEqual(WINDOW);
      }),
    );
  });
});
