import { degrees, PDFDocument, rgb } from "pdf-lib";
import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { drawLines, pdf } from "@/lib/testing/document-files";
import {
  addBorrowedText,
  addFreeText,
  drawColumn,
  drawTable,
  japanesePdf,
  pdfPage,
  rightToLeftPdf,
} from "@/lib/testing/pdf-files";
import { withColumnNames } from "@/lib/text/tables";
import type { ReadDocument } from "../parse/read-task";

afterAll(closeParserPool);

function read(bytes: Uint8Array): Promise<ReadDocument> {
  return readDocument({ bytes, name: null, title: null, mediaType: null });
}

const LEFT = [
  "Retrieval methods have thus never been",
  "shown to outperform a plain index on this",
  "task, and the gap between both remains",
  "large. We study when dense vectors help,",
  "and when the words themselves are enough",
  "to find the paragraph that has the answer.",
];
const RIGHT = [
  "The second column begins with a sentence",
  "that follows the first column only when it",
  "is read down to its end. Each of its lines",
  "stands beside a line of the other column,",
  "and a reader who goes straight across the",
  "page would tear every one of them apart.",
];

describe("a page in two columns", () => {
  it("is read column by column below a title that spans both, and above a footnote that does", async () => {
    const bytes = await pdfPage((page, { plain, bold }) => {
      page.drawText("A title that stands across both of the columns", {
        x: 120,
        y: 780,
        size: 16,
        font: bold,
      });
      drawColumn(page, LEFT, { font: plain, x: 60, top: 720 });
      drawColumn(page, RIGHT, { font: plain, x: 310, top: 714 });
      page.drawText(
        "A footnote that runs below the left column and below the right one, straddling the gap.",
        {
          x: 60,
          y: 600,
          size: 8,
          font: plain,
        },
      );
    });
    const { text } = await read(bytes);
    const parts = [
      "A title",
      "Retrieval methods",
      "has the answer",
      "The second column",
      "them apart",
      "A footnote",
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text).toContain(RIGHT.join(" "));
  });

  it("is read column by column although the file draws it line by line", async () => {
    const bytes = await pdfPage((page, { plain }) => {
      for (const [at, left] of LEFT.entries()) {
        const y = 720 - at * 12;
        page.drawText(left, { x: 60, y, size: 10, font: plain });
        page.drawText(RIGHT[at] ?? "", { x: 275, y, size: 10, font: plain });
      }
    });
    expect((await read(bytes)).text).toContain(LEFT.join(" "));
  });
});

const CARE = [
  ["Drug", "Morning", "Noon", "Evening"],
  ["Aspivaril", "", "", "100 mg"],
  ["Betanol", "20 mg", "", "20 mg"],
  ["Cordexin", "5 mg", "5 mg", ""],
];
const NAMED_CARE = [
  "| Drug: Aspivaril | Evening: 100 mg |",
  "| Drug: Betanol | Morning: 20 mg | Evening: 20 mg |",
  "| Drug: Cordexin | Morning: 5 mg | Noon: 5 mg |",
].join("\n");

describe("a table", () => {
  it("without rules keeps values in their columns where cells are empty", async () => {
    const bytes = await pdfPage((page, fonts) => {
      drawTable(page, CARE, {
        ...fonts,
        place: (column, row) => ({ x: 60 + column * 110, y: 700 - row * 18 }),
      });
    });
    expect(withColumnNames((await read(bytes)).text)).toBe(NAMED_CARE);
  });

  it("with ruled cells keeps the lines of a cell together", async () => {
    const bytes = await pdfPage((page, fonts) => {
      const rows = [
        ["Drug", "Note", "Dose"],
        ["Aspivaril", "", "100 mg"],
        ["Betanol", "Take with\na meal", ""],
      ];
      for (let line = 0; line <= 3; line += 1) {
        const [x, y] = [55 + line * 100, 720 - line * 40];
        page.drawLine({ start: { x: 55, y }, end: { x: 355, y } });
        page.drawLine({ start: { x, y: 720 }, end: { x, y: 600 } });
      }
      drawTable(page, rows, {
        ...fonts,
        place: (column, row) => ({ x: 60 + column * 100, y: 705 - row * 40 }),
      });
    });
    expect(withColumnNames((await read(bytes)).text)).toBe(
      "| Drug: Aspivaril | Dose: 100 mg |\n| Drug: Betanol | Note: Take with a meal |",
    );
  });

  it.each([
    { angle: 90, place: (x: number, y: number) => ({ x: y, y: x }) },
    { angle: 180, place: (x: number, y: number) => ({ x: 595 - x, y }) },
    { angle: 270, place: (x: number, y: number) => ({ x: 595 - y, y: 842 - x }) },
  ])("on a page turned by $angle degrees is read as it is seen", async ({ angle, place }) => {
    const bytes = await pdfPage((page, fonts) => {
      page.setRotation(degrees(angle));
      drawTable(page, CARE, {
        ...fonts,
        angle,
        place: (column, row) => place(60 + column * 110, 100 + row * 18),
      });
    });
    expect(withColumnNames((await read(bytes)).text)).toBe(NAMED_CARE);
  });
});

