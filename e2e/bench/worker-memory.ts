import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { toTable } from "./shared/table";
import { hostileFiles, longPdf, type NamedFile } from "./worker-memory/files";

const FOLDER =
  process.env.FOOTNOTE_DOCUMENTS ??
  path.resolve(process.env.FOOTNOTE_DATA || "../shared/data", "documents");
/** As in the image. */
const ROOT = path.resolve(import.meta.dirname, "../..");
const COMMAND = "deploy/image/footnote";
/** auto also recognizes the text of scans. */
const OCR = process.env.FOOTNOTE_BENCH_OCR === "auto" ? "auto" : "off";
const GOAL_MB = 400;
const POLL_MS = 50;
const START_TIMEOUT_MS = 60_000;
const READABLE =
  /\.(?:pdf|docx|xlsx|pptx|odt|ods|odp|rtf|epub|html?|csv|txt|md|eml|msg|png|jpe?g|tiff?)$/i;

interface Outcome {
  file: string;
  status: string;
  pages: number;
  seconds: number;
  /** The worker's largest resident set while it read this file, in MB. */
  peakMb: number;
}

interface Phase {
  name: string;
  outcomes: Outcome[];
  cpuSeconds: number;
}

/**
 * The memory of a worker process that reads real files, a long one and hostile ones, one after the other: the largest
 * resident set that Linux counts, which includes Node itself. Needs a server in FOOTNOTE_BENCH_DATABASE_URL and a build.
 */
export async function run(): Promise<{ table: string; result: object; missed?: string[] }> {
  const server = process.env.FOOTNOTE_BENCH_DATABASE_URL;
  if (!server) {
    return { table: "skipped: no server", result: { skipped: "no server" } };
  }
  const url = new URL(server);
  url.pathname = `/footnote_bench_memory_${process.pid}`;
  await onServer(server, `CREATE DATABASE "${url.pathname.slice(1)}"`);
  Object.assign(process.env, { DATABASE_URL: url.href, EMBEDDING_MODEL: "", LOG_LEVEL: "error" });
  try {
    const { startedMb, phases } = await measure();
    const all = phases.flatMap(({ outcomes }) => outcomes);
    const peakMb = Math.max(startedMb, ...all.map((outcome) => outcome.peakMb));
    const missed = peakMb > GOAL_MB ? [`the worker took ${peakMb} MB, goal: ${GOAL_MB}`] : [];
    return { table: tableOf(startedMb, phases), result: { startedMb, peakMb, phases }, missed };
  } finally {
    await onServer(server, `DROP DATABASE "${url.pathname.slice(1)}" WITH (FORCE)`);
  }
}

async function measure(): Promise<{ startedMb: number; phases: Phase[] }> {
  const [{ migrate }, { closeDatabase }, { stopQueue }, { closeUploadThread }] = await Promise.all([
    import("@/lib/db/migrate"),
    import("@/lib/db/client"),
    import("@/lib/jobs/vendor"),
    import("@/lib/documents/receive/upload-thread"),
  ]);
  await migrate();
  const worker = await startWorker();
  try {
    const startedMb = peakOf(worker);
    const upload = await uploader();
    const phases: Phase[] = [];
    for (const [name, files] of [
      ["real files", realFiles()],
      ["2,000 pages", [await longPdf(2000)]],
      ["hostile files", hostileFiles()],
    ] as const) {
      const before = cpuOf(worker);
      const outcomes: Outcome[] = [];
      for await (const file of files) {
        outcomes.push(await readOne(worker, file, upload));
      }
      phases.push({ name, outcomes, cpuSeconds: cpuOf(worker) - before });
      process.stderr.write(`${name} measured\n`);
    }
    return { startedMb, phases };
  } finally {
    worker.kill("SIGTERM");
    await once(worker, "exit");
    await stopQueue();
    await closeUploadThread();
    await closeDatabase();
  }
}

async function* realFiles(): AsyncGenerator<NamedFile> {
  const names = (await readdir(FOLDER, { recursive: true })).filter((name) => READABLE.test(name));
  for (const name of names.sort()) {
    yield { name, bytes: new Uint8Array(await readFile(path.join(FOLDER, name))) };
  }
}

async function startWorker(): Promise<ChildProcess> {
  const worker = spawn("sh", [COMMAND, "worker"], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...{ LOG_LEVEL: "info", NODE_ENV: "production" },
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  worker.stdout?.on("data", (piece) => {
    output += piece;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!output.includes("worker ready")) {
    if (worker.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The worker did not start. ${output}`);
    }
    await sleep(POLL_MS);
  }
  return worker;
}

type Upload = (file: NamedFile) => Promise<string>;

/** Uploads as an account's key would, and returns the job. */
async function uploader(): Promise<Upload> {
  const [
    { keyContext, makeKeyedAccount, setBalance },
    { uploadDocument },
    { admitUpload },
    schema,
  ] = await Promise.all([
    import("@/lib/testing/factories"),
    import("@/lib/documents/write/upload"),
    import("@/lib/documents/read-upload"),
    import("@/lib/documents/schema"),
  ]);
  const { id, ctx, keyId } = await makeKeyedAccount({ models: ["footnote-extract-1"] });
  await setBalance(id, 900_000);
  return async ({ name, bytes }) => {
    const key = keyContext(ctx, { id: keyId, knowledgeScopes: ["customer_kb"] });
    const form = new FormData();
    form.set("scope", "customer_kb");
    form.set("ocr", OCR);
    form.set("file", new File([bytes as Uint8Array<ArrayBuffer>], name));
    const request = new Request("http://localhost/v1/kb/documents", { method: "POST", body: form });
    const { read, release } = await admitUpload(key, request);
    try {
      const input = schema.UploadDocument.parse(await read?.());
      return (await uploadDocument(key, input)).job_id;
    } finally {
      await release?.();
    }
  };
}

async function readOne(worker: ChildProcess, file: NamedFile, upload: Upload): Promise<Outcome> {
  const { execute } = await import("@/lib/db/client");
  resetPeak(worker);
  const startedAt = performance.now();
  const job = await upload(file);
  for (;;) {
    const statement = "SELECT status, error_code, report FROM job WHERE id = $1";
    const [row] = (await execute(statement, [job])).rows as {
      status: string;
      error_code: string | null;
      report: { pages?: number | null } | null;
    }[];
    if (row && row.status !== "queued" && row.status !== "processing") {
      const status = row.error_code ?? row.status;
      const seconds = (performance.now() - startedAt) / 1000;
      const pages = row.report?.pages ?? 0;
      return { file: file.name, status, pages, seconds, peakMb: peakOf(worker) };
    }
    await sleep(POLL_MS);
  }
}

/** Linux counts the largest resident set from here on. */
function resetPeak({ pid }: ChildProcess): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function peakOf({ pid }: ChildProcess): number {
  const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kb) / 1024);
}

/** CPU seconds that all threads have used. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function onServer(server: string, text: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(text);
  await client.end();
}

function tableOf(startedMb: number, phases: readonly Phase[]): string {
  const rows = phases.map(({ name, outcomes, cpuSeconds }) => {
    const largest = outcomes.reduce((one, other) => (other.peakMb > one.peakMb ? other : one));
    return [
      ...[name, outcomes.length, outcomes.reduce((sum, { pages }) => sum + pages, 0)],
      ...[`${largest.peakMb} MB`, largest.file, cpuSeconds.toFixed(1)],
    ];
  });
  return toTable(
    ["files", "count", "pages", "largest resident set", "of", "CPU seconds"],
    [["none yet", 0, 0, `${startedMb} MB`, "", ""], ...rows],
  );
}
