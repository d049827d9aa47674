import { onServer } from "./server";

/** Of the synthetic corpus that the search bench loads. */
export const SEED = 20_261_121;

/** The search bench's database of so many chunks: a corpus made or indexed otherwise is loaded anew, by its version. */
export function loadedName(chunks: number): string {
  return `footnote_bench_${chunks}_v3`;
}

/** A copy of a database that the search bench has loaded, which others may write to. Returns its URL. */
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
