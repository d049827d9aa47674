import { type Inventory, readInventory } from "@/lib/library/documents/read/inventory";

export async function runList(options: {
  scope: Parameters<typeof readInventory>[0];
  isJson: boolean;
}): Promise<number> {
  const inventory = await readInventory(options.scope);
  process.stdout.write(
    options.isJson ? `${JSON.stringify(toJson(inventory))}\n` : toText(inventory),
  );
  return 0;
}

function toJson({ contents, words, vectors }: Inventory) {
  return {
    contents: contents.map(({ sourceType, ...row }) => ({ ...row, source_type: sourceType })),
    words,
    vectors,
  };
}

function toText({ contents, words, vectors }: Inventory): string {
  const rows = [
    ["scope", "source type", "documents", "chunks"],
    ...contents.map((row) => [row.scope, row.sourceType, `${row.documents}`, `${row.chunks}`]),
    [],
    ["scope", "index", "of chunks", "covered"],
    ...[...words.map((row) => ({ ...row, covered: row.current })), ...vectors].map((row) => [
      ...[row.scope, row.space, `${row.chunks}`],
      percent(row.covered, row.chunks),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** 100% only when all are covered. */
function percent(part: number, all: number): string {
  return all === 0 ? "–" : `${Math.floor((1000 * part) / all) / 10}%`;
}
