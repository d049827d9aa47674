import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import type { PublicDocument } from "@/lib/library/documents/identity";
import type { Seen } from "@/lib/library/documents/write/import";
import type { ReadDocument } from "@/lib/reading/parse/read-task";
import { corpusFile, type InputFile, makeInputs } from "./ingest/inputs";
import type { ReadyRows, Reference } from "./ingest/reference";

const FILES = Number(process.env.FOOTNOTE_BENCH_FILES ?? 60);
const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 3);
/** Such as "CSV,plain text"; default: all. */
const FORMATS = process.env.FOOTNOTE_BENCH_FORMATS?.split(",");
/** The concurrency of `kb import`. */
const BATCHES_AT_A_TIME = 4;
const FILES_PER_BATCH = 8;

interface Measured {
  format: string;
  files: number;
  megabytes: number;
  pages: number;
  chunks: number;
  /** The best round of each variant, because other work on the machine only adds time. */
  parser_pages_per_second: number;
  copy_unindexed_pages_per_second: number;
  copy_indexed_pages_per_second: number;
  product_pages_per_second: number;
  product_chunks_per_second: number;
  of_copy_unindexed: number;
  of_copy_indexed: number;
}

/**
 * Pages a second from bytes to searchable, by format: the product's import beside its parser alone, and beside
 * parsing and prepared rows written with COPY into tables without and with indexes. Variants are interleaved.
 * Uses the server in FOOTNOTE_BENCH_DATABASE_URL, or else the embedded database.
 */
export async function run(): Promise<{ table: string; result: object }> {
  if (!corpusFile()) {
    return { table: "skipped: no data", result: { skipped: "no data" } };
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-ingest-"));
  const server = process.env.FOOTNOTE_BENCH_DATABASE_URL;
  const url = server ? await createDatabase(server) : null;
  Object.assign(process.env, {
    DATABASE_URL: url ?? "",
    DATA_DIR: path.join(folder, "product"),
    EMBEDDING_MODEL: "",
    LOG_LEVEL: "error",
  });
  try {
    const formats = await measureAll(url, folder);
    const peak_rss_mib = Math.round(process.resourceUsage().maxRSS / 1024);
    const database = url ? "server" : "embedded";
    const result = { database, rounds: ROUNDS, formats, peak_rss_mib };
    return { table: tableOf(result), result };
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (server && url) {
      await dropDatabase(server, url);
    }
  }
}

async function measureAll(url: string | null, folder: string): Promise<Measured[]> {
  const [{ migrate }, { closeDatabase }, { closeParserPool }, { openReference }] =
    await Promise.all([
      import("@/lib/platform/db/migrate"),
      import("@/lib/platform/db/client"),
      import("@/lib/library/documents/processes/parser-pool"),
      import("./ingest/reference"),
    ]);
  await migrate();
  const reference = await openReference(url, path.join(folder, "reference"));
  const measured: Measured[] = [];
  try {
    for (const [format, files] of await makeInputs(FILES, FORMATS)) {
      measured.push(await measureFormat(format, files, reference));
      process.stderr.write(`${format} measured\n`);
    }
  } finally {
    // Dropping the database under an open connection would hide what was thrown.
    await closeParserPool();
    await reference.close();
    await closeDatabase();
  }
  return measured;
}

async function measureFormat(
  format: string,
  files: InputFile[],
  reference: Reference,
): Promise<Measured> {
  const { copyRows, emptyReference, readyRows } = await import("./ingest/reference");
  const batches = Array.from({ length: Math.ceil(files.length / FILES_PER_BATCH) }, (_, at) =>
    files.slice(at * FILES_PER_BATCH, (at + 1) * FILES_PER_BATCH),
  );
  const reads = await Promise.all(batches.map(parse));
  const ready = new Map<InputFile[], ReadyRows>(
    batches.map((batch, at) => [batch, readyRows(reads[at] ?? [])]),
  );
  // One COPY per connection at a time, like one transaction per collection.
  let turn = Promise.resolve();
  const copy = (isIndexed: boolean) => async (batch: InputFile[]) => {
    await parse(batch);
    const rows = ready.get(batch);
    turn = turn.then(() => (rows ? copyRows(reference, rows, isIndexed) : undefined));
    await turn;
  };
  const best = { parser: Infinity, unindexed: Infinity, indexed: Infinity, product: Infinity };
  for (let round = 0; round < ROUNDS; round += 1) {
    best.parser = Math.min(best.parser, await seconds(batches, parse));
    best.unindexed = Math.min(best.unindexed, await seconds(batches, copy(false)));
    best.indexed = Math.min(best.indexed, await seconds(batches, copy(true)));
    await emptyReference(reference);
    best.product = Math.min(best.product, await seconds(batches, storeAs(new Map())));
    await emptyProduct();
  }
  const pages = files.reduce((sum, file) => sum + file.pages, 0);
  const chunks = reads.flat().reduce((sum, read) => sum + read.chunks.length, 0);
  return {
    format,
    files: files.length,
    megabytes: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) / 1e6,
    pages,
    chunks,
    parser_pages_per_second: pages / best.parser,
    copy_unindexed_pages_per_second: pages / best.unindexed,
    copy_indexed_pages_per_second: pages / best.indexed,
    product_pages_per_second: pages / best.product,
    product_chunks_per_second: chunks / best.product,
    of_copy_unindexed: best.unindexed / best.product,
    of_copy_indexed: best.indexed / best.product,
  };
}

