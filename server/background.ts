import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { deleteExpiredEvents } from "@/lib/audit/write";
import { RENEW_HOLD_EVERY_MS, releaseExpiredHolds } from "@/lib/billing/write/hold";
import { sendLowBalanceAlerts } from "@/lib/billing/write/low-balance";
import { deleteExpiredUsage } from "@/lib/billing/write/retention";
import { sweepPayments } from "@/lib/billing/write/sweep-payments";
import { deleteExpiredCompletions } from "@/lib/chat/write/delete-expired";
import { closeDatabase } from "@/lib/db/client";
import { withoutStatementTimeout, withStatementTimeout } from "@/lib/db/timeouts";
import { closeParserPool } from "@/lib/documents/parse/pool";
import { startWorkers, stopQueue } from "@/lib/jobs/vendor";
import { processJob } from "@/lib/documents/write/process-job";
import { reindexSome } from "@/lib/documents/write/reindex";
import {
  CLAIM_GRACE_SECONDS,
  recoverOrphanedJobs,
  renewJobHolds,
} from "@/lib/documents/write/recover-jobs";
import { maintainVectorIndexes } from "@/lib/documents/write/vector-index";
import { acquireWorkerLease, type WorkerLease } from "@/lib/jobs/write/worker-lease";
import { embeddedDataDir, env } from "@/lib/env";
import { log } from "@/lib/log";
import { embedder } from "@/lib/models/embedding";
import { processSingleton } from "@/lib/singleton";

const SWEEP_MS = 60_000;
/** Money that a dead process holds is free again soon after its lease ends. */
const HOLD_SWEEP_MS = Math.min(SWEEP_MS / 4, RENEW_HOLD_EVERY_MS);
/** Usage records, closed holds and stored answers are deleted long after their time; nobody waits for it. */
const RETENTION_SWEEP_MS = 60 * SWEEP_MS;
/** How soon the jobs of a worker that died go to another one. */
const TAKE_OVER_MS = 2000;
/** How many chunks are indexed again before jobs and searches have the database to themselves for a moment. */
const REINDEX_CHUNKS = 200;
const BREATHER_MS = 50;
/** How long a sweep may still take at the end; an index that is being built is left to the database. */
const SWEEP_GRACE_MS = 2000;

interface Work {
  presence: WorkerLease;
  timers: NodeJS.Timeout[];
}

// One for both copies of this module: Next's starts the work, our own server ends it.
const background = processSingleton("background work", () => ({
  work: null as Work | null,
  /** Sweeps at work. */
  underWay: new Set<Promise<unknown>>(),
}));
const { underWay } = background;
let isAtUpkeep = false;
let isAtPayments = false;
let isAtLowBalances = false;

/** Starts the background work; a process that cannot do it ends, and says why in one line. */
export async function startServer(): Promise<void> {
  try {
    withStatementTimeout();
    await withoutStatementTimeout(startBackgroundWork);
  } catch (cause) {
    process.stderr.write(`\n${cause instanceof Error ? cause.message : String(cause)}\n`);
    process.exit(1);
  }
}

/** Starts what this process does besides answering requests, unless RUN_JOBS leaves it to others. */
export async function startBackgroundWork(): Promise<void> {
  void attempt("the embedding model's first use", () => embedder(new AbortController().signal));
  if (env.RUN_JOBS) {
    await startJobs();
  }
}

/** Takes document jobs, and sweeps jobs and holds whose process died. Returns the worker's number. */
export async function startJobs(): Promise<number> {
  const presence = await acquireWorkerLease();
  const { worker } = presence;
  // The embedded database has one process: whatever is at work in it now was begun by a dead one.
  await sweep({ graceSeconds: embeddedDataDir ? 0 : CLAIM_GRACE_SECONDS, isThorough: true });
  await startWorkers((jobId, signal) => processJob(jobId, { signal, worker }));
  background.work = {
    presence,
    timers: [
      setInterval(() => sweep({ graceSeconds: CLAIM_GRACE_SECONDS, isThorough: true }), SWEEP_MS),
      setInterval(takeOver, TAKE_OVER_MS),
      setInterval(upkeep, SWEEP_MS),
      setInterval(sweepHolds, HOLD_SWEEP_MS),
      setInterval(sweepOld, RETENTION_SWEEP_MS),
    ].map((timer) => timer.unref()),
  };
  return worker;
}

