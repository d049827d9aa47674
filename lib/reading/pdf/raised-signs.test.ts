import { afterAll, describe, expect, test } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { pdfPage } from "@/lib/testing/pdf-files";
import { withRaisedSigns } from "./raised-signs";

afterAll(closeParserPool);

/** The text of a page whose lines have raised signs between braces. */
async function textOf(lines: readonly string[]): Promise<string> {
  const looks = [
    { size: 11, rise: 0 },
    { size: 7, rise: 4 },
  ];
  const bytes = await pdfPage((page, { plain }) => {
    for (const [at, line] of lines.entries()) {
      let x = 60;
      for (const [index, text] of line.split(/[{}]/).entries()) {
        const { size, rise } = looks[index % 2] as (typeof looks)[number];
        page.drawText(text, { x, y: 700 - at * 30 + rise, size, font: plain });
        x += plain.widthOfTextAtSize(text, size);
      }
    }
  });
  return (await readDocument({ bytes, name: null, title: null, mediaType: null })).text;
}

const NOTES = ["{1} Divided into two doses.", "{2}After dialysis.", "a Except in children."];

describe("raised signs of a PDF", () => {
  test.each([
    ["At most 20 mg{2} once daily.", "At most 20 mg\u2006² once daily."],
    ["At most 20{1} mg once daily.", "At most 20\u2006¹ mg once daily."],
    ["At most 10{1} mg once daily.", "At most 10\u2006¹ mg once daily."],
    ["Take 20 mg{1,2} or 5 mg{a}.", "Take 20 mg\u2006¹,² or 5 mg\u2006ᵃ."],
    ["Take it at night.{1} Adults rest.", "Take it at night.\u2006¹ Adults rest."],
    ["Take 20 mg (or 5 mg{2}) only.", "Take 20 mg (or 5 mg\u2006²) only."],
  ])("are marks where their notes are below: %s", async (line, shown) => {
    expect(await textOf([line, ...NOTES])).toBe(
      `${shown}\n\n1 Divided into two doses.\n\n2 After dialysis.\n\na Except in children.`,
    );
  });

  test.each([
    ["Give 5 mg per m{2} of it.", "Give 5 mg per m² of it."],
    ["The BMI is in kg/m{2}.", "The BMI is in kg/m²."],
    ["Up to 150 × 10{2} cells.", "Up to 150 × 10² cells."],
    ["Up to 10{2} CFU were found.", "Up to 10² CFU were found."],
    ["Clearance in mL min{-1} fell.", "Clearance in mL min⁻¹ fell."],
    ["An R{2} of 0.9 and Ca{2+}.", "An R² of 0.9 and Ca²⁺."],
    ["Take 1{1}/2 tablets.", "Take 1¹/2 tablets."],
    ["Take {1}/2 tablet.", "Take 1/2 tablet."],
    ["Give 10{2} IU of it.", "Give 10² IU of it."],
  ])("stay exponents beside notes: %s", async (line, shown) => {
    expect((await textOf([line, ...NOTES])).split("\n")[0]).toBe(shown);
  });

  test("are text without a note, and raised if they are numbers", async () => {
    expect(await textOf(["On the 5{th} day 20 mg{b}, as shown.{12} Then rest."])).toBe(
      "On the 5th day 20 mgb, as shown.¹² Then rest.",
    );
  });

  const MORE = Array.from({ length: 6 }, () => "Then rest.");

  test("are marks of notes below a row of a table", async () => {
    const row = `Adults${" ".repeat(20)}20 mg{a} daily`;
    expect(await textOf([row, "a Except at night.", ...MORE])).toContain("20 mg\u2006ᵃ daily");
  });

  test("are no marks of numbered lines within the text", async () => {
    const steps = ["1. Wash.", "2. Weigh.", "3. Give it."];
    const text = await textOf(["Up to 2{3} or 10{2} IU, of 5{2} in all.", ...steps, ...MORE]);
    expect(text.split("\n")[0]).toBe("Up to 2³ or 10² IU, of 5² in all.");
  });

  test("are found in linear time", () => {
    const readsOf = (length: number) => {
      let reads = 0;
      const words = Array.from({ length }, (_, at) => ({
        ...{ text: "1", x0: at * 20, x1: at * 20 + 5, y0: 0, y1: 10, base: 10, order: at },
        ...{ isBold: false, isHidden: false },
        get size() {
          reads += 1;
          return 10;
        },
      }));
      withRaisedSigns(words);
      return reads;
    };
    expect(readsOf(8_000) / readsOf(4_000)).toBeLessThan(3);
  });
});
