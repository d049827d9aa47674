import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shorten } from "./shorten";

describe("shorten", () => {
  it.each([
    ["Fits as it is", 20, "Fits as it is"],
    ["Exactly fits", 12, "Exactly fits"],
    ["Care of the newborn infant", 20, "Care of the newborn…"],
    ["Care of the newborn infant", 19, "Care of the…"],
    ["Dose, interval, route", 9, "Dose…"],
    ["Pneumonoultramicroscopic", 10, "Pneumonou…"],
    ["A 𝒳𝒳𝒳𝒳𝒳𝒳", 6, "A 𝒳…"],
  ])("turns %j into at most %i characters", (text, length, expected) => {
    expect(shorten(text, length)).toBe(expected);
  });

  it("never exceeds the length, nor leaves half a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 2, max: 40 }),
        (text, length) => {
          const short = shorten(text, length);
          expect(short.length).toBeLessThanOrEqual(length);
          expect(short.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});
