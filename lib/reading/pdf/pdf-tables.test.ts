import { type PDFPage, rgb } from "pdf-lib";
import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { pdf } from "@/lib/testing/document-files";
import { drawColumn, drawTable, pdfPage } from "@/lib/testing/pdf-files";
import { withColumnNames } from "@/lib/text/tables";
import { decodeBoxes } from "../page-boxes";
import type { ReadDocument } from "../parse/read-task";

afterAll(closeParserPool);

function read(bytes: Uint8Array): Promise<ReadDocument> {
  return readDocument({ bytes, name: null, title: null, mediaType: null });
}

const HEAD = ["Drug", "Dose", "Days"];
const rowsOf = (page: number, count: number) =>
  Array.from({ length: count }, (_, at) => [`Drug ${page}-${at}`, `${at + page}5`, `${at + 3}`]);
const place = (column: number, row: number) => ({ x: 60 + column * 120, y: 700 - row * 16 });

/** Rules around each cell of a table of three columns. A first row of one cell reaches across them. */
function drawRules(page: PDFPage, rows: readonly (readonly string[])[]): void {
  const bottom = 712 - rows.length * 16;
  for (let y = 712; y >= bottom; y -= 16) {
    page.drawLine({ start: { x: 55, y }, end: { x: 415, y } });
  }
  for (const x of [55, 175, 295, 415]) {
    const top = rows[0]?.length === 1 && x > 55 && x < 415 ? 696 : 712;
    page.drawLine({ start: { x, y: top }, end: { x, y: bottom } });
  }
}

describe("a table without rules", () => {
  it("names its columns by heads that are set off from the values, below a caption with a gap", async () => {
    const bytes = await pdf(1, (page, _, { plain }) => {
      const at = (x: number, y: number, text: string) =>
        page.drawText(text, { x, y, size: 10, font: plain });
      at(60, 736, "Table 7.");
      at(110, 736, "Pupils of each kind in all public schools of the country");
      for (const [column, name] of ["Total", "Hispanic", "Two or more"].entries()) {
        at(170 + column * 130, 712, name);
      }
      at(60, 700, "Year");
      for (let row = 0; row < 8; row += 1) {
        at(60, 684 - row * 16, String(1996 + row));
        for (const column of [0, 1, 2]) {
          at(190 + column * 130 - column * 14, 684 - row * 16, `${column + 1},${200 + row}`);
        }
      }
    });
    const text = withColumnNames((await read(bytes)).text);
    expect(text).toMatch(/^Table 7\. Pupils of each kind/);
    expect(text).toContain("| Year: 1996 | Total: 1,200 | Hispanic: 2,200 | Two or more: 3,200 |");
    expect(text).toContain("| Year: 2003 | Total: 1,207 | Hispanic: 2,207 | Two or more: 3,207 |");
  });
});

