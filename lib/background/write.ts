import "server-only";

import { releaseExpiredHolds } from "@/lib/billing/write";
import { DocumentFault } from "@/lib/documents/fault";
import { startWorker, stopQueue } from "@/lib/documents/vendor";
import { failJob, processJob } from "@/lib/documents/write/process-job";
import { env } from "@/lib/env";
import { log } from "@/lib/log";

const SWEEP_MS = 60_000;

/** Starts the background work; a process that cannot do it ends, and says why in one line. */
export async function startServer(): Promise<void> {
  try {
    await startBackgroundWork();
  } catch (cause) {
    process.stderr.write(`\n${cause instanceof Error ? cause.message : String(cause)}\n`);
    process.exit(1);
  }
}

/** Starts what this process does besides answering requests: document jobs and the sweep of expired holds. */
export async function startBackgroundWork(): Promise<void> {
  if (!env.RUN_JOBS) {
    return;
  }
  await startWorker(processJob, (jobId) =>
    failJob(
      jobId,
      new DocumentFault(
        "processing_failed",
        "The document could not be processed after several tries. Upload it again; if it fails again, report the job's id.",
      ),
    ),
  );
  await sweep();
  setInterval(sweep, SWEEP_MS).unref();
}

export async function stopBackgroundWork(): Promise<void> {
  await stopQueue();
}

async function sweep(): Promise<void> {
  try {
    const released = await releaseExpiredHolds();
    if (released > 0) {
      log.warn({ released }, "released holds whose process died");
    }
  } catch (cause) {
    log.error({ err: cause }, "expired holds could not be released");
  }
}
