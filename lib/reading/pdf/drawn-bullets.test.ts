import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { pdfPage } from "@/lib/testing/pdf-files";

afterAll(closeParserPool);

describe("bullets that a page draws as shapes", () => {
  it("begin items, unlike a dot between words and one of another size", async () => {
    const lines = ["Review the inhaler.", "Step down", "after three months.", "Come back."];
    const bytes = await pdfPage((page, { plain }) => {
      for (const [at, text] of lines.entries()) {
        page.drawText(text, { x: 80, y: 700 - at * 13, size: 10, font: plain });
      }
      page.drawText("Not an item, with a dot before a word.", {
        x: 80,
        y: 600,
        size: 10,
        font: plain,
      });
      for (const [x, row] of [
        [70, 0],
        [70, 1],
        [70, 3],
      ] as const) {
        page.drawCircle({ x, y: 703 - row * 13, size: 1.5 });
      }
      page.drawCircle({ x: 120, y: 603, size: 1.5 });
      page.drawCircle({ x: 70, y: 603, size: 2.5 });
    });
    const { text } = await readDocument({ bytes, name: null, title: null, mediaType: null });
    expect(text).toBe(
      "- Review the inhaler.\n- Step down after three months.\n- Come back.\n\nNot an item, with a dot before a word.",
    );
  });

  it("aren't the points of a plot, of which some are in its legend", async () => {
    const bytes = await pdfPage((page, { plain }) => {
      for (const [at, text] of ["First arm", "Second arm"].entries()) {
        page.drawText(text, { x: 80, y: 700 - at * 13, size: 10, font: plain });
        page.drawCircle({ x: 70, y: 703 - at * 13, size: 1.5 });
      }
      for (let point = 0; point < 5; point += 1) {
        page.drawCircle({ x: 100 + point * 30, y: 500 + point * 9, size: 1.5 });
      }
    });
    const { text } = await readDocument({ bytes, name: null, title: null, mediaType: null });
    expect(text).toBe("First arm Second arm");
  });
});
