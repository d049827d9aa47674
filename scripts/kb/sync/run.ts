import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import pLimit from "p-limit";
import { FORMAT_IDS, hasExtension } from "@/lib/reading/formats";
import { openProgress, type Progress } from "../../command/progress";
import { UsageError } from "../../command/run";
import { findFiles, type SourceFile } from "../sources";
import { type ApiOptions, type Attributes, DocumentsApi, type RemoteDocument } from "./api";

export interface SyncOptions extends ApiOptions {
  root: string;
  /** Before each relative path, so that several folders can share a scope. */
  prefix: string;
  sourceType: string | null;
  /** The name or id of the vector store that its documents are added to; created if there is none. */
  store: string | null;
  attributes: Attributes;
  concurrency: number;
  isDryRun: boolean;
  isEmptyAllowed: boolean;
}

type Outcome = "added" | "replaced" | "unchanged" | "removed" | "failed";

interface Tally extends Record<Outcome, number> {
  failures: string[];
}

interface LocalFile extends SourceFile {
  externalId: string;
}

interface Run {
  options: SyncOptions;
  /** The documents that are now as the files are. */
  synced: Pick<RemoteDocument, "id" | "metadata">[];
  signal: AbortSignal;
  api: DocumentsApi;
  tally: Tally;
  progress: Progress<Tally>;
}

/** Further failures are only counted. */
const FAILURES_SHOWN = 100;

/**
 * `kb sync`. Makes the documents of a scope whose external ids begin with the prefix equal to a folder's files. Returns 1
 * when a file could not be uploaded or a document not be removed.
 */
export async function runSync(options: SyncOptions): Promise<number> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("Stopped. Run it again to continue.")));
  const api = new DocumentsApi(options, stop.signal);
  const { files, skipped } = await listFolder(options);
  const remote = await api.list(options.prefix);
  rejectEmpty(files, remote.size, options);
  const store = options.store === null ? null : await api.findStore(options.store);
  const tally: Tally = {
    ...{ added: 0, replaced: 0, unchanged: 0, removed: 0, failed: 0 },
    failures: [],
  };
  const progress = openSyncProgress(
    files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    tally,
  );
  const run: Run = { options, synced: [], signal: stop.signal, api, tally, progress };
  try {
    await uploadChanged(files, remote, run);
    await removeMissing(files, remote, run);
    if (!options.isDryRun) {
      await applyOptions(store, run);
    }
  } finally {
    progress.end();
    summarize(tally, skipped);
  }
  return tally.failed > 0 ? 1 : 0;
}

async function listFolder({ root, prefix }: SyncOptions) {
  const found = await findFiles(root).catch(() => null);
  if (!found) {
    throw new UsageError(`The folder ${root} can't be read.`);
  }
  const files: LocalFile[] = found
    .filter((file) => FORMAT_IDS.some((format) => hasExtension(file.path, format)))
    .map((file) => {
      const relative = path.relative(root, file.path).split(path.sep).join("/");
      // macOS decomposes names, other systems don't.
      return { ...file, externalId: prefix + relative.normalize("NFC") };
    });
  return { files, skipped: found.length - files.length };
}

/** An unmounted disk looks like an empty folder. */
function rejectEmpty(
  files: readonly LocalFile[],
  remoteCount: number,
  { root, isEmptyAllowed }: SyncOptions,
): void {
  if (files.length === 0 && remoteCount > 0 && !isEmptyAllowed) {
    throw new UsageError(
      `${root} has no file to upload, so all ${remoteCount} documents would be removed. Pass --allow-empty to remove them.`,
    );
  }
}

async function uploadChanged(
  files: readonly LocalFile[],
  remote: ReadonlyMap<string, RemoteDocument>,
  run: Run,
): Promise<void> {
  const limit = pLimit(run.options.concurrency);
  let done = 0;
  await Promise.all(
    files.map((file) =>
      limit(async () => {
        const outcome = await syncFile(file, remote.get(file.externalId) ?? null, run);
        run.tally[outcome] += 1;
        done += file.sizeBytes;
        run.progress.reach(done);
        run.progress.show(run.tally);
      }),
    ),
  );
}

