import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

/** One row of the table for each. */
export const CLIENTS = [
  "openai-4",
  "openai-5",
  "openai-6",
  "openai",
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
  "@langchain/openai",
] as const;
export type ClientName = (typeof CLIENTS)[number];

export const COLUMNS = [
  "answer text",
  "streamed text",
  "helper",
  "citations, plain",
  "citations, streamed",
  "annotations, plain",
  "annotations, streamed",
  "verification, plain",
  "verification, streamed",
  "warnings",
  "cost",
  "request id",
  "tools",
  "typed errors",
  "disconnect billed",
] as const;
export type Column = (typeof COLUMNS)[number];

/**
 * `yes`: in what the client returns anyway. `option`: in what it returns once asked to. `fetch`: only a
 * `fetch` of the caller's own sees it.
 */
export type Way = "yes" | "option" | "fetch";

export interface Cell {
  client: ClientName;
  column: Column;
  way: Way;
  /** Where the caller finds it, as Markdown. */
  where: string;
}

/** Notes a cell of the table. Tests call it last, when every assertion behind it has held. */
export function proved(client: ClientName, column: Column, way: Way, where: string): void {
  const folder = inject("cellsDir");
  mkdirSync(folder, { recursive: true });
  const name = `${client}--${column}`.replaceAll(/[^a-z0-9]+/g, "-");
  const cell: Cell = { client, column, way, where };
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(cell));
}

/** Every cell that the tests before proved. */
export function readCells(): Cell[] {
  const folder = inject("cellsDir");
  return readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(path.join(folder, name), "utf8")),
  );
}
