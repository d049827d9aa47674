import type pg from "pg";
import { closeDatabase } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { Corpus } from "./corpus";
import { type LoadTimes, load } from "./load";
import { measure } from "./measure";
import { onServer } from "./server";

/** Measures one size in a separate process, because the product reads DATABASE_URL once. Prints the result last. */
async function main(): Promise<void> {
  const { DATABASE_URL: url = "", FOOTNOTE_BENCH_SIZE, FOOTNOTE_BENCH_SEED } = process.env;
  const corpus = new Corpus(Number(FOOTNOTE_BENCH_SIZE), Number(FOOTNOTE_BENCH_SEED));
  await migrate();
  const loaded = await ensureLoaded(url, corpus);
  const measured = await measure(url, corpus, log);
  await closeDatabase();
  const result = { chunks: corpus.size, ...measured, load: loaded, size_mb: await sizes(url) };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Loads the corpus once; a database marked as complete is reused. */
async function ensureLoaded(url: string, corpus: Corpus): Promise<LoadTimes> {
  return onServer(url, async (client) => {
    await client.query("CREATE TABLE IF NOT EXISTS bench_mark (load json NOT NULL)");
    const { rows } = await client.query<{ load: LoadTimes }>("SELECT load FROM bench_mark");
    if (rows[0]) {
      return rows[0].load;
    }
    const times = await load(url, corpus, log);
    await client.query("INSERT INTO bench_mark VALUES ($1)", [times]);
    return times;
  });
}

/** Sizes of tables including TOAST, and of indexes; vector indexes are summed. */
async function sizes(url: string): Promise<Record<string, number>> {
  return onServer(url, async (client: pg.Client) => {
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `SELECT CASE WHEN am.amname = 'hnsw' THEN 'vector_indexes' ELSE c.relname END AS name,
              sum(CASE WHEN c.relkind = 'r' THEN pg_table_size(c.oid) ELSE pg_relation_size(c.oid) END) AS bytes
         FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_am am ON am.oid = c.relam
        WHERE coalesce(i.indrelid, c.oid) = ANY(ARRAY['chunk', 'chunk_vector', 'document_frequency']::regclass[])
        GROUP BY 1 ORDER BY 2 DESC`,
    );
    return Object.fromEntries(
      rows.map(({ name, bytes }) => [name, Math.round(Number(bytes) / 2 ** 20)]),
    );
  });
}

function log(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

await main();
