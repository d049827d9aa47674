import { env } from "@/lib/env";
import { listPendingMigrations } from "@/lib/jobs/read";
import { log } from "@/lib/log";
import { startTelemetry, stopTelemetry } from "@/lib/telemetry/start";
import { closeAll, startJobs, stopBackgroundWork } from "@/server/background";

// `npm run worker`: runs document jobs on the same database server as the web processes. Any number of workers may
// run. RUN_JOBS=false stops the web processes from running jobs too. SIGTERM shuts a worker down gracefully.

/** Below the 30 s that container platforms allow. A longer job goes to another worker. */
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
      "The embedded database has only one process, which also runs the document jobs. Set DATABASE_URL to run workers.",
    );
  }
  const pending = await listPendingMigrations();
  if (pending.length > 0) {
    throw new Error(
      `The database is missing ${pending.length} migrations. Start the app first, which applies them.`,
    );
  }
  await startTelemetry();
  const worker = await startJobs();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    // A second signal kills the process.
    process.once(signal, () => stop(signal));
  }
  log.info({ worker, concurrency: env.JOB_CONCURRENCY }, "worker ready");
}

async function stop(signal: string): Promise<void> {
  try {
    await stopBackgroundWork(GRACE_MS);
    await closeAll();
  } catch (cause) {
    log.error({ err: cause }, "worker shutdown failed");
  }
  await stopTelemetry();
  log.info({ signal }, "worker stopped");
  process.exit(0);
}
