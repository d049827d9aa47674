import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { answerEmbeddings, type EmbeddingRequest } from "@/lib/testing/fake-embeddings";
import { buildPrograms, kill, type Run } from "@/lib/testing/programs";

// Kills workers with SIGKILL at each stage of their jobs, twenty times on each database, and compares
// what is stored in the end with an undisturbed run. Stages are reached from outside: the embedding
// model answers when it is told to, and on a server a lock keeps the index from being stored.

const KILLS = 20;
const STAGES = ["parsing", "embedding", "indexing", "between"] as const;
type Stage = (typeof STAGES)[number];
/** A round of stages brings up to seven documents to their end, and some are left to the last. */
const DOCUMENTS = (7 * KILLS) / STAGES.length + 2;
/** On a server; each does one job at a time. */
const WORKERS = 2;
const SOON_MS = 120_000;
const TEST_MS = 600_000;
const PROGRAMS = { "job-process": "lib/testing/job-process.ts", worker: "scripts/worker.ts" };

const texts = Array.from({ length: DOCUMENTS }, (_, document) =>
  Array.from({ length: 8 }, (_, section) =>
    [
      `## Section ${section} of handbook ${document}`,
      ...Array.from(
        { length: 25 },
        (_, line) =>
          `Patient ${line} of ward ${document} takes ${line * section} mg of drug${line % 7}.`,
      ),
    ].join("\n\n"),
  ).join("\n\n"),
);

interface JobRow {
  id: string;
  status: string;
  stage: string | null;
  attempts: number;
  worker: number | null;
}

describe("workers that are killed", () => {
  it.skipIf(process.env.TEST_DATABASE_URL)(
    "lose nothing and do nothing twice on the embedded database",
    async () => {
      const model = await startModel();
      const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-kill-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const run = await buildPrograms(PROGRAMS, {
        ...environment(model),
        DATA_DIR: folder,
        DATABASE_URL: "",
      });
      await finish(run("job-process", "prepare"));
      for (let count = 0; count < KILLS; count += 1) {
        const worker = await startEmbedded(run);
        await reachEmbedded(stageOf(count), { ...worker, model, depthMs: 20 * (count % 10) });
        await kill(worker.child);
      }
      model.isHolding = false;
      const { child, jobs } = await startEmbedded(run);
      await until(
        "the end of every job",
        () => countEnded(jobs.values()) === texts.length || undefined,
        () => [...jobs.values()],
      );
      await kill(child);
      expectWhole(await finish(run("job-process", "inspect")));
    },
    TEST_MS,
  );

  it.runIf(process.env.TEST_DATABASE_URL)(
    "lose nothing and do nothing twice on a server with two workers",
    async () => {
      const model = await startModel();
      const server = await createDatabase();
      const run = await buildPrograms(PROGRAMS, {
        ...environment(model),
        DATABASE_URL: server.url,
      });
      await finish(run("job-process", "prepare"));
      const workers = new Map<number, ChildProcess>();
      const startWorker = async () => {
        const child = run("worker");
        workers.set(await readyWorker(child), child);
      };
      await Promise.all(Array.from({ length: WORKERS }, startWorker));
      for (let count = 0; count < KILLS; count += 1) {
        const job = await reachOnServer(stageOf(count), { server, model, workers });
        const victim = workers.get(job.worker ?? 0);
        workers.delete(job.worker ?? 0);
        const replaced = startWorker();
        await kill(victim);
        await server.unlock();
        await Promise.all([seeNextAttempt(job, { server, model }), replaced]);
      }
      model.isHolding = false;
      model.answerAll();
      await until(
        "the end of every job",
        async () => countEnded(await server.jobs()) === texts.length || undefined,
        server.report,
      );
      const codes = await Promise.all([...workers.values()].map(terminate));
      expect(codes).toEqual([0, 0]);
      expectWhole(await finish(run("job-process", "inspect")));
    },
    TEST_MS,
  );
});

function stageOf(count: number): Stage {
  return STAGES[count % STAGES.length] ?? "parsing";
}

type Model = Awaited<ReturnType<typeof startModel>>;
type Server = Awaited<ReturnType<typeof createDatabase>>;

