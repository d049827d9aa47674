import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { type RetractionRow, readRetractions } from "@/lib/library/documents/retractions";
import { finishImport } from "@/lib/library/documents/write/import";
import { applyStandings } from "@/lib/library/documents/write/retract";
import { toPath, UsageError } from "../command/run";

/** `kb retractions`. Returns 1 when the list names nothing that can be identified. */
export async function runRetractions({
  file,
  isDryRun,
}: {
  file: string;
  isDryRun: boolean;
}): Promise<number> {
  const rows = await readRows(file);
  const { standings, unusable } = readRetractions(rows);
  if (standings.size === 0) {
    process.stderr.write(
      "No row names a DOI, PMID, URL or external_id. The first line must name the columns.\n",
    );
    return 1;
  }
  const { named, changed } = await applyStandings(standings, { isDryRun });
  if (!isDryRun && changed.retracted + changed.superseded + changed.current > 0) {
    await finishImport();
  }
  const figures: [string, number][] = [
    ["rows", rows.length],
    ["unusable rows", unusable],
    ["documents named", named],
    ["now retracted", changed.retracted],
    ["now superseded", changed.superseded],
    ["now current", changed.current],
  ];
  for (const [name, value] of figures) {
    process.stdout.write(`${name.padEnd(16)}${String(value).padStart(9)}\n`);
  }
  return 0;
}

async function readRows(file: string): Promise<RetractionRow[]> {
  const place = toPath(file);
  const found = await stat(place).catch(() => null);
  if (!found?.isFile()) {
    throw new UsageError(`There is no file ${file}.`);
  }
  // Some lists have stray quotes and rows with fewer fields.
  const options = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true };
  const parser = pipeline(
    createReadStream(place),
    parse({ columns: true, bom: true, ...options }),
    () => {
      // Errors surface in the loop below.
    },
  );
  const rows: RetractionRow[] = [];
  try {
    for await (const row of parser) {
      rows.push(row);
    }
  } catch (thrown) {
    throw thrown instanceof CsvError ? new UsageError(`${file}: ${thrown.message}`) : thrown;
  }
  return rows;
}
