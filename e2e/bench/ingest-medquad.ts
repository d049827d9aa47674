import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { corpusFile } from "./ingest/inputs";
import { toTable } from "./shared/table";

interface Run {
  database: string;
  documents: number;
  chunks: number;
  seconds: number;
  documents_per_second: number;
  /** Of npm and all its child processes together. */
  peak_rss_mib: number;
  /** A second run, which finds everything already imported. */
  second_run_seconds: number;
}

const SAMPLE_MS = 100;

/**
 * Imports all 16,407 MedQuAD documents with `npm run kb -- import` into a new embedded database, and into one on the
 * server in FOOTNOTE_BENCH_DATABASE_URL if set.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const corpus = corpusFile();
  if (!corpus) {
    return { table: "skipped: no data", result: { skipped: "no data" } };
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-medquad-"));
  const server = process.env.FOOTNOTE_BENCH_DATABASE_URL;
  try {
    const runs = [await measure("embedded", corpus, { DATA_DIR: folder, DATABASE_URL: "" })];
    if (server) {
      runs.push(await onServer(server, (url) => measure("server", corpus, { DATABASE_URL: url })));
    }
    return { table: tableOf(runs), result: { load_average: os.loadavg()[0], runs } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function onServer<T>(server: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `footnote_bench_medquad_${process.pid}`;
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`CREATE DATABASE "${name}"`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  try {
    return await work(url.href);
  } finally {
    await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    await client.end();
  }
}

async function measure(
  database: string,
  corpus: string,
  settings: Record<string, string>,
): Promise<Run> {
  const first = await load(corpus, settings);
  const second = await load(corpus, settings);
  const figure = (name: string) =>
    Number(new RegExp(`^${name} +([\\d.]+)$`, "m").exec(first.out)?.[1]);
  const documents = figure("added");
  return {
    database,
    documents,
    chunks: figure("chunks"),
    seconds: first.seconds,
    documents_per_second: documents / first.seconds,
    peak_rss_mib: first.peakMib,
    second_run_seconds: second.seconds,
  };
}

async function load(corpus: string, settings: Record<string, string>) {
  const startedAt = performance.now();
  const child = spawn("npm", ["run", "-s", "kb", "--", "import", corpus, "--scope", "public_kb"], {
    env: { ...process.env, EMBEDDING_MODEL: "", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const peak = watchMemory(child);
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) {
    throw new Error(`the import ended with ${code}: ${out}`);
  }
  return { out, seconds: (performance.now() - startedAt) / 1000, peakMib: peak() };
}

/** Samples the process tree's memory and returns the peak. */
function watchMemory({ pid }: ChildProcess): () => number {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentKib(String(pid)));
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return Math.round(most / 1024);
  };
}

/** 0 for a process that has ended. */
function residentKib(pid: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    return children
      .split(" ")
      .filter(Boolean)
      .map(residentKib)
      .reduce((sum, kib) => sum + kib, own);
  } catch {
    return 0;
  }
}

function tableOf(runs: readonly Run[]): string {
  return toTable(
    [
      ...["database", "documents", "chunks", "seconds", "documents/s"],
      ...["peak RSS of all processes", "second run"],
    ],
    runs.map((row) => [
      ...[row.database, row.documents, row.chunks, row.seconds.toFixed(1)],
      row.documents_per_second.toFixed(0),
      ...[`${row.peak_rss_mib} MiB`, `${row.second_run_seconds.toFixed(1)} s`],
    ]),
  );
}
