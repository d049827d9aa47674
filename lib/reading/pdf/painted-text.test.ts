import {
  degrees,
  PDFName,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  PDFString,
  rgb,
} from "pdf-lib";
import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { WHITE } from "@/lib/testing/document-files";
import { pdfPage } from "@/lib/testing/pdf-files";

afterAll(closeParserPool);

async function read(bytes: Uint8Array) {
  const file = await readDocument({ bytes, name: "x.pdf", title: null, mediaType: null });
  return { ...file, codes: file.warnings.map(({ code }) => code) };
}

const LINES = [
  "The patient was given 5 mg of bisoprolol in the morning.",
  "Blood pressure fell to 110/70 mmHg within two days.",
  "Furosemide was reduced from 40 mg to 20 mg on Monday.",
];

/** Lines of words, each word at its place, that rise by an angle. */
function drawSlanted(
  page: PDFPage,
  font: Parameters<PDFPage["drawText"]>[1] & object,
  angle: number,
) {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  for (const [at, line] of LINES.entries()) {
    let along = 0;
    for (const word of line.split(" ")) {
      const x = 60 + along * cos + at * 15 * sin;
      const y = 500 + along * sin - at * 15 * cos;
      page.drawText(word, { x, y, size: 11, rotate: degrees(angle), ...font });
      along += font.font?.widthOfTextAtSize(`${word} `, 11) ?? 0;
    }
  }
}

describe("slanted text", () => {
  it.each([-12, -5, -2, -1, -0.7, 0.5, 1, 1.5, 3, 8, 20])(
    "that rises by %d degrees is read line by line",
    async (angle) => {
      const { text } = await read(
        await pdfPage((page, { plain }) => drawSlanted(page, { font: plain }, angle)),
      );
      expect(text).toBe(LINES.join(" "));
    },
  );

  it.each([10, 25, 40, 50, 65, -35])(
    "across a page, at %d degrees, stays apart from the page's own",
    async (angle) => {
      const { text } = await read(
        await pdfPage((page, { plain, bold }) => {
          page.drawText("CONFIDENTIAL COPY", {
            ...{ x: 80, y: angle < 0 ? 560 : 440, size: 44, font: bold },
            ...{ rotate: degrees(angle), color: rgb(0.8, 0.8, 0.8) },
          });
          drawSlanted(page, { font: plain }, 0);
        }),
      );
      expect(text.split("\n\n").sort()).toEqual([LINES.join(" "), "CONFIDENTIAL COPY"].sort());
    },
  );

  it("has its boxes where it is shown", async () => {
    const { pageBoxes } = await read(
      await pdfPage((page, { plain }) => drawSlanted(page, { font: plain }, 3)),
    );
    expect(pageBoxes).toHaveLength(1);
  });
});

describe("text that a reader doesn't see", () => {
  it("because a shape was painted over it is left out and counted", async () => {
    const { text, codes } = await read(
      await pdfPage((page, { plain }) => {
        for (const [x, words] of Object.entries({
          60: "Vincristine",
          120: "20 mg",
          160: "on day 1.",
        })) {
          page.drawText(words, { x: Number(x), y: 700, size: 11, font: plain });
        }
        page.drawRectangle({ x: 118, y: 696, width: 40, height: 14, color: WHITE });
        page.drawText("2 mg", { x: 122, y: 700, size: 11, font: plain });
        page.drawText("Born on 3 May.", { x: 60, y: 660, size: 11, font: plain });
        page.drawRectangle({ x: 55, y: 655, width: 120, height: 16, color: rgb(0, 0, 0) });
      }),
    );
    expect(text).not.toMatch(/20|May/);
    expect(text).toBe("Vincristine 2 mg on day 1.");
    expect(codes).toContain("covered_text");
  });

  it("isn't text on a shape, below a transparent one, or below an outline", async () => {
    const { text, codes } = await read(
      await pdfPage((page, { plain }) => {
        page.drawRectangle({ x: 50, y: 690, width: 200, height: 30, color: rgb(0.9, 0.9, 0.5) });
        page.drawText("Give 5 mg daily.", { x: 60, y: 700, size: 11, font: plain });
        page.drawRectangle({
          x: 50,
          y: 690,
          width: 200,
          height: 30,
          color: rgb(1, 1, 0),
          opacity: 0.4,
        });
        page.drawRectangle({ x: 50, y: 690, width: 200, height: 30, borderWidth: 1 });
      }),
    );
    expect(text).toBe("Give 5 mg daily.");
    expect(codes).not.toContain("covered_text");
  });

  it.each([true, false])("because its layer is off (%s) is left out and counted", async (isOff) => {
    const { text, codes } = await read(
      await pdfPage((page, { plain }, document) => {
        const { context } = document;
        const layer = context.register(context.obj({ Type: "OCG", Name: PDFString.of("Old") }));
        document.catalog.set(
          PDFName.of("OCProperties"),
          context.obj({ OCGs: [layer], D: { OFF: isOff ? [layer] : [], Order: [layer] } }),
        );
        page.drawText("Give 5 mg daily.", { x: 60, y: 700, size: 11, font: plain });
        page.node
          .normalizedEntries()
          .Resources.set(PDFName.of("Properties"), context.obj({ L: layer }));
        page.pushOperators(
          PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [
            PDFName.of("OC"),
            PDFName.of("L"),
          ]),
        );
        page.drawText("Give 50 mg daily.", { x: 60, y: 680, size: 11, font: plain });
        page.pushOperators(PDFOperator.of(PDFOperatorNames.EndMarkedContent));
      }),
    );
    expect(text.includes("50 mg")).toBe(!isOff);
    expect(codes.includes("layers_left_out")).toBe(isOff);
  });
});

describe("letters with a negative size", () => {
  it.each(["/F1 -12 Tf -1 0 0 -1 60 700 Tm", "/F1 -12 Tf -100 Tz 1 0 0 -1 60 700 Tm"])(
    "are read as any others: %s",
    async (state) => {
      const { text } = await read(
        await pdfPage((page, { plain }, document) => {
          const key = page.node.newFontDictionary("F", plain.ref);
          const stream = document.context.stream(
            `BT ${state.replace("/F1", key.toString())} (Bisoprolol 10 mg in 2022) Tj ET`,
          );
          page.node.addContentStream(document.context.register(stream));
        }),
      );
      expect(text).toBe("Bisoprolol 10 mg in 2022");
    },
  );
});
