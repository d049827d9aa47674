import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ReadDocument } from "@/lib/reading/parse/read-task";
import { toTable } from "../shared/table";
import { type CellCount, countCells, type ExpectedRow } from "./cells";
import { realTables } from "./real-tables";
import { HEADS, type MadeTable, makeTable, tableFiles } from "./tables";

/** How many cells of a kind of file are in their place. */
export interface MeasuredCells extends CellCount {
  kind: string;
}

type Read = (bytes: Uint8Array, name: string) => Promise<ReadDocument | null>;

/** Generated tables of each kind, half of them with merged cells. */
const TABLES = 16;

/** Counts the cells that are under their column and in their row, in generated files and in a folder's real ones. */
export async function measureCells(folder: string, read: Read): Promise<MeasuredCells[]> {
  const measured: MeasuredCells[] = [];
  for (let seed = 1; seed <= TABLES; seed += 1) {
    const table = makeTable(seed, seed % 2 === 0);
    for (const [kind, [name, bytes]] of Object.entries(await tableFiles(table))) {
      const document = await read(bytes, name);
      measured.push({ kind, ...countCells(document?.text ?? "", expectedRows(table)) });
    }
  }
  for (const { file, rows } of await realTables(folder)) {
    const document = await read(new Uint8Array(await readFile(path.join(folder, file))), file);
    measured.push({ kind: path.basename(file), ...countCells(document?.text ?? "", rows) });
  }
  return measured;
}

function expectedRows(table: MadeTable): ExpectedRow[] {
  return table.slice(1).map((row, y) => ({
    names: HEADS,
    cells: row.map((cell) => cell?.text ?? ""),
    covered: row.map((cell, x) => {
      const left = row[x - 1];
      return (cell ?? (left && left.colSpan > 1 ? left : table[y]?.[x]))?.text ?? "";
    }),
  }));
}

export function cellTable(measured: readonly MeasuredCells[]): string {
  const kinds = Map.groupBy(measured, ({ kind }) => kind);
  const rows = [...kinds].map(([kind, counts]) => {
    const sum = (key: "cells" | "inPlace") => counts.reduce((total, each) => total + each[key], 0);
    return [kind, `${sum("inPlace")} of ${sum("cells")}`];
  });
  return toTable(["tables", "cells in their place"], rows);
}
