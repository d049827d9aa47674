import { degrees, PDFDocument, type PDFFont, StandardFonts } from "pdf-lib";
import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { drawTable, pdfPage } from "@/lib/testing/pdf-files";
import { decodeBoxes, mergeLines, type PageRectangle } from "../page-boxes";

const [WIDTH, HEIGHT] = [600, 800];
const SIZE = 12;

afterAll(closeParserPool);

async function read(bytes: Uint8Array) {
  return readDocument({ bytes, name: null, title: null, mediaType: null });
}

/** Where words of the document are, one box a line. */
async function boxesIn(bytes: Uint8Array, words: string) {
  const { text, pageBoxes } = await read(bytes);
  const start = text.indexOf(words);
  expect(start, text).toBeGreaterThanOrEqual(0);
  const range = { start, end: start + words.length };
  return mergeLines(pageBoxes.flatMap((page) => decodeBoxes(page, range)));
}

/** Pages of one size, each with some lines and its own rotation. */
async function pages(lines: string[][], rotation = 0) {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const own of lines) {
    const page = document.addPage([WIDTH, HEIGHT]);
    page.setRotation(degrees(rotation));
    for (const [at, line] of own.entries()) {
      page.drawText(line, {
        ...placeOf(rotation, 60, 100 + at * 16),
        size: SIZE,
        font,
        rotate: degrees(rotation),
      });
    }
  }
  return { bytes: await document.save(), font };
}

/** The page's own coordinates of a point `x` from the left and `y` from the top, as it is displayed. */
function placeOf(rotation: number, x: number, y: number) {
  switch (rotation) {
    case 90:
      return { x: y, y: x };
    case 180:
      return { x: WIDTH - x, y };
    case 270:
      return { x: WIDTH - y, y: HEIGHT - x };
    default:
      return { x, y: HEIGHT - y };
  }
}

/** Where a text should be that starts at `x` on the baseline `y`. */
function expectPlace(
  box: PageRectangle,
  place: { x: number; y: number; width: number },
  rotation = 0,
) {
  const [width, height] = rotation % 180 === 0 ? [WIDTH, HEIGHT] : [HEIGHT, WIDTH];
  // Fonts round their widths.
  expect(Math.abs(box.x0 * width - place.x)).toBeLessThan(1.5);
  expect(Math.abs(box.x1 * width - place.x - place.width)).toBeLessThan(1.5);
  expect(box.y0 * height).toBeGreaterThan(place.y - SIZE);
  expect(box.y0 * height).toBeLessThan(place.y - SIZE / 2);
  expect(box.y1 * height).toBeGreaterThan(place.y);
  expect(box.y1 * height).toBeLessThan(place.y + SIZE / 2);
}

const widthOf = (font: PDFFont, text: string) => font.widthOfTextAtSize(text, SIZE);

describe("the boxes of words in a PDF", () => {
  it.each([0, 90, 180, 270])(
    "are where they are displayed on a page turned by %i",
    async (rotation) => {
      const line = "The clinic opens at seven on every Tuesday.";
      const { bytes, font } = await pages([[line, "It closes at noon."]], rotation);
      const [box, ...others] = await boxesIn(bytes, "opens at seven");
      expect(others).toEqual([]);
      const place = {
        x: 60 + widthOf(font, "The clinic "),
        y: 100,
        width: widthOf(font, "opens at seven"),
      };
      expectPlace(box ?? { x0: 0, y0: 0, x1: 0, y1: 0 }, place, rotation);
    },
  );

  it("follow a quote over lines, a hyphen and pages", async () => {
    const { bytes, font } = await pages([
      [
        "The anti-",
        "coagulant is taken daily, and the ther-",
        "apist reads the list of the ward each day.",
      ],
      ["The second page names the doctor."],
    ]);
    const lines = await boxesIn(bytes, "anticoagulant is taken daily, and the therapist reads");
    expect(lines.map(({ page }) => page)).toEqual([1, 1, 1]);
    expectPlace(lines[0] as PageRectangle, {
      x: 60 + widthOf(font, "The "),
      y: 100,
      width: widthOf(font, "anti-"),
    });
    expectPlace(lines[2] as PageRectangle, { x: 60, y: 132, width: widthOf(font, "apist reads") });
    const [second] = await boxesIn(bytes, "names the doctor");
    expect(second?.page).toBe(2);
  });

  it("cover a table's row, which is quoted as a whole", async () => {
    const rows = [
      ["Drug", "Morning", "Evening"],
      ["Aspirin", "100 mg", "50 mg"],
      ["Warfarin", "5 mg", "3 mg"],
      ["Heparin", "2 mg", "1 mg"],
    ];
    const bytes = await pdfPage((page, fonts) =>
      drawTable(page, rows, { ...fonts, place: (x, y) => ({ x: 60 + x * 150, y: 700 - y * 30 }) }),
    );
    const boxes = await boxesIn(bytes, "3 mg");
    expect(boxes.length).toBeGreaterThan(0);
    for (const { y0, y1 } of boxes) {
      expect(y0 * 842).toBeGreaterThan(842 - 640 - 12);
      expect(y1 * 842).toBeLessThan(842 - 640 + 6);
    }
    expect(Math.min(...boxes.map(({ x0 }) => x0 * 595))).toBeCloseTo(60, 0);
  });
});
