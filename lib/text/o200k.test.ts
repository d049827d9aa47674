import fc from "fast-check";
import { decode, encode } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { countBytePairs } from "./o200k";
import { exceedsTokens, takeTokens } from "./tokens";

const TEXTS = [
  "",
  "Aspirin 100 mg was given at 08:30, and the patient's fever (38.9 °C) went down.",
  "don't WE'LL it'S   two  blanks\n\n\tand tabs \r\n",
  "Donaudampfschifffahrtsgesellschaftskapitän naïve façade Øre",
  "漢字かな交じり文とカタカナ。한국어 텍스트 العربية עברית ไทย",
  "👩‍👩‍👧‍👦 🫀 \u{10ffff} \u0000 \ud800 <|endoftext|> <|im_start|>",
  "x".repeat(300),
];

function reference(text: string): number[] {
  return encode(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
}

describe("tokens of o200k", () => {
  it("are as many as the package's own encoder finds", () => {
    expect(TEXTS.map((text) => countBytePairs(text))).toEqual(
      TEXTS.map((text) => reference(text).length),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (any) => {
        // The package's decoder drops byte order marks, one of the vocabulary's tokens.
        const text = any.replaceAll("\ufeff", "");
        expect(countBytePairs(text)).toBe(reference(text).length);
      }),
      { numRuns: 500 },
    );
  });

  it("cover all bytes of a text in order", () => {
    for (const text of TEXTS) {
      const lengths: number[] = [];
      expect(countBytePairs(text, lengths)).toBe(lengths.length);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(Buffer.byteLength(text));
    }
  });

  it("end a text where they are cut", () => {
    const [, text = ""] = TEXTS;
    expect(takeTokens(text, 9)).toBe(decode(reference(text).slice(0, 9)));
    expect(takeTokens("🫀🫀", 1)).toBe("");
    expect(takeTokens(text, 1000)).toBe(text);
  });

  it.each(TEXTS)("tell whether there are more than a limit: %j", (text) => {
    const count = reference(text).length;
    expect(exceedsTokens(text, count)).toBe(false);
    expect(exceedsTokens(text, count - 1)).toBe(true);
  });
});
