import { StandardFonts } from "pdf-lib";
import { afterAll, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { drawColumn, pdfPage } from "@/lib/testing/pdf-files";
import { decodeBoxes } from "../page-boxes";

afterAll(closeParserPool);

const PROSE = [
  "This paragraph comes before the listing and is as wide as the page",
  "allows, so it wraps onto a second line.",
];
const CODE = ["def dose(kg):", "    # at most", "    if kg > 20:", "        return 100"];

async function read(code: readonly string[]) {
  const bytes = await pdfPage((page, { plain }, document) => {
    const font = document.embedStandardFont(StandardFonts.Courier);
    drawColumn(page, PROSE, { font: plain, x: 60, top: 760, size: 11 });
    drawColumn(page, code, { font, x: 60, top: 710, size: 9 });
    drawColumn(page, ["Then the prose resumes."], { font: plain, x: 60, top: 620, size: 11 });
  });
  return readDocument({ bytes, name: null, title: null, mediaType: null });
}

it("keeps the lines and the indentation of code in a PDF, with the places of its words", async () => {
  const { text, pageBoxes } = await read(CODE);
  expect(text).toBe(
    [PROSE.join(" "), `\`\`\`\n${CODE.join("\n")}\n\`\`\``, "Then the prose resumes."].join("\n\n"),
  );
  const start = text.indexOf("def");
  const [page = { page: 1, boxes: new Uint8Array() }] = pageBoxes;
  const boxes = decodeBoxes(page, { start, end: start + 3 });
  expect(boxes).toMatchObject([{ start, end: start + 3 }]);
});

it("joins the lines of typewritten prose", async () => {
  const prose = ["The patient was seen on Monday and", "had no fever on that day."];
  expect((await read(prose)).text).toContain(prose.join(" "));
});