/** An embedding model that holds what it is asked until it may answer. */
async function startModel() {
  const held = new Map<ServerResponse, () => void>();
  const answer = (count: number) => {
    for (const [response, send] of [...held].slice(0, count)) {
      held.delete(response);
      send();
    }
  };
  const model = {
    url: "",
    isHolding: true,
    /** Documents that came to be embedded so far. */
    requests: 0,
    answerAll: () => answer(held.size),
    /** Whether every worker of a server waits here, each for the job it has. */
    hasAll: () => held.size === WORKERS,
    /** One of the workers that all wait here goes on to the next job in the queue. */
    letOneGoOn: () => answer(model.hasAll() ? 1 : 0),
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) {
      text += piece;
    }
    const body: EmbeddingRequest = JSON.parse(text);
    const respond = () => send(response, answerEmbeddings(body, {}));
    const isProbe = [body.input].flat().length === 1;
    if (isProbe || !model.isHolding) {
      respond();
    } else {
      model.requests += 1;
      held.set(response, respond);
      response.once("close", () => held.delete(response));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return model;
}

function send(response: ServerResponse, { status, body }: { status: number; body: object }): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function environment(model: Model): Record<string, string> {
  return {
    LOG_LEVEL: "info",
    MODELS: "footnote-extract-1",
    JOB_CONCURRENCY: "1",
    PARSE_THREADS: "1",
    EMBEDDING_MODEL: "scripted",
    EMBEDDING_BASE_URL: model.url,
    EMBEDDING_BATCH_SIZE: "2048",
    // Who waits for the model waits as long as the test likes, and only a sweep finds a dead worker's job.
    EMBEDDING_TIMEOUT_MS: `${TEST_MS}`,
    JOB_HEARTBEAT_SECONDS: `${TEST_MS / 1000}`,
  };
}

async function terminate(child: ChildProcess): Promise<number | null> {
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  return code;
}

function lines(child: ChildProcess) {
  if (!child.stdout) {
    throw new Error("the process has no output");
  }
  return createInterface({ input: child.stdout });
}

/** Gives a process the documents, lets it run to its end, and gives its last line. */
async function finish(child: ChildProcess): Promise<string> {
  const exit = once(child, "exit");
  child.stdin?.end(JSON.stringify(texts));
  let last = "";
  for await (const line of lines(child)) {
    last = line;
  }
  expect((await exit)[0]).toBe(0);
  return last;
}

async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  report: () => unknown,
): Promise<T> {
  const deadline = Date.now() + SOON_MS;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    await sleep(10);
  }
  const state = JSON.stringify(await report(), null, 1);
  throw new Error(`not seen within ${SOON_MS} ms: ${what}; at the end:\n${state}`);
}

function expectWhole(inspection: string): void {
  const found = JSON.parse(inspection);
  expect(found.jobs.map((job: JobRow) => job.status)).toEqual(texts.map(() => "completed"));
  expect(found).toMatchObject({
    differences: 0,
    wrongTermCounts: 0,
    wrongChunkCounts: 0,
    uploadsLeft: 0,
    openHolds: 0,
  });
  expect(found.chunks).toBeGreaterThan(texts.length * 5);
  for (const { held, agrees, charges, documents } of found.money) {
    expect([held, agrees, charges]).toEqual(["0", true, documents]);
  }
}

function countEnded(jobs: Iterable<JobRow>): number {
  return [...jobs].filter(({ status }) => status !== "queued" && status !== "processing").length;
}

/** A process at work on the folder, and what it tells of the jobs. */
async function startEmbedded(run: Run<keyof typeof PROGRAMS>) {
  const child = run("job-process", "work");
  const jobs = new Map<string, JobRow>();
  lines(child).on("line", (line) => {
    const row: JobRow = JSON.parse(line);
    if (row.id) {
      jobs.set(row.id, row);
    }
  });
  await until(
    "the states of all jobs",
    () => jobs.size === texts.length || undefined,
    () => [...jobs.values()],
  );
  return { child, jobs };
}

async function reachEmbedded(
  stage: Stage,
  { model, jobs, depthMs }: { model: Model; jobs: Map<string, JobRow>; depthMs: number },
): Promise<void> {
  const { requests } = model;
  const ended = countEnded(jobs.values());
  const see = (what: string, look: () => unknown) =>
    until(
      what,
      () => look() || undefined,
      () => [...jobs.values()],
    );
  if (stage === "parsing") {
    await see(stage, () => [...jobs.values()].some((job) => job.stage === stage));
    return;
  }
  await see("embedding", () => model.requests > requests);
  if (stage === "indexing") {
    model.answerAll();
    await sleep(depthMs);
  }
  if (stage === "between") {
    model.answerAll();
    await see(stage, () => countEnded(jobs.values()) > ended);
  }
}

