import pg from "pg";
import { loadedName, SEED } from "./search/copy";
import { runApart } from "./search/run-apart";
import { openDatabase, openServer, settings } from "./search/server";

const SIZES = (process.env.FOOTNOTE_BENCH_SIZES ?? "10000,100000,1000000").split(",").map(Number);

/**
 * The product's search over synthetic corpora on a PostgreSQL server, compared with its bare statements. Uses the
 * server in FOOTNOTE_BENCH_DATABASE_URL, or else starts one in its own folder.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const sizes: Measured[] = [];
  for (const size of SIZES) {
    const url = await openDatabase(server, loadedName(size), isComplete);
    const measured = await runApart<Measured>("one-size.ts", url, {
      FOOTNOTE_BENCH_SIZE: String(size),
      FOOTNOTE_BENCH_SEED: String(SEED),
    });
    // Each size takes long, so report finished ones in case a later one fails.
    process.stderr.write(`${JSON.stringify(measured)}\n`);
    sizes.push(measured);
  }
  return { table: tableOf(sizes), result: { server: await settings(server), seed: SEED, sizes } };
}

async function isComplete(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT FROM bench_mark");
    return rowCount === 1;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

interface Percentiles {
  p50_ms: number;
  p95_ms: number;
}

type Measured = Record<string, unknown> & Record<(typeof TIMES)[number], Percentiles>;

const TIMES = [
  "search",
  "bare_sql",
  "words_leg",
  "vector_leg",
  "exact_vector_scan",
  "lexical_search",
  "lexical_bare_sql",
  "misspelled_lexical_search",
  "spelling",
  "search_of_common_words",
] as const;
const FIGURES = [
  "ratio_search_to_bare_sql",
  "ratio_lexical_search_to_bare_sql",
  "recall_at_10",
  "bm25_agreement_at_10",
  "corrected",
  "ratio_filtered_50_to_search",
  "ratio_filtered_5_to_search",
  "ratio_filtered_0_5_to_search",
  "ratio_filtered_0_05_to_search",
] as const;

function tableOf(sizes: readonly Measured[]): string {
  const rows = [
    ["", ...sizes.map(({ chunks }) => `${chunks} chunks`)],
    ...TIMES.map((name) => [
      `${name} p50 / p95 ms`,
      ...sizes.map((size) => `${size[name].p50_ms} / ${size[name].p95_ms}`),
    ]),
    ...FIGURES.map((name) => [name, ...sizes.map((size) => String(size[name]))]),
  ];
  return rows
    .map(
      ([head = "", ...cells]) => head.padEnd(44) + cells.map((cell) => cell.padStart(20)).join(""),
    )
    .join("\n");
}
