import { describe, expect, it } from "vitest";
import type { Style } from "./style";
import { WordBuilder, withMarksBehind } from "./words";

const STYLE: Style = { size: 10, turn: 0, isBold: false, isHidden: false };

/** The words of characters with their left and right edges. */
function build(chars: readonly (readonly [text: string, x0: number, x1: number])[]): string[] {
  const builder = new WordBuilder();
  for (const at of withMarksBehind(chars.map(([text]) => text))) {
    const [text, x0, x1] = chars[at] ?? ["", 0, 0];
    if (text === " ") {
      builder.end();
    } else {
      builder.add({ text, x0, x1, base: 0, style: STYLE });
    }
  }
  return builder.finish().turns.flatMap(([, words]) => words.map((word) => word.text));
}

describe("words of characters", () => {
  it("keep an Arabic mark that is drawn before its letter, far to its side", () => {
    // As PDFium gives it, with a space that isn't there: from right to left, the mark over the fourth letter.
    const chars = [
      ...([
        ["أ", 62, 65],
        ["ي", 59, 62],
        [" ", 51, 51],
      ] as const),
      ...([
        ["\u064b", 49, 50],
        ["ض", 49, 59],
        ["ا", 46, 49],
      ] as const),
    ];
    expect(build(chars)).toEqual(["أيض\u064bا"]);
  });

  it("don't begin with the small number of a footnote", () => {
    const builder = new WordBuilder();
    const small = { ...STYLE, size: 7 };
    builder.add({ text: "3", x0: 0, x1: 3, base: -4, style: small });
    for (const [at, text] of [..."The", "3"].entries()) {
      const style = text === "3" ? small : STYLE;
      builder.add({ text, x0: 3 + at * 5, x1: 8 + at * 5, base: 0, style });
    }
    const texts = builder.finish().turns.flatMap(([, words]) => words.map(({ text }) => text));
    expect(texts).toEqual(["3", "The3"]);
  });

  it("keep the height of an exponent", () => {
    const builder = new WordBuilder();
    for (const [at, text] of [..."109/L"].entries()) {
      const raised = { base: -4, style: { ...STYLE, size: 7 } };
      const place = { text, x0: at * 5, x1: at * 5 + 5, base: 0, style: STYLE };
      builder.add({ ...place, ...(text === "9" && raised) });
    }
    expect(builder.finish().turns.flatMap(([, words]) => words[0]?.text)).toEqual(["10⁹/L"]);
  });

  it("continue after a line break that PDFium puts between letters of turned text", () => {
    const builder = new WordBuilder();
    const add = (text: string, x0: number, base = 0) =>
      builder.add({ text, x0, x1: x0 + 5, base, style: STYLE });
    add("T", 0);
    builder.space("\r");
    add("u", 5);
    builder.space("\r");
    add("r", 0, 12);
    builder.space("\r");
    add("n", 6.5, 12);
    const texts = builder.finish().turns.flatMap(([, words]) => words.map(({ text }) => text));
    expect(texts).toEqual(["Tu", "r", "n"]);
  });

  it("have lam and alef of one glyph in the order of reading, whatever their widths", () => {
    expect(
      build([
        ["ع", 17, 23],
        ["ا", 10, 13],
        ["ل", 10, 18],
        ["ج", 4, 10],
      ]),
    ).toEqual(["علاج"]);
  });

  it("end at spaces before letters", () => {
    expect(
      build([
        ["a", 0, 5],
        [" ", 5, 8],
        ["b", 8, 13],
      ]),
    ).toEqual(["a", "b"]);
  });
});
