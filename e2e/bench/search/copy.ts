import { onServer } from "./server";

/** The version of the synthetic corpus. */
export const SEED = 20_261_121;

/** The search bench's database with this many chunks. A new corpus version is loaded into a new database. */
export function loadedName(chunks: number): string {
  return `footnote_bench_${chunks}_v5`;
}

/** Creates a writable copy of the search bench's database. Returns its URL. */
export async function copyCorpus(server: string, chunks: number, name: string): Promise<string> {
  const url = new URL(server);
  url.pathname = `/${name}`;
  const loaded = loadedName(chunks);
  await onServer(server, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [loaded]);
    if (!rowCount) {
      throw new Error(
        `${loaded} is not there: FOOTNOTE_BENCH_SIZES=${chunks} npm run bench -- search`,
      );
    }
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${loaded}`);
  });
  return url.href;
}