describe("a table that isn't ruled", () => {
  it("has the titles of its parts as rows, also the one right below the names", async () => {
    const years = (from: number) => [0, 1, 2].map((at) => [`${from + at}`, `${at}5`, `${at}7`]);
    const rows = [["Year", "Girls", "Boys"], ["Actual"], ...years(2008), ["Projected"]];
    const bytes = await pdfPage((page, { plain }) => {
      drawTable(page, [...rows, ...years(2011)], { plain, bold: plain, place });
    });
    expect((await read(bytes)).text).toContain(
      "| Year | Girls | Boys |\n| --- | --- | --- |\n| Actual | | |\n| 2008 | 05 | 07 |\n",
    );
  });

  it("keeps its empty cells in place right above a list", async () => {
    const bytes = await pdfPage((page, { plain, bold }) => {
      const rows = [
        ["Drug", "Morning", "Noon", "Evening"],
        ["Aspivaril", "", "", "100 mg"],
        ["Bromexitol", "50 mg", "", ""],
        ["Cendrazine", "", "25 mg", "75 mg"],
      ];
      drawTable(page, rows, { plain, bold, place });
      for (const [at, text] of ["First clause about it.", "Second clause."].entries()) {
        const y = 632 - at * 16;
        page.drawText(`${at + 1}.`, { x: 70, y, size: 10, font: plain });
        page.drawText(text, { x: 90, y, size: 10, font: plain });
      }
    });
    const { text } = await read(bytes);
    expect(text).toContain("| Aspivaril | | | 100 mg |\n| Bromexitol | 50 mg | | |\n");
    expect(text).toContain("1. First clause about it.");
  });

  it("keeps the second line of a cell in its last row", async () => {
    const bytes = await pdfPage((page, { plain, bold }) => {
      const rows = [
        ["Drug", "Dose", "Notes"],
        ...rowsOf(1, 3).map(([a = "", b = ""]) => [a, b, "daily"]),
      ];
      drawTable(page, rows, { plain, bold, place });
      drawColumn(page, ["and at night"], { font: plain, x: 300, top: 640 });
    });
    expect((await read(bytes)).text).toMatch(/\| Drug 1-2 \| 35 \| daily and at night \|$/);
  });

  it("keeps the lines of wrapped cells in their row, where most lines have one cell", async () => {
    const rows = [
      [["Drug"], ["Dose"], ["Advice"]],
      [["Warfarin"], ["5 mg"], ["Check INR weekly", "during the first", "weeks of it"]],
      [["Digoxin"], ["125 µg"], ["Halve the dose in", "renal failure and", "monitor"]],
      [["Heparin", "sodium in", "syringes"], ["5000 IU"], ["None"]],
    ];
    const bytes = await pdfPage((page, { plain }) => {
      let y = 700;
      for (const row of rows) {
        for (const [column, lines] of row.entries()) {
          drawColumn(page, lines, { font: plain, x: 60 + column * 100, top: y });
        }
        y -= 12 * Math.max(...row.map(({ length }) => length)) + 1;
      }
    });
    expect((await read(bytes)).text).toBe(
      [
        "| Drug | Dose | Advice |\n| --- | --- | --- |",
        "| Warfarin | 5 mg | Check INR weekly during the first weeks of it |",
        "| Digoxin | 125 µg | Halve the dose in renal failure and monitor |",
        "| Heparin sodium in syringes | 5000 IU | None |",
      ].join("\n"),
    );
  });

  it("gives a cell halfway between two rows to both, and one over two columns to the first", async () => {
    const bytes = await pdfPage((page, { plain, bold }) => {
      const values = Array.from({ length: 6 }, (_, at) => ["", `Arm ${at}`, `${at}.5`, `${at}.7`]);
      const rows = [["Size", "Group", "Low", "High"], ...values.slice(0, 5)];
      drawTable(page, rows, {
        plain,
        bold,
        place: (x, y) => ({ x: 60 + x * 90, y: 700 - y * 12 }),
      });
      page.drawText("40", { x: 60, y: 682, size: 10, font: plain });
      page.drawText("Arm 9", { x: 150, y: 628, size: 10, font: plain });
      page.drawText("not known", { x: 260, y: 628, size: 10, font: plain });
    });
    const { text } = await read(bytes);
    expect(text).toContain("| 40 | Arm 0 | 0.5 | 0.7 |\n| 40 | Arm 1 | 1.5 | 1.7 |");
    expect(text).toMatch(/\| {1,2}\| Arm 9 \| not known \|/);
  });
});

describe("a ruled table with colored rows and no rules between them", () => {
  /** Only some rules: between columns, and around rows `from` to the last one. */
  const shadedTable = (rows: string[][], { from, bars }: { from: number; bars: number[] }) =>
    pdfPage((page, { plain }) => {
      for (const bar of bars) {
        const color = rgb(0.5, 0.7, 0.9);
        page.drawRectangle({ x: 60, y: 700 - bar * 16, width: 360, height: 16, color });
      }
      for (const x of [180, 300]) {
        page.drawLine({ start: { x, y: 716 }, end: { x, y: 716 - rows.length * 16 } });
      }
      for (let row = from; row <= rows.length; row += 1) {
        page.drawLine({ start: { x: 60, y: 716 - row * 16 }, end: { x: 420, y: 716 - row * 16 } });
      }
      const at = (column: number, row: number) => ({ x: 64 + column * 120, y: 704 - row * 16 });
      drawTable(page, rows, { plain, bold: plain, place: at });
    });
  const ROWS = [
    ["Group", "Before", "After"],
    ["Class", "First kind", "Second kind"],
    ["Basis", "Spread by water", "Spread by air"],
    ["Code", "None given", "Some given"],
  ];

  it("has names in the colored first row, which isn't part of the next one", async () => {
    const { text } = await read(await shadedTable(ROWS, { from: 2, bars: [0] }));
    expect(text).toContain(
      "| Group | Before | After |\n| --- | --- | --- |\n| Class | First kind | Second kind |\n",
    );
  });

  it("has no names in a first row that is colored as every other one", async () => {
    const { text } = await read(await shadedTable(ROWS, { from: 2, bars: [0, 2] }));
    expect(text).toContain("| Group | Before | After |\n| Class | First kind | Second kind |\n");
  });
});

