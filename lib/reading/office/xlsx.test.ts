import { afterAll, describe, expect, it } from "vitest";
import { closeParserPool, readDocument } from "@/lib/library/documents/processes/parser-pool";
import { sheetNumber, sheetRow, workbook } from "@/lib/testing/office-files";
import { withColumnNames } from "@/lib/text/tables";
import { inspectArchive } from "../parse/archive";
import type { ReadDocument, ReadLimits } from "../parse/read-task";
import { parseXlsx } from "./xlsx";

afterAll(closeParserPool);

function read(bytes: Uint8Array): Promise<ReadDocument> {
  return readDocument({ bytes, name: "x.xlsx", title: null, mediaType: null });
}

async function rowsOf(sheet: string, more: Omit<Parameters<typeof workbook>[0], "sheet"> = {}) {
  const { text } = await read(workbook({ sheet: sheet, ...more }));
  return withColumnNames(text)
    .split("\n")
    .filter((line) => line.startsWith("|"));
}

const data = (...rows: string[]) => `<sheetData>${rows.join("")}</sheetData>`;

describe("a sheet's values", () => {
  it("are read as the sheet shows them", async () => {
    const formats = ["dd/mm/yyyy", "0.0%", '"€"#,##0.00', "hh:mm", 14, "[h]:mm", "@", "bad[["];
    const values = [45730, 0.025, 99.98999999999999, 0.6041666666666666, 45730, 1.5, 7, 3];
    const cells = values.map((value, index) => sheetNumber(value, index + 1));
    expect(await rowsOf(data(sheetRow("Shown", ...cells)), { formats })).toEqual([
      "| Shown | 14/03/2025 | 2.5% | €99.99 | 14:30 | 2025-03-14 | 36:00 | 7 | 3 |",
    ]);
  });

  it("have 15 digits without a format", async () => {
    const numbers = ["2.5000000000000001E-2", "0.30000000000000004", "1234567890123", "1e999"];
    expect(await rowsOf(data(sheetRow("n", ...numbers.map((each) => sheetNumber(each)))))).toEqual([
      "| n | 0.025 | 0.3 | 1234567890123 | 1e999 |",
    ]);
  });

  it("count days from 1904 if the workbook does", async () => {
    const rows = data(sheetRow("Day", sheetNumber(44268, 1), sheetNumber(5, 2)));
    const more = { is1904: true, formats: ["yyyy-mm-dd", "0.0"] };
    expect(await rowsOf(rows, more)).toEqual(["| Day | 2025-03-14 | 5.0 |"]);
  });

  it("of formulas are the saved ones, and missing ones are reported", async () => {
    const saved = '<c t="str"><f>A1</f><v>Saved</v></c>';
    const document = await read(
      workbook({ sheet: data(sheetRow(saved, "<c><f>SUM(B1)</f></c>", '<c t="b"><v>1</v></c>')) }),
    );
    expect(document.text).toContain("| Saved | | TRUE |");
    expect(document.warnings).toMatchObject([
      { code: "formulas_left_out", message: expect.stringMatching(/^1 formula has/) },
    ]);
  });

  it("keep their columns under empty, merged and grouped names", async () => {
    const rows = data(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>Doses of 2026</t></is></c></row>',
      '<row r="3"><c r="A3" t="inlineStr"><is><t>Drug</t></is></c><c r="B3" t="inlineStr"><is><t>Dose</t></is></c></row>',
      '<row r="4"><c r="B4" t="inlineStr"><is><t>Adults</t></is></c><c r="C4" t="inlineStr"><is><t>Children</t></is></c></row>',
      '<row r="5"><c r="A5" t="inlineStr"><is><t>Aspirin</t></is></c><c r="C5"><v>10</v></c></row>',
      '<row r="6"><c r="B6"><v>50</v></c><c r="E6"><v>1</v></c></row>',
    );
    const merges =
      '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A3:A4"/><mergeCell ref="B3:C3"/><mergeCell ref="A5:A6"/></mergeCells>';
    expect(await rowsOf(rows + merges)).toEqual([
      "| Doses of 2026 |",
      "| Drug: Aspirin | Dose / Children: 10 |",
      "| Drug: Aspirin | Dose / Adults: 50 | column 5: 1 |",
    ]);
  });

  it("are also read where the sheet hides a row or column, which is reported", async () => {
    const rows = data(
      sheetRow("Drug", "Code", "Dose"),
      sheetRow("Aspirin", "c1", "5 mg"),
      sheetRow("Old", "", "9 mg").replace("<row>", '<row hidden="1">'),
      '<row hidden="1"/>',
    );
    const sheet = `<cols><col min="2" max="2" hidden="1"/><col min="9" max="9" hidden="1"/></cols>${rows}`;
    const { text, warnings } = await read(workbook({ sheet }));
    expect(text).toContain("| Old | | 9 mg |");
    expect(warnings).toMatchObject([
      { code: "hidden_text", message: expect.stringContaining("2 passages") },
    ]);
  });

  it("are found by the workbook's relationships, whatever its parts are called", async () => {
    expect(await rowsOf(data(sheetRow("Found.")), { main: "xl/workbook22.xml" })).toEqual([
      "| Found. |",
    ]);
  });
});

