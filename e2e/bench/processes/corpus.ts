import { closeDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { Corpus } from "../search/corpus";
import { load } from "../search/load";
import { makeQueries } from "../search/queries";
import { onServer } from "../search/server";

// A process of the processes bench: `CHUNKS SEED` fills an empty database with the search bench's corpus, and prints
// questions about its public collection with their vectors.

const QUERIES = 1000;
const [chunks, seed] = process.argv.slice(2).map(Number);
const { DATABASE_URL: url = "" } = process.env;

const corpus = new Corpus(chunks ?? 0, seed ?? 0);
await migrate();
await onServer(url, async (client) => {
  await client.query("CREATE TABLE IF NOT EXISTS bench_mark (load json NOT NULL)");
  const { rowCount } = await client.query("SELECT FROM bench_mark");
  if (rowCount === 0) {
    const times = await load(url, corpus, (text) => process.stderr.write(`corpus: ${text}\n`));
    await client.query("INSERT INTO bench_mark VALUES ($1)", [times]);
  }
});
const queries = makeQueries(corpus, QUERIES)
  .filter(({ scope }) => scope === "public")
  .map(({ text, point }) => ({ text, point: Buffer.from(point.buffer).toString("base64") }));
process.stdout.write(JSON.stringify(queries));
await closeDatabase();
