import { describe, expect, it } from "vitest";
import { cellsIn, headerOf, joinCells, readTables, splitTables, withColumnNames } from "./tables";

const TABLE = [
  "| Drug | Morning | Evening |",
  "| --- | :-: | --- |",
  "| Aspivaril | | 100 mg |",
  "| Betacor | 5 \\| 10 mg | |",
].join("\n");

describe("rows of a Markdown table", () => {
  it("are read with the names of their columns, without empty cells", () => {
    expect(withColumnNames(`Doses:\n\n${TABLE}\n\nAs needed.`)).toBe(
      "Doses:\n\n| Drug: Aspivaril | Evening: 100 mg |\n| Drug: Betacor | Morning: 5 | 10 mg |\n\nAs needed.",
    );
  });

  it("have exact places in the text", () => {
    const { rows, headers } = readTables(TABLE);
    expect(rows.map(({ start, end }) => TABLE.slice(start, end))).toEqual([
      "Aspivaril | | 100 mg",
      "Betacor | 5 \\| 10 mg |",
    ]);
    expect(rows[0]?.cells.map(({ start, end }) => TABLE.slice(start, end))).toEqual([
      "Aspivaril",
      "100 mg",
    ]);
    expect(headers.map(({ start, end }) => TABLE.slice(start, end))).toEqual([
      TABLE.split("\n").slice(0, 2).join("\n"),
    ]);
  });

  it("keep the names of the header above them, also where it is repeated", () => {
    const twice = `${TABLE}\n| Name | Phone |\n| --- | --- |\n| Ann | 555 |`;
    expect(readTables(twice).rows.map(({ cells }) => cells.at(-1)?.column)).toEqual([
      "Evening",
      "Morning",
      "Phone",
    ]);
  });

  it("have no names without a header, or after the table", () => {
    expect(readTables("| a | b |\n| c | d |").rows).toEqual([]);
    expect(readTables(`${TABLE}\n\n| a | b |`).rows).toHaveLength(2);
    expect(readTables("| a | b |\n| --- | --- |").headers).toEqual([]);
  });

  it("number the columns without a name", () => {
    const table = "| | Dose | |\n| --- | --- | --- |\n| Aspirin | 5 mg | daily |";
    expect(cellsIn(table, { start: table.length - 9, end: table.length - 4 })).toEqual([
      { column: "", text: "Aspirin" },
      { column: "Dose", text: "5 mg" },
      { column: "column 3", text: "daily" },
    ]);
  });

  it("are written as they are read", () => {
    const [names, row] = [
      ["A", "", "C"],
      ["x|y", "", "z"],
    ];
    const text = `${headerOf(joinCells(names))}\n| ${joinCells(row)} |`;
    expect(readTables(text).rows.map(({ cells }) => cells.map((cell) => cell.text))).toEqual([
      ["x|y", "z"],
    ]);
  });
});

describe("splitTables", () => {
  const show = (text: string) =>
    splitTables(text).map(({ start, end, table }) => {
      const read = (cells: { start: number; end: number }[]) =>
        cells.map((cell) => text.slice(cell.start, cell.end));
      return table
        ? { header: table.header && read(table.header), rows: table.rows.map(read) }
        : text.slice(start, end);
    });

  it("separates tables from the text around them, with their empty cells", () => {
    expect(show(`Doses:\n\n${TABLE}\nAs needed.`)).toEqual([
      "Doses:\n",
      {
        header: ["Drug", "Morning", "Evening"],
        rows: [
          ["Aspivaril", "", "100 mg"],
          ["Betacor", "5 \\| 10 mg", ""],
        ],
      },
      "As needed.",
    ]);
  });

  it("begins another table at each header, and has none without one", () => {
    expect(show(`| a |\n| b |\n${TABLE}`)).toMatchObject([
      { header: null, rows: [["a"], ["b"]] },
      { header: ["Drug", "Morning", "Evening"] },
    ]);
  });

  it("is the whole of a text without tables", () => {
    expect(show("One.\nTwo | three.")).toEqual(["One.\nTwo | three."]);
  });
});
