import { env } from "@/lib/env";
import { listPendingMigrations } from "@/lib/jobs/read";
import { closeAll, startJobs, stopBackgroundWork } from "@/lib/jobs/write";
import { log } from "@/lib/log";
import { startTelemetry, stopTelemetry } from "@/lib/telemetry/start";

// `npm run worker`: document jobs beside the web processes, on the same server database. RUN_JOBS=false
// leaves the jobs to it. Any number of workers may run; SIGTERM ends one in order.

/** Below the 30 s that container platforms give; a job that needs longer goes to another worker. */
const GRACE_MS = 20_000;

try {
  await start();
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  if (!env.DATABASE_URL) {
    throw new Error(
      "The embedded database has one process, which runs the document jobs itself: set DATABASE_URL to run workers beside it.",
    );
  }
  const pending = await listPendingMigrations();
  if (pending.length > 0) {
    throw new Error(
      `The database lacks ${pending.length} of this version's migrations. Start the app first, which applies them.`,
    );
  }
  await startTelemetry();
  const worker = await startJobs();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // A second signal ends the process at once, as it would any other.
    process.once(signal, () => stop(signal));
  }
  log.info({ worker, concurrency: env.JOB_CONCURRENCY }, "worker ready");
}

async function stop(signal: string): Promise<void> {
  try {
    await stopBackgroundWork(GRACE_MS);
    await closeAll();
  } catch (cause) {
    log.error({ err: cause }, "the worker could not stop in order");
  }
  await stopTelemetry();
  log.info({ signal }, "worker stopped");
  process.exit(0);
}