describe("a table with rules in its head only", () => {
  it("keeps a line in its cell that reaches below the next column's name", async () => {
    const rows = [1, 2, 3, 4].map((at) => [`Drug ${at}`, "Given by mouth", `${at}05`]);
    const bytes = await pdfPage((page, { plain, bold }) => {
      page.drawRectangle({ x: 50, y: 560, width: 370, height: 160, borderWidth: 1 });
      page.drawLine({ start: { x: 50, y: 696 }, end: { x: 420, y: 696 } });
      for (const x of [140, 300]) {
        page.drawLine({ start: { x, y: 720 }, end: { x, y: 696 } });
      }
      const xs = [60, 150, 390];
      const table = [["Drug", "Route", "Dose"], ...rows];
      const placed = (column: number, row: number) => ({ x: xs[column] ?? 0, y: 704 - row * 28 });
      drawTable(page, table, { plain, bold, place: placed });
      const second = "with a glass of water, or with the first meal";
      drawColumn(page, [second], { font: plain, x: 150, top: 608 });
    });
    const { text } = await read(bytes);
    expect(text).toContain("| Drug 2 | Given by mouth | 205 |\n");
    expect(text).toContain(
      "| Drug 3 | Given by mouth with a glass of water, or with the first meal | 305 |\n",
    );
  });

  it("has the first row apart from the names, although rules are only between other rows", async () => {
    const rows = Array.from({ length: 6 }, (_, at) => [`Drug ${at}`, `kind ${at}`, `${at}05`]);
    const bytes = await pdfPage((page, { plain }) => {
      drawTable(page, [["Drug", "Kind", "Dose"], ...rows], { plain, bold: plain, place });
      for (const row of [-1, 1, 2, 3, 4, 5, 6]) {
        const y = 697 - row * 16;
        page.drawLine({ start: { x: 60, y }, end: { x: 400, y } });
      }
    });
    expect((await read(bytes)).text).toContain(
      "| Drug | Kind | Dose |\n| --- | --- | --- |\n| Drug 0 | kind 0 | 005 |\n| Drug 1 |",
    );
  });
});

describe("a table that continues on the next page", () => {
  it("names its columns on every page, and loses no row at its edges", async () => {
    const bytes = await pdf(3, (page, number, { plain, bold }) => {
      // The first row is drawn in bold: it names the columns only on the first page.
      const body = rowsOf(number, 12);
      const rows = number === 1 ? [HEAD, ...body] : body;
      drawTable(page, rows, { plain, bold: number === 1 ? bold : plain, place });
      drawColumn(page, [`Page ${number}`], { font: plain, x: 60, top: 40 });
    });
    const text = withColumnNames((await read(bytes)).text);
    expect(text).toContain("| Drug: Drug 1-0 | Dose: 15 | Days: 3 |");
    expect(text).toContain("| Drug: Drug 2-0 | Dose: 25 | Days: 3 |");
    expect(text).toContain("| Drug: Drug 3-11 | Dose: 145 | Days: 14 |");
    expect(text.match(/^\|/gm)).toHaveLength(36);
  });

  it("isn't mixed up with another one below prose", async () => {
    const bytes = await pdf(2, (page, number, { plain, bold }) => {
      const rows = number === 1 ? [HEAD, ...rowsOf(number, 12)] : rowsOf(number, 12);
      if (number === 2) {
        const line = "Another table follows, which is about something else, as this sentence says.";
        drawColumn(page, [line, line, line], { font: plain, x: 60, top: 780 });
      }
      drawTable(page, rows, { plain, bold: number === 1 ? bold : plain, place });
    });
    expect((await read(bytes)).text).toContain("| Drug 2-0 | 25 | 3 |");
  });

  it.each(["bold", "plain"] as const)("has a %s title across its names once", async (font) => {
    const title = "Doses of the second arm";
    const bytes = await pdf(2, (page, number, { plain, bold }) => {
      const rows = number === 1 ? [[title], HEAD, ...rowsOf(1, 8)] : rowsOf(2, 8);
      drawRules(page, rows);
      drawTable(page, rows, { plain, bold: number === 1 && font === "bold" ? bold : plain, place });
    });
    const { text, pageBoxes } = await read(bytes);
    expect(text.split(title)).toHaveLength(2);
    expect(text).toMatch(/^Doses of the second arm\n\n\| Drug \| Dose \| Days \|/);
    expect(withColumnNames(text)).toContain("| Drug: Drug 2-0 | Dose: 25 | Days: 3 |");
    const boxes = pageBoxes.map((page) => decodeBoxes(page, { start: 0, end: title.length }));
    expect(boxes.flat().length).toBeGreaterThan(0);
    expect(Math.max(...boxes.flat().map(({ y1 }) => y1)) * 842).toBeLessThan(842 - 696);
  });

  it("has its caption with each of its passages", async () => {
    const caption = "Table 4: Doses in the second arm";
    const bytes = await pdf(3, (page, number, { plain, bold }) => {
      if (number === 1) {
        drawColumn(page, [caption], { font: plain, x: 60, top: 730 });
      }
      const body = rowsOf(number, 36);
      const rows = number === 1 ? [HEAD, ...body] : body;
      drawTable(page, rows, { plain, bold: number === 1 ? bold : plain, place });
    });
    const { chunks } = await read(bytes);
    const ofTable = chunks.filter(({ text }) => text.startsWith("|"));
    expect(ofTable.length).toBeGreaterThan(1);
    expect(ofTable.map(({ headings }) => headings)).toEqual(ofTable.map(() => [caption]));
  });
});

