import type { PublicDocument } from "@/lib/documents/identity";
import {
  finishImport,
  type Imported,
  importDocuments,
  type Seen,
} from "@/lib/documents/write/import";
import { UsageError } from "../command/usage-error";
import type { Item } from "./describe";
import type { ImportOptions } from "./options";
import { openProgress, type Progress } from "./progress";
import { findFiles, readSource, type Source } from "./sources";

interface Tally {
  added: number;
  replaced: number;
  unchanged: number;
  failed: number;
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
  const source = await findFiles(options.root).catch(() => null);
  if (!source || source.files.length === 0) {
    throw new UsageError(`There is no file to import at ${options.root}.`);
  }
  const startedAt = performance.now();
  const tally = { added: 0, replaced: 0, unchanged: 0, failed: 0, chunks: 0, failures: [] };
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("Stopped. Run it again to continue.")));
  const progress = openProgress(source.totalBytes);
  try {
    await importSource(source, { options, tally, progress, stop });
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
async function importSource(source: Source, run: Run): Promise<void> {
  const { options, progress, stop } = run;
  const seen: Seen = new Map();
  const batches = toBatches(readSource(source, progress.reachBytes), options.sourceType);
  const work = async () => {
    while (!stop.signal.aborted) {
      const next = await batches.next();
      if (next.done) {
        return;
      }
      await importBatch(next.value, { ...run, seen });
    }
  };
  const workers = Array.from({ length: options.concurrency }, () =>
    work().catch((thrown: unknown) => {
      stop.abort(thrown);
    }),
  );
  await Promise.all(workers);
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
  const all = added + replaced + unchanged + failed;
  const peakMib = process.resourceUsage().maxRSS / 1024;
  const rows: [string, number, number][] = [
    ["added", added, 0],
    ["replaced", replaced, 0],
    ["unchanged", unchanged, 0],
    ["failed", failed, 0],
    ["chunks", chunks, 0],
    ["seconds", seconds, 1],
    ["documents/s", all / seconds, 1],
    ["peak RSS, MiB", peakMib, 0],
  ];
  for (const [name, value, digits] of rows) {
    process.stdout.write(`${name.padEnd(14)}${value.toFixed(digits).padStart(10)}\n`);
  }
  if (added + replaced > 0) {
    await finishImport();
  }
}