describe("text that isn't Latin", () => {
  it("in a font that isn't embedded is read by its predefined map", async () => {
    // Nihongo, "Japanese", in Shift-JIS.
    const { text } = await read(await japanesePdf("93fa967b8cea82cc95b68f91"));
    expect(text).toBe("日本語の文書");
  });

  it("in a font that isn't embedded is read by the numbers of its collection", async () => {
    const bytes = await pdfPage((page, { plain }, document) => {
      page.drawText("The first line.", { x: 60, y: 780, size: 10, font: plain });
      addBorrowedText(page, document, { lines: 12, ordering: "Japan1" });
    });
    const { text, warnings } = await read(bytes);
    expect(text).toContain("The first line.");
    expect(text.match(/厭/g)).toHaveLength(12);
    expect(warnings).toEqual([]);
  });

  it("is reported as hidden if it is white, also in a font that isn't embedded", async () => {
    const bytes = await pdfPage((page, { plain }, document) => {
      page.drawText("The first line.", { x: 60, y: 780, size: 10, font: plain });
      addBorrowedText(page, document, { lines: 12, ordering: "Japan1", isWhite: true });
    });
    expect((await read(bytes)).warnings.map(({ code }) => code)).toEqual(["hidden_text"]);
  });

  it("in a font that is neither embedded nor known is reported as missing", async () => {
    const bytes = await pdfPage((page, { plain }, document) => {
      page.drawText("The first line.", { x: 60, y: 780, size: 10, font: plain });
      addBorrowedText(page, document, { lines: 12, ordering: "Identity" });
    });
    const { pageConfidence, warnings } = await read(bytes);
    expect(warnings).toEqual([
      { code: "suspect_encoding", message: expect.any(String) },
      { code: "low_page_confidence", message: expect.stringContaining("these pages") },
    ]);
    expect(pageConfidence?.[0]).toBeLessThan(0.5);
  });

  it("has its accents on its letters, though the file draws them by themselves", async () => {
    const bytes = await pdfPage((page, { plain }) => {
      for (const [text, x] of [
        ["S", 60],
        ["ackinger", 66.7],
        ["\u00a8", 61.7],
      ] as const) {
        page.drawText(text, { x, y: 700, size: 10, font: plain });
      }
    });
    expect((await read(bytes)).text).toBe("S\u0308ackinger".normalize("NFC"));
  });

  it("from right to left is read in the order of its words and letters", async () => {
    const { text } = await read(await rightToLeftPdf(["שלום", "לכל", "העולם"]));
    expect(text).toBe("שלום לכל העולם");
  });
});

describe("what is filled in", () => {
  it("stands beside its label: values of fields, ticked boxes, and text typed on the page", async () => {
    const bytes = await pdfPage((page, { plain }, document) => {
      const form = document.getForm();
      drawColumn(page, ["Name:"], { font: plain, x: 60, top: 700 });
      const name = form.createTextField("name");
      name.setText("Ada Lovelace");
      name.addToPage(page, { x: 110, y: 695, width: 200, height: 16 });
      drawColumn(page, ["Adult:"], { font: plain, x: 60, top: 660 });
      const adult = form.createCheckBox("adult");
      adult.addToPage(page, { x: 110, y: 656, width: 12, height: 12 });
      adult.check();
      const secret = form.createTextField("secret");
      secret.setText("hunter2");
      secret.enablePassword();
      secret.addToPage(page, { x: 110, y: 600, width: 200, height: 16 });
      addFreeText(page, document, "Approved on 3 March.");
    });
    const { text } = await read(bytes);
    expect(text).toMatch(/Name: Ada Lovelace/);
    expect(text).toMatch(/Adult: ☑/);
    expect(text).toContain("Approved on 3 March.");
    expect(text).not.toContain("hunter2");
  });
});

