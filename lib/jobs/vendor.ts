import { randomUUID } from "node:crypto";
import { PgBoss } from "pg-boss";
import { LOCKS } from "@/lib/db/advisory-lock";
import { execute, query, type Transaction } from "@/lib/db/client";
import { asSystem } from "@/lib/db/tenant-context";
import { embeddedDataDir, env } from "@/lib/env";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/singleton";

const QUEUE = "document";
const POLL_SECONDS = 0.5;
/** The waits grow from a second, to six minutes in all: an embedding model that is away may come back. */
const LONGEST_WAIT_SECONDS = 300;
/** How often a job is begun at most, however its workers end. */
export const MAX_ATTEMPTS = 9;
/** The job's own deadline comes first; this one is for a worker that does not keep it. */
const EXPIRY_GRACE_SECONDS = 60;
/** How long a job that was told to stop at the end of the grace time has to do so. */
const RELEASE_MS = 5000;
const NO_JOB = "00000000-0000-0000-0000-000000000000";

interface JobData {
  jobId: string;
}

/** A job that is open and that nobody works on. */
export interface OrphanedJob extends Record<string, unknown> {
  id: string;
  attempts: number;
  /** Its row in the queue; null for a job from before rows were noted. */
  queue_id: string | null;
  /** How the queue has it: `active` under a worker that is gone, `failed`, or null for not at all. */
  queue_state: "active" | "failed" | null;
  retry_count: number | null;
}

const started = processSingleton(
  "job queue",
  (): { queue?: Promise<PgBoss>; jobs?: Set<Promise<void>> } => ({}),
);

/** The queue's client, started once a process; its tables are made on its first start. */
function queue(): Promise<PgBoss> {
  // Its timers live as long as the process, and are of no tenant.
  started.queue ??= asSystem(openQueue);
  return started.queue;
}

async function openQueue(): Promise<PgBoss> {
  const boss = new PgBoss({ db: { executeSql: execute }, schedule: false });
  boss.on("error", (cause) => log.error({ err: cause }, "job queue failed"));
  await boss.start();
  await boss.createQueue(QUEUE);
  // Apart from its making, because a queue that is there already would keep the options it was made with.
  await boss.updateQueue(QUEUE, {
    retryLimit: MAX_ATTEMPTS,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: LONGEST_WAIT_SECONDS,
    expireInSeconds: env.JOB_DEADLINE_SECONDS + EXPIRY_GRACE_SECONDS,
    // The embedded database has no other process that could take a job over, and is busy for long at a time.
    heartbeatSeconds: embeddedDataDir ? null : env.JOB_HEARTBEAT_SECONDS,
    deadLetter: null,
  });
  // Both drop the queue from the client's cache, and `send` would look it up outside the caller's
  // transaction: on the embedded database's one connection it would wait for itself. Any look-up of a
  // job fills the cache.
  await boss.getJobById(QUEUE, NO_JOB);
  return boss;
}

/** Opens the queue, which must not be opened inside a transaction; its first opening makes its tables. */
export async function openJobQueue(): Promise<void> {
  await queue();
}

/** Queues a job in the caller's transaction, and gives the id of its row in the queue. */
export async function enqueue(tx: Transaction, jobId: string): Promise<string> {
  const boss = await queue();
  const id = randomUUID();
  const data: JobData = { jobId };
  await tx.asOwner(() => boss.send(QUEUE, data, { id, db: { executeSql: tx.execute } }));
  return id;
}

/** Takes a job out of the queue; who works on it loses it. */
export async function dequeue(tx: Transaction, queueId: string | null): Promise<void> {
  if (queueId) {
    const boss = await queue();
    await tx.asOwner(() => boss.cancel(QUEUE, queueId, { db: { executeSql: tx.execute } }));
  }
}

/** Gives the job of a dead worker to the next one at once. Nothing happens when it was given already. */
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

/**
 * Open jobs that nobody works on. `graceSeconds`: how long after it was taken from the queue a job may
 * have no worker's name yet. `isThorough` also looks at waiting jobs, of which there may be many.
 */
export function findOrphanedJobs(options: {
  graceSeconds: number;
  isThorough: boolean;
}): Promise<OrphanedJob[]> {
  return query<OrphanedJob>(
    "documents_find_orphaned_jobs",
    `SELECT j.id, j.attempts, j.queue_id, q.retry_count,
            CASE WHEN q.state IN ('active', 'failed') THEN q.state::text END AS queue_state
       FROM job j LEFT JOIN pgboss.job q ON q.name = '${QUEUE}' AND q.id = j.queue_id
      WHERE j.status = ANY($1)
        AND (q.id IS NULL OR q.state IN ('completed', 'cancelled', 'failed')
             OR (q.state = 'active'
                 AND (j.worker IS NOT NULL OR q.started_on < now() - make_interval(secs => $2))
                 AND NOT EXISTS (SELECT 1 FROM pg_locks l
                       WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
                         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                         AND l.classid = ${LOCKS.worker} AND l.objid::int8 = j.worker)))
      ORDER BY j.id LIMIT 1000`,
    [options.isThorough ? ["queued", "processing"] : ["processing"], options.graceSeconds],
  );
}

/** Starts this process's workers: `work` does a job until the signal ends, and throws to have it tried again. */
export async function startWorkers(
  work: (jobId: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const boss = await queue();
  const running = new Set<Promise<void>>();
  started.jobs = running;
  for (let count = 0; count < env.JOB_CONCURRENCY; count += 1) {
    const slot: { id?: string } = {};
    slot.id = await boss.work<JobData>(
      QUEUE,
      { pollingIntervalSeconds: POLL_SECONDS },
      async ([job]) => {
        if (job) {
          // Who had a job looks for the next one at once; only an empty queue is worth a pause.
          boss.notifyWorker(slot.id ?? "");
          await track(running, work(job.data.jobId, job.signal));
        }
      },
    );
  }
}

async function track(running: Set<Promise<void>>, run: Promise<void>): Promise<void> {
  const ended = run.catch(() => {});
  running.add(ended);
  await run.finally(() => running.delete(ended));
}

/** Takes no more jobs and lets running ones end; what is not done after `graceMs` goes back to the queue. */
export async function stopQueue(graceMs = 30_000): Promise<void> {
  const boss = await started.queue;
  delete started.queue;
  await boss?.stop({ graceful: true, close: false, timeout: graceMs });
  const late = new Promise<void>((resolve) => setTimeout(resolve, RELEASE_MS).unref());
  await Promise.race([Promise.all(started.jobs ?? []), late]);
}
