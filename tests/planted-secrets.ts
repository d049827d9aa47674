import pino from "pino";
import { vi } from "vitest";
import { execute } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";

/** Planted texts by name. */
export type Plants = Record<string, string>;

/** Captures all log lines at every level from now on, and everything printed to the console. */
export function captureLog(): { lines: string[]; end(): void } {
  const lines: string[] = [];
  const stream = Reflect.get(log, pino.symbols.streamSym);
  const { level } = log;
  Reflect.set(log, pino.symbols.streamSym, { write: (line: string) => lines.push(line) });
  log.level = "trace";
  const printed = (["log", "info", "warn", "error", "debug"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...all) => {
      lines.push(all.map(String).join(" "));
    }),
  );
  return {
    lines,
    end: () => {
      Reflect.set(log, pino.symbols.streamSym, stream);
      log.level = level;
      for (const spy of printed) {
        spy.mockRestore();
      }
    },
  };
}

/** The names of the planted texts that occur in a text. */
export function plantsIn(text: string, plants: Plants): string[] {
  return Object.entries(plants)
    .filter(([, planted]) => text.includes(planted))
    .map(([name]) => name);
}

interface Column {
  [name: string]: unknown;
  schema: string;
  table: string;
  column: string;
  type: string;
}

/** The columns that contain planted texts, including the job queue's tables: `document.text: a document`. */
export async function placesOf(plants: Plants): Promise<string[]> {
  const { rows } = await execute(
    `SELECT table_schema AS schema, table_name AS table, column_name AS column, data_type AS type
       FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'
        AND data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY')`,
  );
  const pattern = `(${Object.values(plants).join("|")})`;
  const found = await execute((rows as Column[]).map(statementOf).join(" UNION "), [pattern]);
  const names = new Map(Object.entries(plants).map(([name, planted]) => [planted, name]));
  return found.rows
    .map(({ place, planted }) => `${place}: ${names.get(String(planted))}`)
    .toSorted();
}

function statementOf({ schema, table, column, type }: Column): string {
  const text = type === "bytea" ? `encode(t."${column}", 'escape')` : `t."${column}"::text`;
  return `SELECT '${table}.${column}' AS place, m[1] AS planted
            FROM ${schema}."${table}" t, regexp_matches(${text}, $1, 'g') AS m`;
}
