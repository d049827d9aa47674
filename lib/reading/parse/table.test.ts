import { describe, expect, it } from "vitest";
import { splitUnits } from "@/lib/evidence/questions/units";
import { withColumnNames } from "@/lib/text/tables";
import { countTokens } from "@/lib/text/tokens";
import { chunkBlocks } from "../chunk";
import { type TableCell, tableBlocks } from "./table";
import { toRows } from "./write-table";

const LIMITS = { maxChunks: 1000, chunkTokens: 400, overlapTokens: 60 };
const cells = (...texts: (string | TableCell)[]): TableCell[] =>
  texts.map((cell) => (typeof cell === "string" ? { text: cell } : cell));
const named = (...texts: string[]): TableCell[] => texts.map((text) => ({ text, isHeader: true }));
const textsOf = (rows: TableCell[][]) => tableBlocks(rows).map(({ text }) => text);
const namedTextsOf = (rows: TableCell[][]) =>
  tableBlocks(rows).map((block) => withColumnNames(chunkBlocks([block], LIMITS).text));

describe("a table's rows", () => {
  it("name the column of each value, so that an empty cell moves none", () => {
    const header = ["Drug", "Morning", "Noon", "Evening"];
    const rows = [cells("Aspivaril", "", "", "100 mg"), cells("Cendrazine", "", "25 mg", "75 mg")];
    const expected = [
      "| Drug: Aspivaril | Evening: 100 mg |",
      "| Drug: Cendrazine | Noon: 25 mg | Evening: 75 mg |",
    ];
    expect(namedTextsOf([named(...header), ...rows])).toEqual(expected);
    expect(namedTextsOf([cells(...header), ...rows])).toEqual(expected);
    expect(textsOf([named(...header), ...rows])).toEqual([
      "Aspivaril | | | 100 mg",
      "Cendrazine | | 25 mg | 75 mg",
    ]);
  });

  it("keep the places of empty cells if no row names the columns", () => {
    expect(textsOf([cells("10", "", "", "7"), cells("", "", "5", "")])).toEqual([
      "10 | | | 7",
      " | | 5",
    ]);
  });

  it("repeat what a merged cell says in each place that it covers", () => {
    const rows = [
      named("Drug", "Time", "Dose"),
      cells({ text: "Aspirin", rowSpan: 2 }, "Morning", "100 mg"),
      cells("Evening", "50 mg"),
      cells({ text: "Ibuprofen", colSpan: 2 }, "400 mg"),
    ];
    expect(textsOf(rows)).toEqual([
      "Aspirin | Morning | 100 mg",
      "Aspirin | Evening | 50 mg",
      "Ibuprofen | Ibuprofen | 400 mg",
    ]);
  });

  it("of one cell belong to the merged one beside it, also in two columns", () => {
    const rows = [
      named("Severity", "Drug"),
      cells({ text: "Severe", rowSpan: 2 }, "Ceftriaxone"),
      cells("Levofloxacin"),
      cells({ text: "Children", colSpan: 2 }),
    ];
    expect(textsOf(rows)).toEqual(["Severe | Ceftriaxone", "Severe | Levofloxacin", "Children"]);
  });

  it("join the names of a header with several rows", () => {
    const top = [
      { text: "Drug", rowSpan: 2 },
      { text: "Dose", colSpan: 2 },
    ];
    const below = cells("Adults", "Children");
    const body = [cells("Aspirin", "100 mg", "10 mg"), cells("Ibuprofen", "", "5 mg")];
    const expected = [
      "| Drug: Aspirin | Dose / Adults: 100 mg | Dose / Children: 10 mg |",
      "| Drug: Ibuprofen | Dose / Children: 5 mg |",
    ];
    const marked = top.map((cell) => ({ ...cell, isHeader: true }));
    expect(namedTextsOf([top, below, ...body])).toEqual(expected);
    expect(namedTextsOf([marked, below, ...body])).toEqual(expected);
    expect(namedTextsOf([marked, named("Adults", "Children"), ...body])).toEqual(expected);
  });

  it("tell a title above or between them from a cell", () => {
    const rows = [
      cells({ text: "Doses of 2026", colSpan: 2 }),
      named("Drug", "Dose"),
      cells({ text: "Children", colSpan: 2 }),
      cells("Aspirin", "10 mg"),
    ];
    expect(tableBlocks(rows)).toMatchObject([
      { kind: "paragraph", text: "Doses of 2026" },
      { kind: "paragraph", text: "Children" },
      { kind: "row", text: "Aspirin | 10 mg", head: "Drug | Dose" },
    ]);
  });

  it("take no label of a form for a column's name", () => {
    const form = [cells("Name", "Ann"), cells("Address", "Main Street"), cells("Phone", "555")];
    expect(textsOf(form)).toEqual(["Name | Ann", "Address | Main Street", "Phone | 555"]);
    expect(
      textsOf([
        cells("Name:", "Ann", "Phone:"),
        cells("Address:", "x", "y"),
        cells("a", "b", "c"),
      ])[0],
    ).toBe("Name: | Ann | Phone:");
  });

  it("are in parts if there are many columns, each with the first one and the names of its own", () => {
    const header = ["Country", ...Array.from({ length: 200 }, (_, at) => `Year ${1800 + at}`)];
    const rows = ["Chad", "Mali"].map((name) => [name, ...header.slice(1).map(() => "12.5")]);
    const lines = toRows([header, ...rows], 1);
    expect(lines.length).toBeGreaterThan(6);
    expect(lines.slice(0, 4)).toMatchObject([
      { head: expect.stringMatching(/^Country \| Year 1800 \|/) },
      { text: expect.stringMatching(/^Mali \| 12\.5 \|/) },
      { head: expect.stringMatching(/^Country \| Year 18[2-9]\d \|/) },
      { text: expect.stringMatching(/^Mali \|/) },
    ]);
  });

  it("don't repeat a title across the names, nor long names beyond a passage's need", () => {
    const title = "Stock of medicines of all districts by quarter of the year";
    const names = Array.from({ length: 14 }, (_, at) => `Number of packages received in ${at}`);
    const rows = Array.from({ length: 20 }, (_, at) => names.map((_, column) => `${at}${column}`));
    const table = [names.map(() => title), names, ...rows];
    const { text } = chunkBlocks(toRows(table, 2), LIMITS);
    const wordsIn = (part: string) => part.match(/[^\s|-]+/g)?.length ?? 0;
    expect(text.split(title)).toHaveLength(2);
    expect(wordsIn(text)).toBeLessThan(3 * wordsIn([title, names, rows].flat(2).join(" ")));
  });

  it("have a header, even if its names are all alike or a title above it is", () => {
    const [title, names] = ["Doses of 2026", "Dose in mg"].map((text) => [text, text]);
    const row = { kind: "row", text: "5 | 10", head: "Dose in mg | Dose in mg" };
    const header = named("Dose in mg", "Dose in mg");
    expect(toRows([names ?? [], ["5", "10"]], 1)).toMatchObject([row]);
    expect(tableBlocks([header, cells("5", "10")])).toMatchObject([row]);
    expect(toRows([title ?? [], names ?? [], ["5", "10"]], 2)).toMatchObject([
      { kind: "paragraph", text: "Doses of 2026" },
      row,
    ]);
    expect(toRows([names ?? [], ["", ""], ["5", "10"]], 2)).toMatchObject([row]);
  });

  it("are below their group's title in each part that has values of the group", () => {
    const header = ["Drug", ...Array.from({ length: 40 }, (_, at) => `Week ${at}`)];
    const row = ["Paracetamol", ...header.slice(1).map((_, at) => `${at}`)];
    const isPart = (text: string) => /^Paracetamol \| \d+ \|/.test(text);
    const groups = ["Adults", "Children"];
    const across = groups.flatMap((text) => [cells({ text, colSpan: 41 }), cells(...row)]);
    const inFirst = groups.flatMap((text) => [[text, ...row.slice(1).map(() => "")], row]);
    const dose = ["Aspirin", "5"];
    const [again = []] = inFirst;
    const later = toRows([header, again, dose, row, ["Others"], dose, ["None"], row], 1);
    expect(later.slice(-4).map(({ text }) => text.split(" ")[0])).toEqual([
      ...["Adults", "Paracetamol", "None", "Paracetamol"],
    ]);
    for (const blocks of [
      tableBlocks([named(...header), ...across, cells({ text: "Source: survey", colSpan: 41 })]),
      toRows([header, ...inFirst, ["Source: survey"]], 1),
    ]) {
      const texts = blocks.map(({ text }) => (isPart(text) ? "row" : text.replace(/[ |]+$/, "")));
      const part = ["Adults", "row", "Children", "row"];
      expect(texts).toEqual([...part, "Source: survey", ...part]);
    }
  });

  it("take few more words in parts, even with long first cells", () => {
    const words = (count: number, from: number) =>
      Array.from({ length: count }, (_, at) => `word${(at + from) % 100}`).join(" ");
    const header = Array.from({ length: 50 }, (_, at) => words(18, at));
    const rows = Array.from({ length: 20 }, (_, at) =>
      header.map((_, column) => (column === 0 ? `Row ${at} ${words(70, at)}` : `${column}`)),
    );
    const { text } = chunkBlocks(toRows([header, ...rows], 1), LIMITS);
    const own = [header, ...rows].map((row) => row.join(" | ")).join("\n");
    expect(countTokens(text)).toBeLessThan(3 * countTokens(own));
    expect(text).toMatch(/\| Row 19 word19 word20 word21 word22… \| 48 \| 49 \|/);
  });

  it("are each a unit of its own for quotes", () => {
    const table = [
      ["Drug", "Dose"],
      ["Aspirin", "100 mg"],
      ["Ibuprofen", "400 mg"],
    ];
    const { text } = chunkBlocks(toRows(table, 1), LIMITS);
    expect(text).toBe(
      "| Drug | Dose |\n| --- | --- |\n| Aspirin | 100 mg |\n| Ibuprofen | 400 mg |",
    );
    expect(splitUnits(withColumnNames(text)).map((unit) => unit.text)).toEqual([
      "Drug: Aspirin | Dose: 100 mg",
      "Drug: Ibuprofen | Dose: 400 mg",
    ]);
  });
});

