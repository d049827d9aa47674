import {
  PDFDocument,
  type PDFFont,
  type PDFPage,
  StandardFonts,
  setTextRenderingMode,
  TextRenderingMode,
} from "pdf-lib";
import { describe, expect, it } from "vitest";
import { scanPng } from "@/lib/testing/scans";
import type { RecognizedPage } from "../ocr/recognized-page";
import { parsePdf } from "../pdf/parse-pdf";
import { type Block, paragraph, toParsedFile } from "./block";
import { withRecognized } from "./scans";

const LIMITS = {
  ...{ maxPages: 10, maxExpandedBytes: 10_000_000 },
  ...{ maxChunks: 100, chunkTokens: 400, overlapTokens: 60 },
};
const SIZE = { width: 595, height: 842 };
const LINE = "Every patient of this ward is weighed before breakfast on each day of the week.";

/** The pages without usable text of a PDF with a picture over one page, in one piece or in strips, and text over it. */
async function scansOf(
  draw: (page: PDFPage, font: PDFFont) => void,
  strips = 1,
): Promise<number[] | undefined> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const image = await document.embedPng(await scanPng([LINE, LINE]));
  const page = document.addPage([SIZE.width, SIZE.height]);
  const height = (SIZE.height - 100) / strips;
  for (let at = 0; at < strips; at += 1) {
    page.drawImage(image, { x: 0, y: 50 + at * height, width: SIZE.width, height });
  }
  draw(page, font);
  return (await parsePdf(await document.save(), LIMITS)).scans;
}

function drawAll(page: PDFPage, font: PDFFont, lines: readonly string[], size = 10): void {
  for (const [at, line] of lines.entries()) {
    page.drawText(line, { x: 60, y: 810 - at * size * 1.4, size, font });
  }
}

describe("a page whose body is a picture", () => {
  const heads = [
    "St. Bartholomew's Hospital, Department of Internal Medicine, Ward 3",
    "Received by the archive on 14 March 2025, number 2025/03/118, copy 2 of 3, not for release",
  ];

  it("has its text recognized although running heads, stamps and a watermark stand on it", async () => {
    const draw = (page: PDFPage, font: PDFFont) => {
      drawAll(page, font, heads);
      page.drawText("CONFIDENTIAL DRAFT", { x: 60, y: 400, size: 48, font });
    };
    expect(await scansOf(draw)).toEqual([1]);
    expect(await scansOf(draw, 8)).toEqual([1]);
  });

  it("keeps its own text if there is more than a header, or if it is a recognized scan's hidden text", async () => {
    const lines = Array.from({ length: 14 }, () => LINE);
    expect(await scansOf((page, font) => drawAll(page, font, lines))).toEqual([]);
    const slide = ["What this talk is about", "The weight of patients over the years", LINE];
    expect(await scansOf((page, font) => drawAll(page, font, slide, 14))).toEqual([1]);
    const bullets = [...slide, ...slide].map((line) => line.slice(0, 48));
    expect(await scansOf((page, font) => drawAll(page, font, bullets, 22))).toEqual([]);
    const unseen = (page: PDFPage, font: PDFFont) => {
      page.pushOperators(setTextRenderingMode(TextRenderingMode.Invisible));
      drawAll(page, font, [LINE, LINE, LINE]);
    };
    expect(await scansOf(unseen)).toEqual([]);
  });
});

describe("recognized text", () => {
  const own: Block = { ...paragraph("The title of this talk, in letters"), page: 1 };
  const file = { ...toParsedFile([own]), pages: 1, emptyPages: 0 };
  const textsOf = (text: string, confidence: number, mode?: "force") => {
    const block = { ...paragraph(text), page: 1, uncertain: [] };
    const page: RecognizedPage = { page: 1, blocks: [block], language: "eng" };
    const recognition = { pages: [page], leftOut: 0, fault: null };
    const read = withRecognized({ ...file, confidence: [confidence] }, recognition, mode);
    return read.blocks.map((each) => each.text);
  };

  it("replaces a page's own if it is more, if the page's is garbled, or if it is forced", () => {
    const more = `The title of this talk, in letters. ${LINE}`;
    expect(textsOf(more, 1)).toEqual([more]);
    expect(textsOf("The tit1e", 1)).toEqual([own.text]);
    expect(textsOf("The tit1e", 0.5)).toEqual(["The tit1e"]);
    expect(textsOf("The tit1e", 1, "force")).toEqual(["The tit1e"]);
  });
});
