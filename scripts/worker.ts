import { startTelemetry, stopTelemetry } from "@/lib/operations/telemetry/start";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { readMigrationState } from "@/lib/platform/queue/read";
import { closeAll, startJobs, stopBackgroundWork } from "@/server/background";

// `npm run worker`: runs document jobs on the web processes' database, which can set RUN_JOBS=false. Any number of workers
// may run; SIGTERM stops one gracefully.

/** Below the 30 s of container platforms; a job that needs longer goes to another worker. */
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
      "The embedded database supports one process, which runs document jobs itself. Set DATABASE_URL to run separate workers.",
    );
  }
  const { pending, unknown } = await readMigrationState();
  if (unknown.length > 0) {
    throw new Error(
      `A newer version has changed this database (${unknown.join(", ")}). Run that version's worker.`,
    );
  }
  if (pending.length > 0) {
    throw new Error(
      `The database is missing ${pending.length} of this version's migrations. Start the app first to apply them.`,
    );
  }
  await startTelemetry();
  const worker = await startJobs();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // A second signal ends the process at once.
    process.once(signal, () => stop(signal));
  }
  log.info({ worker, concurrency: env.JOB_CONCURRENCY }, "worker ready");
}

async function stop(signal: string): Promise<void> {
  try {
    await stopBackgroundWork(GRACE_MS);
    await closeAll();
  } catch (cause) {
    log.error({ err: cause }, "graceful worker shutdown failed");
  }
  await stopTelemetry();
  log.info({ signal }, "worker stopped");
  process.exit(0);
}