describe("the names of empty columns", () => {
  it("are kept if a form's rows are all empty", () => {
    const header = ["Date", "Potassium", "Signature"];
    const blank = cells("", "", "");
    expect(textsOf([named(...header), blank, blank])).toEqual(["Date | Potassium | Signature"]);
    expect(textsOf([cells(...header), blank, blank])).toEqual(["Date | Potassium | Signature"]);
    expect(toRows([header, ["", "", ""]], 1)).toHaveLength(1);
  });

  it("are kept in a wide table, above its rows", () => {
    const header = Array.from({ length: 41 }, (_, at) => `Question ${at}`);
    const row = header.map((_, at) => (at < 10 ? "yes" : ""));
    const [unused, first, ...others] = toRows([header, row], 1);
    expect(unused?.text).toBe(header.slice(30).join(" | "));
    expect(first?.head).toBe(header.slice(0, 30).join(" | "));
    expect(others).toEqual([]);
  });
});

describe("a hostile table", () => {
  it("can't be blown up by merged cells or long names", () => {
    const huge = { text: "x".repeat(200), colSpan: 1000, rowSpan: 65_534 };
    const rows = [[huge], ...Array.from({ length: 3000 }, () => cells("a", "b"))];
    const header = Array.from({ length: 16_000 }, (_, at) => `Column ${at}`);
    const narrow = Array.from({ length: 100_000 }, () => ["a"]);
    expect(toRows([header, ...narrow, header.map(() => "b")], 1).length).toBeLessThan(110_000);
    const length = textsOf(rows).reduce((sum, text) => sum + text.length, 0);
    expect(length).toBeLessThan(100_000_000);
    const [row] = toRows(
      [
        ["n".repeat(100_000), "Dose"],
        ["a", "1"],
      ],
      1,
    );
    expect(row?.text.length).toBeLessThan(200);
  });
});