async function seconds(
  batches: InputFile[][],
  work: (batch: InputFile[]) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  const left = [...batches];
  const worker = async () => {
    for (let batch = left.shift(); batch; batch = left.shift()) {
      await work(batch);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_A_TIME }, worker));
  return (performance.now() - startedAt) / 1000;
}

/** Parses as an import does: text files together, every other file alone. */
async function parse(batch: InputFile[]): Promise<ReadDocument[]> {
  const { readDocuments } = await import("@/lib/library/documents/processes/parser-pool");
  const tasks = batch.map(({ bytes, name, mediaType }) => ({
    bytes,
    name,
    mediaType,
    title: null,
  }));
  const groups = batch.every(({ mediaType }) => mediaType) ? [tasks] : tasks.map((task) => [task]);
  const answers = await Promise.all(groups.map((group) => readDocuments(group)));
  return answers.flat().map((answer) => {
    if (!("chunks" in answer)) {
      throw answer;
    }
    return answer;
  });
}

/** The batches of an import. */
function storeAs(seen: Seen): (batch: InputFile[]) => Promise<void> {
  return (batch) => store(batch, seen);
}

async function store(batch: InputFile[], seen: Seen): Promise<void> {
  const { importDocuments } = await import("@/lib/library/documents/write/import");
  const documents = batch.map(
    ({ name, mediaType, bytes }): PublicDocument => ({
      key: name,
      path: null,
      name,
      title: null,
      sourceType: "bench",
      url: null,
      publishedAt: null,
      metadata: {},
      mediaType,
      bytes,
    }),
  );
  const { signal } = new AbortController();
  const outcomes = await importDocuments(documents, { seen, signal });
  const odd = outcomes.find(({ state }) => state !== "added");
  if (odd) {
    throw new Error(`a document was not added: ${JSON.stringify(odd)}`);
  }
}

async function emptyProduct(): Promise<void> {
  const { removePublicBatch } = await import("@/lib/library/documents/write/remove");
  const { finishImport } = await import("@/lib/library/documents/write/import");
  while ((await removePublicBatch({ all: true }, "")).length > 0) {
    // Repeat until none are left.
  }
  await finishImport();
}

async function createDatabase(server: string): Promise<string> {
  const url = new URL(server);
  url.pathname = `/footnote_bench_ingest_${process.pid}`;
  await onServer(server, `CREATE DATABASE "${url.pathname.slice(1)}"`);
  return url.href;
}

function dropDatabase(server: string, url: string): Promise<void> {
  return onServer(server, `DROP DATABASE "${new URL(url).pathname.slice(1)}" WITH (FORCE)`);
}

async function onServer(server: string, text: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(text);
  await client.end();
}

function tableOf(result: { database: string; formats: Measured[]; peak_rss_mib: number }): string {
  const rows = result.formats.map((row) => [
    row.format,
    `${row.pages}`,
    `${row.chunks}`,
    ...[
      row.parser_pages_per_second,
      row.copy_unindexed_pages_per_second,
      row.copy_indexed_pages_per_second,
      row.product_pages_per_second,
      row.product_chunks_per_second,
    ].map((value) => value.toFixed(0)),
    `${(100 * row.of_copy_unindexed).toFixed(0)} %`,
    `${(100 * row.of_copy_indexed).toFixed(0)} %`,
  ]);
  const head =
    "| format | pages | chunks | parser, pages/s | + COPY, no index | + COPY, indexed | product, pages/s | chunks/s | of COPY, no index | of COPY, indexed |";
  const rule = `|${" --- |".repeat(10)}`;
  const lines = rows.map((row) => `| ${row.join(" | ")} |`);
  return [`${result.database}, peak RSS ${result.peak_rss_mib} MiB`, head, rule, ...lines].join(
    "\n",
  );
}
