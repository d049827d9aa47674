import "server-only";

import { transaction } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { openJobQueue } from "@/lib/jobs/vendor";
import type { Reader } from "../collections";
import { getJob } from "../read/jobs";
import type { Job } from "../schema";
import { cancelOpenJob } from "./end-job";
import { lockCollection } from "./index-document";

/**
 * Cancels a waiting or running job, with nothing stored and nothing charged. Its document stays, so the same bytes
 * can be uploaded again. Canceling twice is fine. Throws not_found, and conflict for a completed or failed job.
 */
export async function cancelJob(ctx: Reader, id: string): Promise<Job> {
  const { document_id } = await getJob(ctx, id);
  await openJobQueue();
  await transaction(async (tx) => {
    await lockCollection(tx, { documentId: document_id });
    await cancelOpenJob(tx, { jobId: id });
  });
  const job = await getJob(ctx, id);
  if (job.status !== "cancelled") {
    throw new AppError(
      "conflict",
      `The job has ${job.status} already, so it cannot be cancelled. Delete its document instead.`,
      { param: "job_id" },
    );
  }
  return job;
}
