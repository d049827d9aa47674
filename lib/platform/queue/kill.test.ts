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

// Kills workers with SIGKILL at each stage of their jobs, twenty times per database, and compares the
// final rows with those of an undisturbed run. The test controls the stages from outside: the embedding
// model answers on command, and on a server a lock blocks the index from being stored.

const KILLS = 20;
const STAGES = ["parsing", "embedding", "indexing", "between"] as const;
type Stage = (typeof STAGES)[number];
/** A round of all stages finishes up to seven documents; two more are left for the end. */
const DOCUMENTS = (7 * KILLS) / STAGES.length + 2;
/** Server only; each runs one job at a time. */
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

describe("killed workers", () => {
  it.skipIf(process.env.TEST_DATABASE_URL)(
    "neither lose nor repeat work on the embedded database",
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
      expectComplete(await finish(run("job-process", "inspect")));
    },
    TEST_MS,
  );

  it.runIf(process.env.TEST_DATABASE_URL)(
    "neither lose nor repeat work on a server with two workers",
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
      expectComplete(await finish(run("job-process", "inspect")));
    },
    TEST_MS,
  );
});

function stageOf(count: number): Stage {
  return STAGES[count % STAGES.length] ?? "parsing";
}

type Model = Awaited<ReturnType<typeof startModel>>;
type Server = Awaited<ReturnType<typeof createDatabase>>;

/** An embedding model that holds the requests for a document until the test releases the document. */
async function startModel() {
  const held = new Map<ServerResponse, { document: string; respond: () => void }>();
  const released = new Set<string>();
  const heldDocuments = () => new Set([...held.values()].map(({ document }) => document));
  const release = (documents: Iterable<string>) => {
    for (const document of documents) {
      released.add(document);
    }
    for (const [response, { document, respond }] of [...held]) {
      if (released.has(document)) {
        held.delete(response);
        respond();
      }
    }
  };
  const model = {
    url: "",
    isHolding: true,
    /** Requests held so far. */
    requests: 0,
    answerAll: () => release(heldDocuments()),
    /** Whether every server worker is waiting for the model, with one request or several. */
    hasAll: () => heldDocuments().size === WORKERS,
    /** If all workers are waiting, lets one continue to the next job in the queue. */
    releaseOne: () => {
      if (model.hasAll()) {
        release([...heldDocuments()].slice(0, 1));
      }
    },
    /** Holds the next requests for released documents too. */
    holdAgain: () => released.clear(),
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) {
      text += piece;
    }
    const body: EmbeddingRequest = JSON.parse(text);
    const respond = () => send(response, answerEmbeddings(body, {}));
    const document = /of ward (\d+)/.exec([body.input].flat().join())?.[1];
    // What a worker sends to learn the model's dimensions is of no document.
    if (document === undefined || !model.isHolding || released.has(document)) {
      respond();
    } else {
      model.requests += 1;
      held.set(response, { document, respond });
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
    // Requests to the model never time out, and only a sweep can find a dead worker's job.
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

/** Sends the documents to a process, waits until it exits, and returns its last line of output. */
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

function expectComplete(inspection: string): void {
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

/** A job whose worker dies at parsing it fails the second time. */
function isFirstParsing({ stage, attempts }: JobRow): boolean {
  return stage === "parsing" && attempts === 1;
}

function countEnded(jobs: Iterable<JobRow>): number {
  return [...jobs].filter(({ status }) => status !== "queued" && status !== "processing").length;
}

/** A process that works on the folder, with the job states it reports. */
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
  model.holdAgain();
  const { requests } = model;
  const ended = countEnded(jobs.values());
  const see = (what: string, look: () => unknown) =>
    until(
      what,
      () => look() || undefined,
      () => [...jobs.values()],
    );
  if (stage === "parsing") {
    await see(stage, () => {
      model.answerAll();
      return [...jobs.values()].some(isFirstParsing);
    });
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

/** A separate database on the test server, with a client to inspect it. */
async function createDatabase() {
  const name = `${process.env.FOOTNOTE_TEST_RUN}kill`;
  const url = new URL(process.env.TEST_DATABASE_URL ?? "");
  const admin = new pg.Client(url.href);
  await admin.connect();
  await admin.query(`CREATE DATABASE "${name}"`);
  await admin.end();
  url.pathname = `/${name}`;
  const [client, locker] = [new pg.Client(url.href), new pg.Client(url.href)];
  await Promise.all([client.connect(), locker.connect()]);
  onTestFinished(async () => {
    await Promise.all([client.end(), locker.end()]);
  });
  const rows = async <T extends pg.QueryResultRow>(text: string) =>
    (await client.query<T>(text)).rows;
  return {
    url: url.href,
    jobs: () => rows<JobRow>("SELECT id, status, stage, attempts, worker FROM job ORDER BY id"),
    /** The jobs that were started, with their state in the queue. */
    report: () =>
      rows(
        `SELECT j.id, j.status, j.stage, j.attempts, j.worker, j.error_code, q.state, q.retry_count,
                q.start_after - now() AS starts_in
           FROM job j LEFT JOIN pgboss.job q ON q.id = j.queue_id
          WHERE j.attempts > 0 OR q.state NOT IN ('created', 'retry') ORDER BY j.id`,
      ),
    /**
     * Blocks every index from being stored: its last statement, the charge, has to wait. On a connection of its own,
     * because inside a transaction PostgreSQL lists the connections of its first look alone.
     */
    lock: async () => {
      await locker.query("BEGIN");
      await locker.query("SELECT id FROM account FOR UPDATE");
    },
    unlock: () => locker.query("ROLLBACK"),
    countWaiting: async () =>
      (
        await rows(
          "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        )
      ).length,
  };
}

/** Waits until a worker reports that it is ready, and returns its number. */
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

/** Waits until a worker has a job at the stage, and returns the job. */
async function reachOnServer(
  stage: Stage,
  { server, model, workers }: { server: Server; model: Model; workers: Map<number, ChildProcess> },
): Promise<JobRow> {
  model.holdAgain();
  const see = <T>(what: string, look: () => Promise<T | undefined> | T | undefined) =>
    until(what, look, server.report);
  /** Jobs at the stage, fewest attempts first, because no job may reach a ninth attempt. */
  const findAt = async (wanted: string) =>
    (await server.jobs())
      .filter((job) => job.stage === wanted && workers.has(job.worker ?? 0))
      .sort((one, other) => one.attempts - other.attempts);
  if (stage === "parsing") {
    return see(stage, async () => {
      model.releaseOne();
      return (await findAt(stage)).find(isFirstParsing);
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
 * Waits until a job is started again or has completed. The workers may first pick up earlier jobs from the
 * queue and wait for the model with them; then one worker is released at a time.
 */
async function seeNextAttempt(
  job: JobRow,
  { server, model }: { server: Server; model: Model },
): Promise<void> {
  await until(
    `another attempt at ${job.id} after ${job.attempts}`,
    async () => {
      model.releaseOne();
      return (await server.jobs()).find(
        ({ id, attempts, status }) =>
          id === job.id && (attempts > job.attempts || status === "completed"),
      );
    },
    server.report,
  );
}
