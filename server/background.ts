import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { findVerifier } from "@/lib/answers/chat/verifier";
import { deleteExpiredCompletions } from "@/lib/answers/chat/write/delete-stored";
import { deleteExpiredIdempotency } from "@/lib/answers/chat/write/idempotent";
import { closeOcrPool } from "@/lib/library/documents/processes/ocr-pool";
import { closePageImages } from "@/lib/library/documents/processes/page-images";
import { closeParserPool } from "@/lib/library/documents/processes/parser-pool";
import { closeUploadThread } from "@/lib/library/documents/receive/upload-thread";
import { calibrateSpace } from "@/lib/library/documents/write/calibrate-space";
import { flushTermKeys } from "@/lib/library/documents/write/index-document";
import { deleteUnwantedOriginals } from "@/lib/library/documents/write/originals";
import { processJob } from "@/lib/library/documents/write/process-job";
import {
  CLAIM_GRACE_SECONDS,
  recoverOrphanedJobs,
  renewJobHolds,
} from "@/lib/library/documents/write/recover-jobs";
import { reindexSome } from "@/lib/library/documents/write/reindex-cycle";
import { deleteExpiredUploads } from "@/lib/library/documents/write/upload-slices";
import { maintainVectorIndexes } from "@/lib/library/documents/write/vector-index";
import { embedder, readEmbeddingSettings } from "@/lib/models/embedding";
import { missingPrefixes } from "@/lib/models/model-prefixes";
import { RENEW_HOLD_EVERY_MS, releaseExpiredHolds } from "@/lib/money/billing/write/hold";
import { sendLowBalanceAlerts } from "@/lib/money/billing/write/low-balance";
import { sweepPayments } from "@/lib/money/billing/write/payment-sweep";
import { deleteExpiredUsage } from "@/lib/money/billing/write/retention";
import { deleteExpiredRefusals, recordRefusal } from "@/lib/money/usage/write";
import { deleteExpiredEvents } from "@/lib/platform/audit/write";
import { closeDatabase } from "@/lib/platform/db/client";
import { withoutStatementTimeout, withStatementTimeout } from "@/lib/platform/db/timeouts";
import { embeddedDataDir, env } from "@/lib/platform/env";
import { onRefusal } from "@/lib/platform/http/refusals";
import { log } from "@/lib/platform/log";
import { startWorkers, stopQueue } from "@/lib/platform/queue/vendor";
import { acquireWorkerLease, type WorkerLease } from "@/lib/platform/queue/write/worker-lease";
import { processSingleton } from "@/lib/singleton";

const MINUTE_MS = 60_000;
/** The hold of a dead process must not outlive its lease by much. */
const HOLD_SWEEP_MS = Math.min(MINUTE_MS / 4, RENEW_HOLD_EVERY_MS);
/** How soon another worker takes over a dead worker's jobs. */
const TAKEOVER_MS = 2000;
/** How long new passages may slow down searches. */
const FLUSH_MS = 10_000;
/** Reindex this many chunks, then leave the database to jobs and searches for a moment. */
const REINDEX_CHUNKS = 200;
const REINDEX_PAUSE_MS = 50;

/** Next.js's copy of this module starts the work, our server's copy stops it. */
const background = processSingleton(
  "background work",
  (): { work?: { lease: WorkerLease; scheduler: Scheduler } } => ({}),
);

/** Starts the background work of a server. A failure ends the process with a one-line message. */
export async function startServer(): Promise<void> {
  try {
    // An operator sees at once that a model can't do what it is named for.
    findVerifier();
    readEmbeddingSettings(env);
    withStatementTimeout();
    onRefusal(recordRefusal);
    await withoutStatementTimeout(startBackgroundWork);
  } catch (cause) {
    process.stderr.write(`\n${cause instanceof Error ? cause.message : String(cause)}\n`);
    process.exit(1);
  }
}

/** Starts everything a process does besides answering requests. RUN_JOBS=false leaves the jobs to workers. */
export async function startBackgroundWork(): Promise<void> {
  void embedder(new AbortController().signal).catch((cause: unknown) =>
    log.error({ err: cause }, "embedding model is unavailable"),
  );
  const advice = missingPrefixes(env);
  if (advice) {
    log.warn(advice);
  }
  if (env.RUN_JOBS) {
    await startJobs();
  }
}

/** Runs document jobs and scheduled tasks. Returns the worker's number. */
export async function startJobs(): Promise<number> {
  const lease = await acquireWorkerLease();
  const scheduler = createScheduler();
  await scheduler.run("recover orphaned jobs", () =>
    // The embedded database has only this process, so every running job is a dead process's.
    recoverOrphanedJobs({
      graceSeconds: embeddedDataDir ? 0 : CLAIM_GRACE_SECONDS,
      isThorough: true,
    }),
  );
  // Renew before releasing: a job may have waited for longer than its lease.
  await scheduler.run("renew holds of jobs", renewJobHolds);
  await scheduler.run("release expired holds", releaseHolds);
  // Not awaited: an unreachable payment provider or mail server must not delay the start.
  void scheduler.run("sync payments", sweepPayments);
  void scheduler.run("send low balance alerts", sendAlerts);
  await startWorkers((jobId, signal) => processJob(jobId, { signal, worker: lease.worker }));
  schedule(scheduler);
  background.work = { lease, scheduler };
  return lease.worker;
}

