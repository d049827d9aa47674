import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { openDatabase, openServer, settings } from "./search/server";

const KINDS = ["large", "small"] as const;

/**
 * Search by vectors in a database with many accounts: ten with 100,000 passages and 10,000 with 100. Uses the server in
 * FOOTNOTE_BENCH_DATABASE_URL, or else starts one in its own folder.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const url = await openDatabase(server, "footnote_bench_accounts", async () => false);
  const child = spawn(
    process.execPath,
    [
      "--conditions=react-server",
      "--import=tsx",
      path.join(import.meta.dirname, "search/accounts.ts"),
    ],
    {
      env: {
        ...process.env,
        DATABASE_URL: url,
        LOG_LEVEL: "error",
        RETRIEVAL_DEADLINE_MS: "60000",
        VECTOR_INDEX_MEMORY_MB: "2048",
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) {
    throw new Error("the bench of accounts failed");
  }
  const measured = JSON.parse(output) as Record<string, Record<string, unknown>>;
  const rows = Object.keys(measured.small ?? {}).map((name) => [
    name,
    ...KINDS.map((kind) => String(measured[kind]?.[name] ?? "")),
  ]);
  const table = [["", ...KINDS], ...rows]
    .map(
      ([head = "", ...cells]) => head.padEnd(40) + cells.map((cell) => cell.padStart(20)).join(""),
    )
    .join("\n");
  return { table, result: { server: await settings(server), ...measured } };
}
