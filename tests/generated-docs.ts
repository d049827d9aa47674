/** Generated parts of the docs. `vitest -u` writes them, and the tests check that they are current. */

const OPENING = /<!-- The tests write everything between these two lines[^>]*-->\n/;
const CLOSING = "<!-- End of the generated part. -->";
const VARIABLES_ALONE = /^`?[A-Z][A-Z0-9_]+`?(, `?[A-Z][A-Z0-9_]+`?)*$/;

const UNITS: readonly [string, number, string][] = [
  ["_BYTES", 1024 * 1024, "MB"],
  ["_BYTES_PER_ACCOUNT", 1024 * 1024, "MB"],
  ["_TIMEOUT_MS", 1000, "s"],
  ["_DEADLINE_MS", 1000, "s"],
  ["_MB", 1, "MB"],
  ["_SECONDS", 1, "s"],
  ["_DAYS", 1, "days"],
];

type Defaults = Readonly<Record<string, string | number | boolean | undefined>>;

/** Replaces the generated region of a page. Throws if the page has none. */
export function withRegion(markdown: string, body: string): string {
  const start = OPENING.exec(markdown);
  const end = markdown.indexOf(CLOSING);
  if (!start || end < 0) {
    throw new Error("The page has no generated region.");
  }
  return `${markdown.slice(0, start.index + start[0].length)}\n${body.trim()}\n\n${markdown.slice(end)}`;
}

/** The tables in the generated region of a page, with the headings above them. */
export function tablesOfRegion(markdown: string): string {
  const [, region = ""] = markdown.split(OPENING);
  const blocks = (region.split(CLOSING)[0] ?? "").split("\n\n");
  return blocks.filter((block) => /^\s*(?:\||#)/.test(block)).join("\n\n");
}

interface ErrorKind {
  status: number;
  type: string;
  isFinal?: true;
}

/** A table of all error codes with links to their sections. */
export function errorTable(kinds: Readonly<Record<string, ErrorKind>>): string {
  const rows = Object.entries(kinds).map(([code, { status, type, isFinal }]) => {
    const isTried = !isFinal && (status === 409 || status === 429 || status >= 500);
    return `| [\`${code}\`](#${code}) | ${status} | \`${type}\` | ${isTried ? "yes" : "no"} |`;
  });
  return ["| code | status | type | retried |", "|---|---|---|---|", ...rows].join("\n");
}

/** Fills in the "default" cell of each row from the variable that the row names. */
export function withDefaults(markdown: string, defaults: Defaults): string {
  return mapRows(markdown, (cells, header) => {
    const column = header.findIndex((name) => name.startsWith("default"));
    const names = cells.find((cell) => VARIABLES_ALONE.test(cell))?.match(/\w+/g) ?? [];
    const values = names
      .filter((name) => name in defaults)
      .map((name) => formatDefault(name, defaults));
    return column < 0 || values.length === 0
      ? cells
      : cells.with(column, [...new Set(values)].join(", "));
  });
}

/** Fills in the "limit" cell of each row whose first cell is in `limits`. */
export function withLimits(markdown: string, limits: Readonly<Record<string, string>>): string {
  return mapRows(markdown, (cells, header) => {
    const known = limits[cells[0] ?? ""];
    return header[1] === "limit" && known ? cells.with(1, known) : cells;
  });
}

function mapRows(
  markdown: string,
  map: (cells: string[], header: readonly string[]) => string[],
): string {
  let header: string[] | null = null;
  return markdown
    .split("\n")
    .map((line) => {
      if (!line.startsWith("|")) {
        header = null;
        return line;
      }
      const cells = line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim());
      if (!header || /^[-:]+$/.test(cells[0] ?? "")) {
        header ??= cells;
        return line;
      }
      const mapped = map(cells, header);
      return mapped === cells ? line : `| ${mapped.join(" | ")} |`;
    })
    .join("\n");
}

function formatDefault(name: string, defaults: Defaults): string {
  const value = defaults[name];
  if (value === undefined || value === "") {
    return "none";
  }
  if (typeof value !== "number" || name === "PORT") {
    return String(value);
  }
  const [, size = 1, unit = ""] = UNITS.find(([ending]) => name.endsWith(ending)) ?? [];
  return `${(value / size).toLocaleString("en")} ${unit}`.trim();
}