function schedule(scheduler: Scheduler): void {
  const { every } = scheduler;
  const recover = (isThorough: boolean) => () =>
    recoverOrphanedJobs({ graceSeconds: CLAIM_GRACE_SECONDS, isThorough });
  every(TAKEOVER_MS, "take over jobs of dead workers", recover(false));
  every(MINUTE_MS, "recover orphaned jobs", recover(true));
  every(MINUTE_MS, "renew holds of jobs", renewJobHolds);
  every(HOLD_SWEEP_MS, "release expired holds", releaseHolds);
  every(MINUTE_MS, "sync payments", sweepPayments);
  every(MINUTE_MS, "send low balance alerts", sendAlerts);
  every(FLUSH_MS, "flush term keys", flushTermKeys);
  every(MINUTE_MS, "maintain search indexes", () => maintainIndexes(scheduler));
  every(60 * MINUTE_MS, "delete expired usage", async () =>
    logCounts(await deleteExpiredUsage(), "deleted expired usage records and closed holds"),
  );
  const deleteEvery = (minutes: number, what: string, run: () => Promise<number>) =>
    every(minutes * MINUTE_MS, `delete ${what}`, async () =>
      logCounts({ deleted: await run() }, `deleted ${what}`),
    );
  deleteEvery(1, "originals that aren't kept", deleteUnwantedOriginals);
  deleteEvery(1, "expired uploads", deleteExpiredUploads);
  deleteEvery(60, "expired refused requests", deleteExpiredRefusals);
  deleteEvery(5, "expired completions", deleteExpiredCompletions);
  deleteEvery(5, "answers kept for repetition", deleteExpiredIdempotency);
  deleteEvery(60, "expired audit events", deleteExpiredEvents);
}

/** Waits for running jobs and tasks. Jobs that aren't done within `graceMs` return to the queue. */
export async function stopBackgroundWork(graceMs?: number): Promise<void> {
  const { work } = background;
  delete background.work;
  const stopped = work?.scheduler.stop();
  await stopQueue(graceMs);
  await stopped;
  await work?.lease.release();
}

/** Closes what requests and jobs share, at the end of the process. */
export async function closeAll(): Promise<void> {
  await Promise.all([closeParserPool(), closeOcrPool(), closePageImages(), closeUploadThread()]);
  await closeDatabase();
}

/**
 * Reindexes chunks of an older lexicon or embedding model, then maintains the vector indexes. A new model is calibrated
 * with its first vectors, so that searches use them, and again when they are complete.
 */
async function maintainIndexes(scheduler: Scheduler): Promise<void> {
  const calibrate = (when: "missing" | "grown") =>
    scheduler.run("calibrate the embedding space", () => calibrateSpace({ when }));
  await calibrate("missing");
  const reindex = () => scheduler.run("reindex chunks", () => reindexSome(REINDEX_CHUNKS));
  while (!scheduler.isStopped && (await reindex())) {
    await sleep(REINDEX_PAUSE_MS);
  }
  if (!scheduler.isStopped) {
    await calibrate("grown");
    await maintainVectorIndexes();
  }
}

async function releaseHolds(): Promise<void> {
  const released = await releaseExpiredHolds();
  if (released > 0) {
    log.warn({ released }, "released holds of dead processes");
  }
}

async function sendAlerts(): Promise<void> {
  logCounts({ sent: await sendLowBalanceAlerts() }, "sent low balance alerts");
}

/** Logs what a task did, unless that is nothing. */
function logCounts(counts: Record<string, number>, message: string): void {
  if (Object.values(counts).some((count) => count > 0)) {
    log.info(counts, message);
  }
}

/** How long running tasks may delay shutdown. An index that is being built is left to the database. */
const STOP_GRACE_MS = 2000;

interface Scheduler {
  readonly isStopped: boolean;
  /** Runs a task at an interval, never twice at the same time. */
  every(intervalMs: number, name: string, task: () => Promise<unknown>): void;
  /** Runs a task now. A failure is logged, and the result is then null. */
  run<T>(name: string, task: () => Promise<T>): Promise<T | null>;
  stop(): Promise<void>;
}

function createScheduler(): Scheduler {
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, Promise<unknown>>();
  let isStopped = false;

  async function run<T>(name: string, task: () => Promise<T>): Promise<T | null> {
    const result = task();
    running.set(name, result);
    try {
      return await result;
    } catch (cause) {
      log.error({ err: cause, task: name }, "scheduled task failed");
      return null;
    } finally {
      running.delete(name);
    }
  }

  return {
    get isStopped() {
      return isStopped;
    },
    every(intervalMs, name, task) {
      const start = () => (running.has(name) ? null : run(name, task));
      timers.push(setInterval(start, intervalMs).unref());
    },
    run,
    async stop() {
      isStopped = true;
      timers.forEach(clearInterval);
      const ended = Promise.allSettled(running.values());
      await Promise.race([ended, sleep(STOP_GRACE_MS, null, { ref: false })]);
    },
  };
}