describe("a cell of several lines", () => {
  it("continues at an indent below its first column, without the hyphen of its break", async () => {
    const bytes = await pdfPage((page, { plain }) => {
      const entries = [
        ["12.1", "Persons required to register."],
        ["12.2", "Time and method of payment; re-", "fund."],
        ["12.3", "Exemption of agents and of employ-", "ees who are not paid."],
        ["12.4", "Filing of application."],
      ];
      let y = 700;
      for (const [number = "", ...lines] of entries) {
        page.drawText(number, { x: 60, y, size: 10, font: plain });
        for (const [at, line] of lines.entries()) {
          page.drawText(line, { x: at === 0 ? 110 : 75, y, size: 10, font: plain });
          y -= 12;
        }
      }
    });
    const { text } = await read(bytes);
    expect(text).toContain("| 12.2 | Time and method of payment; refund. |");
    expect(text).toContain("| 12.3 | Exemption of agents and of employees who are not paid. |");
  });
});

describe("a frame around columns of prose", () => {
  it("is no table: each column is read for itself, as is the text in a colored margin", async () => {
    const lines = (name: string) =>
      Array.from({ length: 9 }, (_, at) => `${at ? "and" : "The"} ${name} ${at} goes on in words`);
    const bytes = await pdfPage((page, { plain }) => {
      page.drawRectangle({ x: 400, y: 200, width: 150, height: 500, borderWidth: 1 });
      for (const y of [700, 500]) {
        page.drawLine({ start: { x: 40, y }, end: { x: 550, y }, thickness: 1 });
      }
      drawColumn(page, lines("side"), { font: plain, x: 50, top: 680, size: 7 });
      drawColumn(page, lines("main"), { font: plain, x: 180, top: 680 });
      drawColumn(page, lines("margin"), { font: plain, x: 410, top: 676, size: 8 });
    });
    const { text } = await read(bytes);
    for (const name of ["side", "main", "margin"]) {
      expect(text).toContain(lines(name).join(" "));
    }
  });
});

describe("numbers of lines", () => {
  it("don't interrupt the text beside them", async () => {
    const lines = Array.from(
      { length: 20 },
      (_, at) => `${at ? "goes" : "It"} on for a whole line of prose`,
    );
    const bytes = await pdfPage((page, { plain }) => {
      drawColumn(page, lines, { font: plain, x: 90, top: 700 });
      const numbers = lines.map((_, at) => String(at + 1));
      drawColumn(page, numbers, { font: plain, x: 50, top: 700 });
    });
    expect((await read(bytes)).text).toContain(lines.join(" "));
  });
});

describe("the confidence of a page", () => {
  it("is given for each page with text", async () => {
    const bytes = await pdf(3, (page, number, { plain }) => {
      const lines = number === 2 ? [] : [`A line of page ${number}.`];
      drawColumn(page, lines, { font: plain, x: 60, top: 700 });
    });
    const { pageConfidence, warnings } = await read(bytes);
    expect(pageConfidence).toEqual([1, null, 1]);
    expect(warnings.map(({ code }) => code)).toEqual(["pages_without_text"]);
  });
});