async function syncFile(
  file: LocalFile,
  remote: RemoteDocument | null,
  { options, signal, api, tally, synced }: Run,
): Promise<Outcome> {
  try {
    const bytes = await readFile(file.path);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (remote?.sha256 === sha256 && remote.chunks > 0) {
      synced.push(remote);
      return "unchanged";
    }
    const outcome = remote ? "replaced" : "added";
    if (options.isDryRun) {
      announce(outcome, file.externalId);
      return outcome;
    }
    const form = new FormData();
    form.set("external_id", file.externalId);
    if (options.sourceType) {
      form.set("source_type", options.sourceType);
    }
    form.set("file", new File([bytes], path.basename(file.path)));
    const { id, failure } = await api.upload(form);
    if (failure) {
      return fail(tally, file.externalId, failure);
    }
    await api.setAttributes([id], options.attributes);
    synced.push({ id, metadata: options.attributes });
    return outcome;
  } catch (thrown) {
    signal.throwIfAborted();
    return fail(tally, file.externalId, (thrown as Error).message);
  }
}

/** Also for documents whose files haven't changed. `found` is null without a store, or if it doesn't exist yet. */
async function applyOptions(found: string | null, { options, api, synced }: Run): Promise<void> {
  const { store, attributes } = options;
  if (store !== null) {
    const ids = synced.map(({ id }) => id);
    await api.addToStore(found ?? (await api.createStore(store)), ids);
  }
  const wanted = Object.entries(attributes);
  const different = synced.filter(({ metadata }) =>
    wanted.some(([name, value]) => (metadata[name] ?? null) !== value),
  );
  const ids = different.map(({ id }) => id);
  await api.setAttributes(ids, attributes);
}

async function removeMissing(
  files: readonly LocalFile[],
  remote: ReadonlyMap<string, RemoteDocument>,
  { options, api, tally }: Run,
): Promise<void> {
  const local = new Set(files.map(({ externalId }) => externalId));
  const missing = [...remote.keys()].filter((id) => !local.has(id));
  if (options.isDryRun) {
    for (const id of missing) {
      announce("removed", id);
    }
    tally.removed = missing.length;
    return;
  }
  const failures = await api.remove(missing);
  tally.removed = missing.length - failures.length;
  for (const { id, message } of failures) {
    tally[fail(tally, id, message)] += 1;
  }
}

function fail(tally: Tally, id: string, message: string): "failed" {
  if (tally.failures.length < FAILURES_SHOWN) {
    tally.failures.push(`${id}: ${message}`);
  }
  return "failed";
}

/** In a dry run. */
function announce(outcome: Outcome, id: string): void {
  process.stdout.write(`would be ${outcome}: ${id}\n`);
}

function summarize({ failures, ...counts }: Tally, skipped: number): void {
  for (const failure of failures) {
    process.stderr.write(`${failure}\n`);
  }
  if (counts.failed > failures.length) {
    process.stderr.write(`and ${counts.failed - failures.length} more\n`);
  }
  for (const [name, value] of [...Object.entries(counts), ["other formats", skipped] as const]) {
    process.stdout.write(`${name.padEnd(14)}${String(value).padStart(10)}\n`);
  }
}

function openSyncProgress(totalBytes: number, initial: Tally): Progress<Tally> {
  return openProgress(totalBytes, {
    ...{ stream: process.stdout, initial },
    format: "{bar} {percentage}% | {changed} uploaded, {unchanged} unchanged, {failed} failed",
    payload: ({ added, replaced, unchanged, failed }) => ({
      ...{ changed: added + replaced, unchanged, failed },
    }),
    line: (percent, { added, replaced, unchanged, failed }) =>
      `${percent}%: ${added} added, ${replaced} replaced, ${unchanged} unchanged, ${failed} failed`,
  });
}
