import { runApart } from "./search/run-apart";
import { openDatabase, openServer, settings } from "./search/server";
import { toTable } from "./shared/table";

const KINDS = ["large", "small"] as const;

/**
 * Search by vectors in a database with many accounts: ten with 100,000 passages and 10,000 with 100. Uses the server in
 * FOOTNOTE_BENCH_DATABASE_URL, or else starts one in its own folder.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const url = await openDatabase(server, "footnote_bench_accounts", async () => false);
  const measured = await runApart<Record<string, Record<string, string | number>>>(
    "accounts.ts",
    url,
  );
  const rows = Object.keys(measured.small ?? {}).map((name) => [
    name,
    ...KINDS.map((kind) => measured[kind]?.[name] ?? ""),
  ]);
  return {
    table: toTable(["", ...KINDS], rows),
    result: { server: await settings(server), ...measured },
  };
}