/** Lets running jobs and sweeps end; jobs that do not within `graceMs` go back to the queue. */
export async function stopBackgroundWork(graceMs?: number): Promise<void> {
  const work = background.work;
  background.work = null;
  work?.timers.forEach(clearInterval);
  await stopQueue(graceMs);
  await Promise.race([Promise.all(underWay), sleep(SWEEP_GRACE_MS, null, { ref: false })]);
  await work?.presence.release();
}

/** The end of a process: when nothing is asked of it any more. */
export async function closeAll(): Promise<void> {
  await closeParserPool();
  await closeDatabase();
}

async function takeOver(): Promise<void> {
  await attempt("jobs of dead workers", () =>
    recoverOrphanedJobs({ graceSeconds: CLAIM_GRACE_SECONDS, isThorough: false }),
  );
}

async function sweep(options: Parameters<typeof recoverOrphanedJobs>[0]): Promise<void> {
  await attempt("stray jobs", () => recoverOrphanedJobs(options));
  // First renewed, then released: a job that has waited for a day keeps its money.
  await attempt("holds of waiting jobs", renewJobHolds);
  await sweepHolds();
  // Not waited for: a provider or a mail server that is away must hold up neither the start nor the jobs.
  void atPayments();
  void atLowBalances();
}

/** One round at a time: a provider that answers slowly makes it long. */
async function atPayments(): Promise<void> {
  if (!isAtPayments) {
    isAtPayments = true;
    await attempt("payments", sweepPayments);
    isAtPayments = false;
  }
}

/** One round at a time, for the same reason. */
async function atLowBalances(): Promise<void> {
  if (!isAtLowBalances) {
    isAtLowBalances = true;
    const sent = await attempt("low balances", sendLowBalanceAlerts);
    isAtLowBalances = false;
    if (sent) {
      log.info({ sent }, "told owners that their balance is low");
    }
  }
}

async function sweepHolds(): Promise<void> {
  const released = await attempt("expired holds", releaseExpiredHolds);
  if (released) {
    log.warn({ released }, "released holds whose process died");
  }
}

async function sweepOld(): Promise<void> {
  const swept = await attempt("old usage records", () => deleteExpiredUsage());
  if (swept && swept.records + swept.holds > 0) {
    log.info(swept, "deleted old usage records and closed holds");
  }
  const forgotten = await attempt("old stored answers", () => deleteExpiredCompletions());
  if (forgotten) {
    log.info({ forgotten }, "deleted old stored answers");
  }
  const events = await attempt("old audit events", () => deleteExpiredEvents());
  if (events) {
    log.info({ events }, "deleted old audit events");
  }
}

/**
 * Indexes again what an older lexicon or another embedding model made, then sees to the vectors' indexes.
 * One round may take long, and the next one does not begin meanwhile.
 */
async function upkeep(): Promise<void> {
  if (isAtUpkeep) {
    return;
  }
  isAtUpkeep = true;
  while (background.work && (await attempt("stale chunks", () => reindexSome(REINDEX_CHUNKS)))) {
    await sleep(BREATHER_MS);
  }
  if (background.work) {
    await attempt("indexes of vectors", () => maintainVectorIndexes());
  }
  isAtUpkeep = false;
}

/** A sweep that fails is made again in its time; the rest of the process goes on. */
async function attempt<T>(what: string, work: () => Promise<T>): Promise<T | null> {
  const run = work();
  underWay.add(run);
  try {
    return await run;
  } catch (cause) {
    log.error({ err: cause, what }, "background work failed");
    return null;
  } finally {
    underWay.delete(run);
  }
}
