import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { onServer, openDatabase, openServer, settings } from "./search/server";
import { toTable } from "./shared/table";
import type { Measured } from "./spelling/measure";

const SIZES = (process.env.FOOTNOTE_BENCH_SIZES ?? "100000,1000000").split(",").map(Number);
const GOAL_MS = 2;

/**
 * What spelling correction adds to a search: the vocabularies of 200 tenants that together have so many chunks, without
 * the chunks. Uses the server in FOOTNOTE_BENCH_DATABASE_URL, or else starts one in its own folder.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const sizes: Measured[] = [];
  for (const size of SIZES) {
    const name = `footnote_bench_spelling_${size}`;
    const url = await openDatabase(server, name, async () => false);
    try {
      sizes.push(await measureOne(url, size));
    } finally {
      await onServer(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    }
  }
  return { table: tableOf(sizes), result: { server: await settings(server), sizes } };
}

/** In a separate process, because the product reads DATABASE_URL once. */
async function measureOne(url: string, size: number): Promise<Measured> {
  const file = path.join(import.meta.dirname, "spelling/measure.ts");
  const child = spawn(process.execPath, ["--conditions=react-server", "--import=tsx", file], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      FOOTNOTE_BENCH_SIZE: String(size),
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) {
    throw new Error(`the measurement ended with ${code}`);
  }
  return JSON.parse(output.trim().split("\n").at(-1) ?? "") as Measured;
}

function tableOf(sizes: readonly Measured[]): string {
  const rows = sizes.flatMap(({ chunks, words, times }) =>
    Object.entries(times).map(([what, { p50, p95, queries, corrected }]) => [
      ...[chunks, words, what, queries, `${p50} / ${p95}`, `${Math.round(100 * corrected)} %`],
      what.startsWith("misspelled") ? `p50 < ${GOAL_MS}` : "",
    ]),
  );
  return toTable(
    ["chunks", "words", "query", "queries", "p50 / p95 in ms", "corrected", "goal"],
    rows,
  );
}
