import { PgBoss } from "pg-boss";
import { execute, type Session } from "@/lib/db";
import { log } from "@/lib/log";

const QUEUE = "document";
const DEAD_QUEUE = "document-dead";
const POLL_SECONDS = 0.5;
/** A worker that says nothing for this long is taken for dead, and its job goes to another. */
const HEARTBEAT_SECONDS = 30;
const DEADLINE_SECONDS = 15 * 60;
const RETRIES = 3;
const NO_JOB = "00000000-0000-0000-0000-000000000000";

interface JobData {
  jobId: string;
}

const shared = globalThis as typeof globalThis & {
  footnoteQueue?: Promise<PgBoss>;
};

/** The queue's client, started once a process; its tables are made on its first start. */
function queue(): Promise<PgBoss> {
  shared.footnoteQueue ??= openQueue();
  return shared.footnoteQueue;
}

async function openQueue(): Promise<PgBoss> {
  const boss = new PgBoss({ db: { executeSql: execute }, schedule: false });
  boss.on("error", (cause) => log.error({ err: cause }, "job queue failed"));
  await boss.start();
  await boss.createQueue(DEAD_QUEUE);
  await boss.createQueue(QUEUE, {
    retryLimit: RETRIES,
    retryDelay: 1,
    retryBackoff: true,
    expireInSeconds: DEADLINE_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deadLetter: DEAD_QUEUE,
  });
  // Making a queue drops it from the client's cache, and `send` would look it up outside the caller's
  // transaction: on the embedded database's one connection it would wait for itself. Any look-up of a
  // job fills the cache.
  await boss.getJobById(QUEUE, NO_JOB);
  return boss;
}

/** Makes sure the queue's tables are there; without it the first upload would make them. */
export async function openJobQueue(): Promise<void> {
  await queue();
}

/** Queues a job in the caller's transaction: it is there exactly when the document is. */
export async function enqueue(tx: Session, jobId: string): Promise<void> {
  const boss = await queue();
  const data: JobData = { jobId };
  await boss.send(QUEUE, data, { db: { executeSql: tx.execute } });
}

/** Starts this process's worker: `work` does a job and throws to have it tried again, `giveUp` ends it. */
export async function startWorker(
  work: (jobId: string) => Promise<void>,
  giveUp: (jobId: string) => Promise<void>,
): Promise<void> {
  const boss = await queue();
  await boss.work<JobData>(QUEUE, { pollingIntervalSeconds: POLL_SECONDS }, async ([job]) => {
    if (job) {
      await work(job.data.jobId);
    }
  });
  await boss.work<JobData>(DEAD_QUEUE, { pollingIntervalSeconds: POLL_SECONDS }, async ([job]) => {
    if (job) {
      await giveUp(job.data.jobId);
    }
  });
}

/** Lets the running job end, then stops. */
export async function stopQueue(): Promise<void> {
  const boss = await shared.footnoteQueue;
  delete shared.footnoteQueue;
  await boss?.stop({ graceful: true, close: false });
}
