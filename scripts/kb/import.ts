import type { PublicDocument } from "@/lib/library/documents/identity";
import {
  finishImport,
  type Imported,
  importDocuments,
  type Seen,
} from "@/lib/library/documents/write/import";
import { openProgress, type Progress } from "../command/progress";
import { UsageError } from "../command/run";
import type { Item } from "./describe";
import { embedImported } from "./reembed";
import { findFiles, readSource, type SourceFile } from "./sources";

interface ImportOptions {
  root: string;
  /** Overrides the documents' own source types. */
  sourceType: string | null;
  concurrency: number;
}

interface Tally extends Record<Imported["state"], number> {
  chunks: number;
  failures: string[];
}

interface Batch {
  wheres: string[];
  documents: PublicDocument[];
  faults: { where: string; fault: string }[];
}

/** The size of a transaction: large enough to spread its fixed cost, small enough to keep several in memory. */
const BATCH_DOCUMENTS = 300;
const BATCH_BYTES = 2 * 1024 * 1024;
/** Further failures are only counted. */
const FAILURES_SHOWN = 100;

/** `kb import`. Returns 1 when a document could not be imported. */
export async function runImport(options: ImportOptions): Promise<number> {
  const files = await findFiles(options.root).catch(() => []);
  if (files.length === 0) {
    throw new UsageError(`There is no file to import at ${options.root}.`);
  }
  const startedAt = performance.now();
  const tally: Tally = {
    ...{ added: 0, replaced: 0, unchanged: 0, failed: 0 },
    ...{ chunks: 0, failures: [] },
  };
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("Stopped. Run it again to continue.")));
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const progress = openImportProgress(totalBytes, tally);
  try {
    await importFiles(files, { options, tally, progress, stop }).finally(() => progress.end());
    await embedImported(stop.signal);
  } finally {
    await summarize(tally, (performance.now() - startedAt) / 1000);
  }
  return tally.failed > 0 ? 1 : 0;
}

interface Run {
  options: ImportOptions;
  tally: Tally;
  progress: Progress<Tally>;
  stop: AbortController;
}

/** Runs several batches at a time: while one is stored, others are parsed. */
async function importFiles(files: SourceFile[], run: Run): Promise<void> {
  const { options, progress, stop } = run;
  const seen: Seen = new Map();
  const batches = toBatches(readSource(files, progress.reach), options.sourceType);
  const work = async () => {
    for await (const batch of batches) {
      await importBatch(batch, { ...run, seen });
      stop.signal.throwIfAborted();
    }
  };
  const workers = Array.from({ length: options.concurrency }, work);
  await Promise.all(workers.map((worker) => worker.catch((thrown) => stop.abort(thrown))));
  stop.signal.throwIfAborted();
}

async function importBatch(
  { documents, wheres, faults }: Batch,
  { tally, progress, stop, seen }: Run & { seen: Seen },
): Promise<void> {
  for (const { where, fault } of faults) {
    count(tally, { state: "failed", message: fault }, where);
  }
  const outcomes = await importDocuments(documents, { seen, signal: stop.signal });
  for (const [index, outcome] of outcomes.entries()) {
    count(tally, outcome, wheres[index] ?? "");
  }
  progress.show(tally);
}

function count(tally: Tally, outcome: Imported, where: string): void {
  tally[outcome.state] += 1;
  if (outcome.state === "failed") {
    if (tally.failures.length < FAILURES_SHOWN) {
      tally.failures.push(`${where}: ${outcome.message}`);
    }
  } else if (outcome.state !== "unchanged") {
    tally.chunks += outcome.chunks;
  }
}

async function* toBatches(
  items: AsyncIterable<Item>,
  sourceType: string | null,
): AsyncGenerator<Batch> {
  const empty = (): Batch => ({ wheres: [], documents: [], faults: [] });
  let batch = empty();
  let bytes = 0;
  for await (const item of items) {
    if ("fault" in item) {
      batch.faults.push(item);
    } else {
      batch.wheres.push(item.where);
      batch.documents.push({ ...item.document, ...(sourceType !== null && { sourceType }) });
      bytes += item.document.bytes.byteLength;
    }
    if (batch.documents.length + batch.faults.length >= BATCH_DOCUMENTS || bytes >= BATCH_BYTES) {
      yield batch;
      batch = empty();
      bytes = 0;
    }
  }
  yield batch;
}

async function summarize(tally: Tally, seconds: number): Promise<void> {
  const { added, replaced, unchanged, failed, chunks, failures } = tally;
  for (const failure of failures) {
    process.stderr.write(`${failure}\n`);
  }
  if (failed > failures.length) {
    process.stderr.write(`and ${failed - failures.length} more\n`);
  }
  const rows: [string, number, number][] = [
    ["added", added, 0],
    ["replaced", replaced, 0],
    ["unchanged", unchanged, 0],
    ["failed", failed, 0],
    ["chunks", chunks, 0],
    ["seconds", seconds, 1],
    ["documents/s", (added + replaced + unchanged + failed) / seconds, 1],
    ["peak RSS, MiB", process.resourceUsage().maxRSS / 1024, 0],
  ];
  for (const [name, value, digits] of rows) {
    process.stdout.write(`${name.padEnd(14)}${value.toFixed(digits).padStart(10)}\n`);
  }
  if (added + replaced > 0) {
    await finishImport();
  }
}

function openImportProgress(totalBytes: number, initial: Tally): Progress<Tally> {
  const documents = ({ added, replaced, unchanged }: Tally) => added + replaced + unchanged;
  return openProgress(totalBytes, {
    ...{ stream: process.stdout, initial },
    format: "{bar} {percentage}% | {documents} documents, {failed} failed | {eta_formatted} left",
    payload: (tally) => ({ documents: documents(tally), failed: tally.failed }),
    line: (percent, { added, replaced, unchanged, failed }) =>
      `${percent}% read: ${added} added, ${replaced} replaced, ${unchanged} unchanged, ${failed} failed`,
  });
}
