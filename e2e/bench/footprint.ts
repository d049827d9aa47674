import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { imageSize } from "./footprint/image";
import { type Memory, memoryBelow } from "./footprint/memory";
import { startWorker } from "./footprint/worker";
import { type Started, startServer } from "./processes/server";
import { openDatabase, openServer } from "./search/server";
import { toTable } from "./shared/table";

const ROUNDS = Number(process.env.FOOTNOTE_BENCH_ROUNDS ?? 5);
const IDLE_SECONDS = Number(process.env.FOOTNOTE_BENCH_SECONDS ?? 30);
const LARGEST = 12;
const ANSWER_LIMIT_MS = 30_000;
const BODY = JSON.stringify({
  model: "footnote-extract-1",
  messages: [{ role: "user", content: "What are the signs of a stroke?" }],
});

interface Measured {
  name: string;
  /** With an empty database: its tables and the public sample are made. */
  first_start_ms: number | null;
  healthy_ms: number;
  /** To the first answer of a chat completion; of a worker, none. */
  answer_ms: number | null;
  idle: Memory;
}

/**
 * How long the built product takes to start, what memory it has when nobody asks anything, with each database, and how
 * large its image is, as computed from this clone.
 */
export async function run(): Promise<{ table: string; result: object }> {
  const server = await openServer();
  const databaseUrl = await openDatabase(server, "footnote_bench_footprint", async () => false);
  const measured = [
    await measure("server, embedded database", {}),
    await measure("server, PostgreSQL", { DATABASE_URL: databaseUrl, RUN_JOBS: "false" }),
    await measureWorker("worker, PostgreSQL", databaseUrl),
  ];
  return report(measured);
}

async function measure(name: string, environment: Record<string, string>): Promise<Measured> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-footprint-"));
  try {
    // As after a start that has answered its own first question: it is not asked here.
    await writeFile(path.join(dataDir, "proved"), "");
    const first = await startServer(environment, { dataDir, isDemo: true });
    const { test_key: key } = JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8"));
    await first.stop();
    const times: { healthy_ms: number; answer_ms: number }[] = [];
    for (let round = 1; round < ROUNDS; round += 1) {
      const again = await startServer(environment, { dataDir, isDemo: true });
      times.push(await timesOf(again, key));
      await again.stop();
    }
    const last = await startServer(environment, { dataDir, isDemo: true });
    times.push(await timesOf(last, key));
    await sleep(IDLE_SECONDS * 1000);
    const idle = memoryBelow(last.pid);
    await last.stop();
    return {
      name,
      first_start_ms: first.healthy_ms,
      healthy_ms: median(times.map(({ healthy_ms }) => healthy_ms)),
      answer_ms: median(times.map(({ answer_ms }) => answer_ms)),
      idle,
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function timesOf({ origin, since, healthy_ms }: Started, key: string) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const url = `${origin}/v1/chat/completions`;
  const response = await fetch(url, {
    method: "POST",
    headers,
    body: BODY,
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`the first answer was ${response.status}: ${text}`);
  }
  return { healthy_ms, answer_ms: Math.round(performance.now() - since) };
}

async function measureWorker(name: string, databaseUrl: string): Promise<Measured> {
  const ready: number[] = [];
  for (let round = 1; round < ROUNDS; round += 1) {
    const worker = await startWorker(databaseUrl);
    ready.push(worker.ready_ms);
    await worker.stop();
  }
  const last = await startWorker(databaseUrl);
  ready.push(last.ready_ms);
  await sleep(IDLE_SECONDS * 1000);
  const idle = memoryBelow(last.pid);
  await last.stop();
  return { name, first_start_ms: null, healthy_ms: median(ready), answer_ms: null, idle };
}

function report(measured: readonly Measured[]) {
  const image = imageSize();
  const rows = measured.map(({ name, first_start_ms, healthy_ms, answer_ms, idle }) => [
    ...[name, first_start_ms ?? "", healthy_ms, answer_ms ?? ""],
    ...[idle.processes, idle.pss_mb, idle.rss_mb],
  ]);
  const total = Object.values(image.parts).reduce((sum, bytes) => sum + bytes, 0);
  const largest = image.packages.slice(0, LARGEST);
  const table = [
    toTable(
      ["", "first start ms", "healthy ms", "first answer ms", "processes", "PSS MB", "RSS MB"],
      rows,
    ),
    toTable(
      ["image, without its base", "MB"],
      [
        ...Object.entries(image.parts).map(([name, bytes]) => [name, megabytes(bytes)]),
        ["in all", megabytes(total)],
      ],
    ),
    toTable(
      ["largest packages", "MB"],
      largest.map(([name, bytes]) => [name, megabytes(bytes)]),
    ),
  ].join("\n\n");
  return { table, result: { measured, image: { ...image.parts, total, largest } } };
}

function megabytes(bytes: number): number {
  return Number((bytes / 1_000_000).toFixed(1));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