describe("comments on cells", () => {
  const table = data(
    '<row r="2"><c r="B2" t="inlineStr"><is><t>Drug</t></is></c><c r="C2" t="inlineStr"><is><t>Evening</t></is></c></row>',
    '<row r="4"><c r="B4" t="inlineStr"><is><t>Aspirin</t></is></c><c r="C4"><v>100</v></c></row>',
  );
  const note = (ref: string, text: string) =>
    `<comment ref="${ref}" authorId="0"><text><r><rPr><b/></rPr><t>Ann: </t></r><r><t>${text}</t></r></text></comment>`;
  const thread = (ref: string, text: string) =>
    `<threadedComment ref="${ref}" personId="{1}" id="{2}"><text>${text}</text></threadedComment>`;
  const commentsIn = ({ text }: ReadDocument) =>
    text.split("\n").filter((line) => line.startsWith("[comment"));

  it("follow the sheet's table, in its order, with the row and column of their cell", async () => {
    const notes = [
      note("C4", "Only with food."),
      note("C2", "Doses in mg."),
      note("AB9", "Check."),
    ].join("");
    const document = await read(workbook({ sheet: table, notes }));
    expect(commentsIn(document)).toEqual([
      "[comment on C2, Drug, Evening] Ann: Doses in mg.",
      "[comment on C4, Aspirin, Evening: 100] Ann: Only with food.",
      "[comment on AB9] Ann: Check.",
    ]);
    expect(document.text.indexOf("[comment")).toBeGreaterThan(document.text.indexOf("Aspirin"));
  });

  it("with replies are read once, not with the note that repeats them", async () => {
    const document = await read(
      workbook({
        sheet: table,
        notes: note("C4", "[Threaded comment] Why 100? Halve it.") + note("B4", "Tablet."),
        threads: thread("C4", "Why 100?") + thread("C4", "Halve it."),
      }),
    );
    expect(commentsIn(document)).toEqual([
      "[comment on B4, Drug: Aspirin] Ann: Tablet.",
      "[comment on C4, Aspirin, Evening: 100] Why 100?",
      "[comment on C4, Aspirin, Evening: 100] Halve it.",
    ]);
  });
});

async function parse(bytes: Uint8Array, limits: Partial<ReadLimits>) {
  const most = { maxExpandedBytes: 1_000_000, maxPages: 1, maxChunks: 100, overlapTokens: 0 };
  const archive = await inspectArchive(bytes, 100_000);
  return parseXlsx(bytes, archive, { ...most, chunkTokens: 100, ...limits });
}

describe("a hostile workbook", () => {
  it("with more comments than may be read is read in part, and says so", async () => {
    const notes = '<comment ref="A1"><text><t>Check.</t></text></comment>'.repeat(50);
    const bytes = workbook({ sheet: data(sheetRow("A", "B")), notes });
    const file = await parse(bytes, { maxExpandedBytes: 100 });
    expect(file.blocks.filter(({ text }) => text.includes("Check."))).toHaveLength(16);
    expect([...file.warnings]).toEqual([["incomplete", 34]]);
  });

  it("of 16,384 columns is read, in lines that repeat the row's first cell", async () => {
    const header = sheetRow("Name", ...Array.from({ length: 16_383 }, (_, at) => `c${at}`));
    const body = sheetRow("Row", ...Array.from({ length: 16_383 }, () => sheetNumber(1)));
    const rows = await rowsOf(data(header, body));
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.at(-1)).toMatch(/^\| Name: Row \| .*c16382: 1 \|$/);
  });

  it("with a cell in the last column of each row is refused", async () => {
    const far = (row: number) => `<row r="${row}"><c r="XFD${row}"><v>1</v></c></row>`;
    const rows = Array.from({ length: 3000 }, (_, index) => far(index + 1));
    const reading = read(workbook({ sheet: data(...rows) }));
    await expect(reading).rejects.toMatchObject({ code: "too_complex" });
  });

  it("that shows one long string in many cells is read in part, and says so", async () => {
    const cells = Array.from({ length: 20_000 }, () => '<c t="s"><v>0</v></c>');
    const strings = ["lorem ipsum ".repeat(80_000)];
    const document = workbook({ sheet: data(...cells.map((cell) => sheetRow(cell))), strings });
    const { text, warnings } = await read(document);
    expect(text.length).toBeGreaterThan(11_000_000);
    expect(warnings.map(({ code }) => code)).toEqual(["incomplete"]);
  });

  it("is read as far as the limit on passages allows, wherever that is set", async () => {
    const rows = Array.from({ length: 100 }, () => sheetRow("lorem ipsum dolor sit amet."));
    const bytes = workbook({ sheet: data(...rows) });
    const cutAt = async (maxChunks: number) =>
      (await parse(bytes, { maxChunks, chunkTokens: 50 })).warnings.get("incomplete");
    expect(await cutAt(10)).toBe(100 - Math.floor((10 * 50 * 3) / 27));
    expect(await cutAt(20)).toBeUndefined();
  });

  it("with entities or endless merges is read without them", async () => {
    const sheet =
      data(sheetRow("A", "B"), sheetRow("&lol;", sheetNumber(2))) +
      `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(20_000)}</mergeCells>`;
    const bomb = workbook({ sheet });
    expect((await read(bomb)).text).toContain("| &lol; | 2 |");
  });
});
