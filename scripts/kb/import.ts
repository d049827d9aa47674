import { SingleBar } from "cli-progress";
import type { PublicDocument } from "@/lib/documents/identity";
import {
  finishImport,
  type Imported,
  importDocuments,
  type Seen,
} from "@/lib/documents/write/import";
import { UsageError } from "../command/run";
import type { Item } from "./describe";
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

interface Progress {
  reachBytes(bytes: number): void;
  show(tally: Tally): void;
  end(): void;
}

/** The size of a transaction: large enough to spread its fixed cost, small enough to keep several in memory. */
const BATCH_DOCUMENTS = 300;
const BATCH_BYTES = 2 * 1024 * 1024;
/** Further failures are only counted. */
const FAILURES_SHOWN = 100;
const LINE_EVERY_MS = 5000;

/** `kb import`. Returns 1 when a document could not be imported. */
export async function runImport(options: ImportOptions): Promise<number> {
  const files = await findFiles(options.root).catch(() => []);
  if (files.length === 0) {
    throw new UsageError(`There is no file to import at ${options.root}.`);
  }
  const startedAt = performance.now();
  const tally = { added: 0, replaced: 0, unchanged: 0, failed: 0, chunks: 0, failures: [] };
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("Stopped. Run it again to continue.")));
  const progress = openProgress(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  try {
    await importFiles(files, { options, tally, progress, stop });
  } finally {
    progress.end();
    await summarize(tally, (performance.now() - startedAt) / 1000);
  }
  return tally.failed > 0 ? 1 : 0;
}

interface Run {
  options: ImportOptions;
  tally: Tally;
  progress: Progress;
  stop: AbortController;
}

/** Runs several batches at a time: while one is stored, others are parsed and embedded. */
async function importFiles(files: SourceFile[], run: Run): Promise<void> {
  const { options, progress, stop } = run;
  const seen: Seen = new Map();
  const batches = toBatches(readSource(files, progress.reachBytes), options.sourceType);
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

/** A bar on a terminal, otherwise a line every few seconds. */
function openProgress(totalBytes: number): Progress {
  return process.stdout.isTTY ? openBar(totalBytes) : openLines(totalBytes);
}

function openBar(totalBytes: number): Progress {
  const bar = new SingleBar({
    format: "{bar} {percentage}% | {documents} documents, {failed} failed | {eta_formatted} left",
    hideCursor: true,
    stream: process.stdout,
  });
  bar.start(totalBytes, 0, { documents: 0, failed: 0 });
  return {
    reachBytes: (bytes) => bar.update(bytes),
    show: ({ added, replaced, unchanged, failed }) =>
      bar.update({ documents: added + replaced + unchanged, failed }),
    end: () => bar.stop(),
  };
}

function openLines(totalBytes: number): Progress {
  let reached = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    reachBytes: (bytes) => {
      reached = bytes;
    },
    show: ({ added, replaced, unchanged, failed }) => {
      if (performance.now() - shownAt >= LINE_EVERY_MS) {
        shownAt = performance.now();
        const percent = totalBytes > 0 ? Math.floor((100 * reached) / totalBytes) : 100;
        process.stdout.write(
          `${percent}% read: ${added} added, ${replaced} replaced, ${unchanged} unchanged, ${failed} failed\n`,
        );
      }
    },
    end: () => {
      // Nothing to close.
    },
  };
}
