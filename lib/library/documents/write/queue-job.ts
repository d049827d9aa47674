import "server-only";

import { newId } from "@/lib/id";
import { renewHold } from "@/lib/money/billing/write/hold";
import type { KeyContext } from "@/lib/platform/auth/context";
import type { Transaction } from "@/lib/platform/db/client";
import { enqueue } from "@/lib/platform/queue/vendor";
import { findPlace } from "./fair-queue";

/** A queued job may wait long. Its money stays reserved for a day, and the scheduler renews the hold. */
export const JOB_LEASE_SECONDS = 24 * 60 * 60;

/**
 * Queues the job that indexes a document's stored file, paid by the request's hold. The queue must be open. Throws
 * rate_limit_exceeded when the account has as many open jobs as it may.
 */
export async function queueJob(
  tx: Transaction,
  { account, requestId }: KeyContext,
  {
    documentId,
    collectionId,
    sizeBytes,
  }: { documentId: string; collectionId: string; sizeBytes: number },
): Promise<string> {
  const place = await findPlace(tx, { accountId: account.id, bytes: sizeBytes });
  const id = newId("job");
  const queueId = await enqueue(tx, { id, ...place });
  await tx.query(
    "documents_insert_job",
    `INSERT INTO job (id, account_id, document_id, hold_id, collection_id, queue_id, virtual_finish, is_large, status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'queued')`,
    [
      ...[id, account.id, documentId, requestId, collectionId, queueId],
      ...[place.virtualFinish, place.isLarge],
    ],
  );
  // Together with the job: without one, nobody would release the hold for a day.
  await renewHold(requestId, { run: tx.query, leaseSeconds: JOB_LEASE_SECONDS });
  return id;
}