describe("a document", () => {
  it("keeps the hyphen of a word that it also writes so, and no other at the end of a line", async () => {
    const bytes = await pdfPage((page, { plain }) => {
      const lines = [
        "The long-term results are given for patients in the long-",
        "term arm, and they were exam-",
        "ined twice.",
      ];
      drawColumn(page, lines, { font: plain, x: 60, top: 700 });
    });
    expect((await read(bytes)).text).toBe(
      "The long-term results are given for patients in the long-term arm, and they were examined twice.",
    );
  });

  it("has short bold lines as headings, and ends a list where its indent ends", async () => {
    const bytes = await pdfPage((page, { plain, bold }) => {
      page.drawText("Dosage", { x: 60, y: 720, size: 10, font: bold });
      drawColumn(
        page,
        ["Two things matter before a treatment begins, and both are easily forgotten:"],
        { font: plain, x: 60, top: 700 },
      );
      drawColumn(page, ["• the weight of the patient", "• the age of the patient"], {
        font: plain,
        x: 75,
        top: 684,
      });
      drawColumn(
        page,
        ["This paragraph follows the list and is no part of its last item, as its place shows."],
        { font: plain, x: 60, top: 658 },
      );
    });
    const { text, chunks } = await read(bytes);
    expect(chunks[0]?.headings).toEqual(["Dosage"]);
    expect(text).toContain(
      "- the weight of the patient\n- the age of the patient\n\nThis paragraph",
    );
  });

  it("keeps white text on a dark background, because it's visible", async () => {
    const bytes = await pdfPage((page, { plain }) => {
      page.drawRectangle({ x: 50, y: 690, width: 300, height: 30, color: rgb(0, 0, 0.5) });
      page.drawText("A light title", { x: 60, y: 700, size: 10, font: plain, color: rgb(1, 1, 1) });
      page.drawText("Nobody sees this.", {
        x: 60,
        y: 600,
        size: 10,
        font: plain,
        color: rgb(1, 1, 1),
      });
    });
    const { warnings } = await read(bytes);
    expect(warnings).toEqual([
      { code: "hidden_text", message: expect.stringContaining("1 passage that") },
    ]);
  });

  it("loses the lines that repeat from page to page, but not where they are much of a page", async () => {
    const fruits = ["An apple is red", "A lemon is sour", "A plum is blue"];
    const bytes = await pdf(5, (page, number, { plain }) => {
      const fruit = fruits[number - 1];
      const body = [...LEFT, ...RIGHT].map((line) => `${fruit}: ${line}`);
      const lines = fruit ? [fruit, ...body] : [["A figure"], []][number - 4];
      drawLines(page, ["The annual report"], { font: plain, top: 800 });
      drawLines(page, lines ?? [], { font: plain });
    });
    const { text, emptyPages } = await read(bytes);
    // The first page keeps it, because it may be the title.
    expect(text.match(/The annual report/g)).toHaveLength(3);
    expect(text).toMatch(/^The annual report\s+An apple is red/);
    expect(text).toContain("A plum is blue");
    expect(text).toMatch(/The annual report\s+A figure\s+The annual report$/);
    expect(emptyPages).toBe(0);
  });

  it("has a header at both edges above its columns, not at the top of each", async () => {
    const bytes = await pdfPage((page, { plain }) => {
      page.drawText("Ward rules", { x: 60, y: 736, size: 10, font: plain });
      page.drawText("Section 12", { x: 462, y: 736, size: 10, font: plain });
      drawColumn(page, LEFT, { font: plain, x: 60, top: 720 });
      drawColumn(page, RIGHT, { font: plain, x: 310, top: 720 });
    });
    const { text } = await read(bytes);
    expect(text).toMatch(/^Ward rules Section 12\s+Retrieval methods/);
  });

  it("with JavaScript and embedded files is its pages, and reports both", async () => {
    const document = await PDFDocument.create();
    document.addPage().drawText("What the page shows.", { x: 60, y: 700, size: 12 });
    document.addJavaScript("open", "app.alert('from the script');");
    await document.attach(Buffer.from("from the file"), "notes.txt", { mimeType: "text/plain" });
    const { text, warnings } = await read(await document.save());
    expect(text).toBe("What the page shows.");
    expect(warnings).toEqual([
      {
        code: "embedded_files_left_out",
        message: expect.stringMatching(/^1 file embedded in the PDF is/),
      },
      { code: "scripts_left_out", message: expect.stringMatching(/has 1 macro or script/) },
    ]);
  });
});
