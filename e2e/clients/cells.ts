import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";

/** The table's rows. */
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
  "files",
  "vector stores",
  "filters",
] as const;
export type Column = (typeof COLUMNS)[number];

/**
 * `yes`: the client has it. `option`: the client has it with an option. `fetch`: only a custom `fetch` can read or send it.
 * `no`: the client has no call for it.
 */
export type Support = "yes" | "option" | "fetch" | "no";

export interface Cell {
  client: ClientName;
  column: Column;
  support: Support;
  /** Where to find it, as Markdown. */
  where: string;
}

/** Records a table cell. Tests call it last, after all assertions have passed. */
export function recordCell(
  client: ClientName,
  column: Column,
  support: Support,
  where: string,
): void {
  const folder = inject("cellsDir");
  mkdirSync(folder, { recursive: true });
  const name = `${client}--${column}`.replaceAll(/[^a-z0-9]+/g, "-");
  const cell: Cell = { client, column, support, where };
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(cell));
}

/** All recorded cells. */
export function readCells(): Cell[] {
  const folder = inject("cellsDir");
  return readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(path.join(folder, name), "utf8")),
  );
}

/** The columns of the second table, which has a row for each API of a client. */
export const AGENT_COLUMNS = [
  "streamed = plain",
  "citations",
  "annotations",
  "second turn",
  "strict upstream",
  "usage",
  "errors",
  "tries of a 429",
  "disconnect billed",
] as const;
export type AgentColumn = (typeof AGENT_COLUMNS)[number];

/** What a client of the second table returned. */
export interface AgentCell {
  /** The package in node_modules. */
  package: string;
  api: string;
  column: AgentColumn;
  value: string;
}

/** Records a cell of the second table. */
export function recordAgentCell(cell: AgentCell): void {
  const folder = `${inject("cellsDir")}-agents`;
  mkdirSync(folder, { recursive: true });
  const name = `${cell.package}--${cell.api}--${cell.column}`.replaceAll(/[^a-z0-9]+/g, "-");
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(cell));
}

export function readAgentCells(): AgentCell[] {
  const folder = `${inject("cellsDir")}-agents`;
  return readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(path.join(folder, name), "utf8")),
  );
}
