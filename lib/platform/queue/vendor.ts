import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { execute, type Transaction } from "@/lib/platform/db/client";
import { asSystem } from "@/lib/platform/db/tenant-context";
import { embeddedDataDir, env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { processSingleton } from "@/lib/singleton";

const QUEUE = "document";
const POLL_SECONDS = 0.5;
/** Retry delays grow from one second, about six minutes in all, so that an embedding model has time to recover. */
const MAX_RETRY_DELAY_SECONDS = 300;
/** How often a job may start, however its workers end. */
export const MAX_ATTEMPTS = 9;
/** A job has its own, earlier deadline. This one is for a worker that misses it. */
const EXPIRY_GRACE_SECONDS = 60;
/** How long an aborted job has to return to the queue at shutdown. */
const RELEASE_MS = 5000;
/** A process reads this many slow jobs at once. The thread that is left reads the small files of everyone. */
const SLOW_JOBS = Math.max(1, Math.min(env.JOB_CONCURRENCY, env.PARSE_THREADS) - 1);
const SLOW_GROUP = { id: "slow" };
/** Less than the largest priority. */
const MAX_VIRTUAL_FINISH = 2_000_000_000;
const NO_JOB = "00000000-0000-0000-0000-000000000000";

/** The queue's rows as a SQL relation (id, state, started_on, retry_count), for joins with the table of jobs. */
export const QUEUE_ROWS = `(SELECT id, state, started_on, retry_count FROM pgboss.job WHERE name = '${QUEUE}')`;

const shared = processSingleton(
  "job queue",
  (): { client?: Promise<PgBoss>; running?: Set<Promise<void>> } => ({}),
);

/** The queue's client, one per process. Its first start creates its tables. */
function queue(): Promise<PgBoss> {
  // Its timers outlive the request that starts it, so they must not run as that request's tenant.
  shared.client ??= asSystem(openQueue);
  return shared.client;
}

async function openQueue(): Promise<PgBoss> {
  const boss = new PgBoss({ db: { executeSql: execute }, schedule: false });
  boss.on("error", (cause) => log.error({ err: cause }, "job queue failed"));
  await boss.start();
  await boss.createQueue(QUEUE);
  // createQueue leaves the options of an existing queue as they are.
  await boss.updateQueue(QUEUE, {
    retryLimit: MAX_ATTEMPTS,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: MAX_RETRY_DELAY_SECONDS,
    expireInSeconds: env.JOB_DEADLINE_SECONDS + EXPIRY_GRACE_SECONDS,
    // The embedded database is busy for long at a time, and has no other process that could take over a job.
    heartbeatSeconds: embeddedDataDir ? null : env.JOB_HEARTBEAT_SECONDS,
    deadLetter: null,
  });
  // createQueue and updateQueue evict the queue from the client's cache. A later `send` would look it up outside
  // the caller's transaction and deadlock on the embedded database's only connection. Any lookup fills the cache.
  await boss.getJobById(QUEUE, NO_JOB);
  return boss;
}

/** Call it before a transaction that uses the queue: on the embedded database, opening it inside one deadlocks. */
export async function openJobQueue(): Promise<void> {
  await queue();
}

/** A job's place in the queue: the lowest `virtualFinish` of all accounts runs first. */
export interface QueuedJob {
  id: string;
  virtualFinish: number;
  /** It may take long, so it leaves one worker to the others. */
  isSlow: boolean;
}

/** Queues a job in the caller's transaction. Returns the id of its queue row. */
export async function enqueue(tx: Transaction, job: QueuedJob): Promise<string> {
  const boss = await queue();
  const id = randomUUID();
  const options = {
    id,
    priority: -Math.min(job.virtualFinish, MAX_VIRTUAL_FINISH),
    ...(job.isSlow && { group: SLOW_GROUP }),
    db: { executeSql: tx.execute },
  };
  await tx.asOwner(() => boss.send(QUEUE, { jobId: job.id }, options));
  return id;
}

/**
 * The virtual time of the queue: that of the job that runs next, or of the last one that was taken if none waits. Jobs
 * that wait for a retry don't count: they would keep it from advancing.
 */
export async function readVirtualTime(tx: Transaction): Promise<number> {
  const [row] = await tx.asOwner(() =>
    tx.query<{ virtual_time: number }>(
      "jobs_virtual_time",
      `SELECT coalesce(
         (SELECT -priority FROM pgboss.job
           WHERE name = '${QUEUE}' AND state < 'active' AND NOT blocked AND start_after <= now()
           ORDER BY priority DESC LIMIT 1),
         (SELECT max(-priority) FROM pgboss.job WHERE name = '${QUEUE}' AND state = 'active'),
         0) AS virtual_time`,
    ),
  );
  return row?.virtual_time ?? 0;
}

/** Moves waiting jobs back in the queue and makes them slow ones. */
export async function deferInQueue(
  tx: Transaction,
  queueIds: readonly string[],
  virtualDelay: number,
): Promise<void> {
  await tx.asOwner(() =>
    tx.query(
      "jobs_defer",
      `UPDATE pgboss.job SET priority = greatest(priority - $2, ${-MAX_VIRTUAL_FINISH}), group_id = $3
        WHERE name = '${QUEUE}' AND id = ANY($1::uuid[]) AND state < 'active'`,
      [queueIds, virtualDelay, SLOW_GROUP.id],
    ),
  );
}

/** Removes a job from the queue. A worker that is running it loses it. */
export async function dequeue(tx: Transaction, queueId: string | null): Promise<void> {
  if (queueId) {
    const boss = await queue();
    await tx.asOwner(() => boss.cancel(QUEUE, queueId, { db: { executeSql: tx.execute } }));
  }
}

/** Makes a dead worker's job available again without delay. Does nothing if another process already did. */
export async function requeue(
  tx: Transaction,
  row: { queueId: string; retryCount: number },
): Promise<void> {
  const boss = await queue();
  const db = { executeSql: tx.execute };
  const claim = { id: row.queueId, retryCount: row.retryCount };
  await boss.fail(QUEUE, claim, { message: "the worker is gone" }, { db });
  await boss.update(QUEUE, undefined, { id: row.queueId, startAfter: 0, db });
}

/** Starts this process's workers. `work` runs one job until the signal aborts; a rejection means retry. */
export async function startWorkers(
  work: (jobId: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const boss = await queue();
  const running = new Set<Promise<void>>();
  shared.running = running;
  for (let count = 0; count < env.JOB_CONCURRENCY; count += 1) {
    const slot: { id?: string } = {};
    slot.id = await boss.work<{ jobId: string }>(
      QUEUE,
      { pollingIntervalSeconds: POLL_SECONDS, localGroupConcurrency: SLOW_JOBS },
      async ([job]) => {
        if (job) {
          // Poll again right after a job; wait for the interval only when the queue is empty.
          boss.notifyWorker(slot.id ?? "");
          const run = work(job.data.jobId, job.signal);
          const ended: Promise<void> = run.catch(() => {}).finally(() => running.delete(ended));
          running.add(ended);
          await run;
        }
      },
    );
  }
}

/** Stops taking jobs and waits for running ones. Those not done after `graceMs` return to the queue. */
export async function stopQueue(graceMs = 30_000): Promise<void> {
  const boss = await shared.client;
  delete shared.client;
  await boss?.stop({ graceful: true, close: false, timeout: graceMs });
  await Promise.race([Promise.all(shared.running ?? []), sleep(RELEASE_MS, null, { ref: false })]);
}
