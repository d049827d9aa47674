import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  AGENT_COLUMNS,
  type AgentCell,
  type Cell,
  CLIENTS,
  type ClientName,
  COLUMNS,
  readAgentCells,
  readCells,
} from "./cells";

const START = "<!-- The tests write everything between these two lines. -->";
const END = "<!-- End of the generated part. -->";
const AGENTS_TITLE = "## Two turns, strict upstreams and retries";

describe("the client compatibility table", () => {
  it("matches the README (npm run test:clients -- -u updates it)", async () => {
    const cells = readCells();
    const missing = CLIENTS.flatMap((client) =>
      COLUMNS.filter((column) => !cellOf(cells, client, column)).map(
        (column) => `${client}: ${column}`,
      ),
    );
    expect(missing).toEqual([]);
    const agents = Map.groupBy(readAgentCells(), ({ package: name, api }) => `${name} ${api}`);
    for (const cellsOfAgent of agents.values()) {
      expect(cellsOfAgent.map(({ column }) => column).sort()).toEqual([...AGENT_COLUMNS].sort());
    }
    const readme = readFileSync(path.join(import.meta.dirname, "README.md"), "utf8");
    const [before, rest] = readme.split(START);
    const after = rest?.split(END)[1];
    const parts = [
      tableOf(cells),
      placesOf(cells),
      AGENTS_TITLE,
      agentTableOf([...agents.values()]),
    ];
    const measured = parts.join("\n\n");
    await expect(`${before}${START}\n\n${measured}\n\n${END}${after}`).toMatchFileSnapshot(
      "README.md",
    );
  });
});

function tableOf(cells: Cell[]): string {
  const rows = CLIENTS.map((client) => [
    titleOf(client),
    ...COLUMNS.map((column) => cellOf(cells, client, column)?.support ?? ""),
  ]);
  return markdownTable([["client", ...COLUMNS], ...rows]);
}

function agentTableOf(agents: AgentCell[][]): string {
  const rows = agents.map((cells) => {
    const [{ package: name, api } = { package: "", api: "" }] = cells;
    const values = AGENT_COLUMNS.map(
      (column) => cells.find((cell) => cell.column === column)?.value,
    );
    return [titleOf(name), api, ...values.map((value) => value ?? "")];
  });
  return markdownTable([["client", "API", ...AGENT_COLUMNS], ...rows.sort()]);
}

function markdownTable(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  );
  const [head, ...body] = lines.map((line) =>
    line.map((text, index) => text.padEnd(widths[index] ?? 0)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [head ?? [], rule, ...body].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** A line per column: where to find the value in each client. */
function placesOf(cells: Cell[]): string {
  return COLUMNS.map((column) => {
    const ofColumn = CLIENTS.flatMap((client) => cellOf(cells, client, column) ?? []);
    const places = Map.groupBy(ofColumn, ({ where }) => where);
    const sentences = [...places].map(
      ([where, found]) => `${shortNames(found.map(({ client }) => client))}: ${where}.`,
    );
    return `- **${column}**. ${sentences.join(" ")}`;
  }).join("\n");
}

function cellOf(cells: Cell[], client: ClientName, column: string): Cell | undefined {
  return cells.find((cell) => cell.client === client && cell.column === column);
}

function titleOf(client: string): string {
  const { name, version } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, "node_modules", client, "package.json"), "utf8"),
  );
  return `${name} ${version}`;
}

/** Merges versions, as in `openai 4, 5, 6, 7`. */
function shortNames(clients: ClientName[]): string {
  const names = clients.map((client) => titleOf(client).replace(/ (\d+)\..*$/, " $1"));
  const majors = names.flatMap((name) => /^openai (\d+)$/.exec(name)?.[1] ?? []);
  const others = names
    .filter((name) => !name.startsWith("openai "))
    .map((name) => name.replace(/ \d+$/, ""));
  return [...(majors.length > 0 ? [`openai ${majors.join(", ")}`] : []), ...others].join(", ");
}