/** A database of its own on the test server, looked at from outside. */
async function createDatabase() {
  const name = `${process.env.FOOTNOTE_TEST_RUN}kill`;
  const url = new URL(process.env.TEST_DATABASE_URL ?? "");
  const admin = new pg.Client(url.href);
  await admin.connect();
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.end();
  url.pathname = `/${name}`;
  const client = new pg.Client(url.href);
  await client.connect();
  onTestFinished(() => client.end());
  const rows = async <T extends pg.QueryResultRow>(text: string) =>
    (await client.query<T>(text)).rows;
  return {
    url: url.href,
    jobs: () => rows<JobRow>("SELECT id, status, stage, attempts, worker FROM job ORDER BY id"),
    /** The jobs that were begun, and how the queue has them. */
    report: () =>
      rows(
        `SELECT j.id, j.status, j.stage, j.attempts, j.worker, j.error_code, q.state, q.retry_count,
                q.start_after - now() AS starts_in
           FROM job j LEFT JOIN pgboss.job q ON q.id = j.queue_id
          WHERE j.attempts > 0 OR q.state NOT IN ('created', 'retry') ORDER BY j.id`,
      ),
    /** Keeps every index from being stored: its charge, the last statement, waits. */
    lock: async () => {
      await client.query("BEGIN");
      await client.query("SELECT id FROM account FOR UPDATE");
    },
    unlock: () => client.query("ROLLBACK"),
    countWaiting: async () =>
      (
        await rows(
          "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        )
      ).length,
  };
}

/** The number of a worker that says that it is ready. */
async function readyWorker(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    lines(child).on("line", (line) => {
      const { msg, worker } = JSON.parse(line);
      if (msg === "worker ready") {
        resolve(worker);
      }
    });
    child.once("exit", () => reject(new Error("the worker ended before it was ready")));
  });
}

/** Waits until a worker has a job at the stage, and gives the job. */
async function reachOnServer(
  stage: Stage,
  { server, model, workers }: { server: Server; model: Model; workers: Map<number, ChildProcess> },
): Promise<JobRow> {
  const see = <T>(what: string, look: () => Promise<T | undefined> | T | undefined) =>
    until(what, look, server.report);
  /** Those at the stage, by how often they were begun: no job may be begun for the ninth time. */
  const findAt = async (wanted: string) =>
    (await server.jobs())
      .filter((job) => job.stage === wanted && workers.has(job.worker ?? 0))
      .sort((one, other) => one.attempts - other.attempts);
  if (stage === "parsing") {
    return see(stage, async () => {
      model.letOneGoOn();
      return (await findAt(stage)).at(0);
    });
  }
  await see("embedding in every worker", () => model.hasAll() || undefined);
  const embedded = await findAt("embedding");
  const [last, first] = [embedded.at(-1), embedded.at(0)];
  if (stage === "indexing") {
    await server.lock();
    model.answerAll();
    await see("a charge that waits", async () => (await server.countWaiting()) > 0 || undefined);
    return see(stage, async () => (await findAt(stage)).at(0));
  }
  if (stage === "between") {
    model.answerAll();
    await see(stage, async () =>
      (await server.jobs()).find((job) => job.id === last?.id && job.status === "completed"),
    );
  }
  const found = stage === "between" ? last : first;
  if (!found) {
    throw new Error("the model is asked, and no job is at its embedding");
  }
  return found;
}

/**
 * Waits until a job is begun again, or has ended. Jobs before it in the queue may have found the workers
 * first, and these wait for the model: then one goes on.
 */
async function seeNextAttempt(
  job: JobRow,
  { server, model }: { server: Server; model: Model },
): Promise<void> {
  await until(
    `another attempt at ${job.id} after ${job.attempts}`,
    async () => {
      model.letOneGoOn();
      return (await server.jobs()).find(
        ({ id, attempts, status }) =>
          id === job.id && (attempts > job.attempts || status === "completed"),
      );
    },
    server.report,
  );
}
