import "server-only";

import { AppError, invalidRequest } from "@/lib/errors";
import type { Micros } from "@/lib/money/billing/money";
import { failedParsingCost, ingestCost } from "@/lib/money/billing/rates";
import { type Hold, placeHold } from "@/lib/money/billing/write/hold";
import { settle } from "@/lib/money/billing/write/settle";
import type { KeyContext } from "@/lib/platform/auth/context";
import { limitUploads } from "@/lib/platform/auth/limits";
import { query, type Transaction, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { openJobQueue } from "@/lib/platform/queue/vendor";
import { writableCollection } from "../collections";
import type { AcceptedDocument, UploadDocument } from "../schema";
import { type Accepted, acceptUpload, descriptionOf, type Upload } from "./accept-upload";
import { ingestUsage } from "./end-job";
import { updateDocument } from "./update";
import { closeUpload, lockUpload } from "./upload-slices";

/**
 * Stores a document and queues the job that makes it searchable. The same bytes in the same collection, or the same
 * external id, are one document. Throws insufficient_scope, invalid_request, 402 or rate_limit_exceeded.
 */
export async function uploadDocument(
  ctx: KeyContext,
  input: UploadDocument,
): Promise<AcceptedDocument> {
  const collection = writableCollection(ctx, input.scope);
  requireExternalId(input);
  await limitUploads(ctx.account.id);
  await openJobQueue();
  const accepted = await withIngestHold(ctx, input.file.sizeBytes, (tx) =>
    acceptOnce(tx, { ctx, input, collection }),
  );
  if (accepted.isSameVersion) {
    await updateDocument(ctx, accepted.document.id, descriptionOf(input));
  }
  return accepted.document;
}

/** Runs a transaction with a hold for indexing a file, which is released unless a job is queued. Throws 402. */
export async function withIngestHold<T extends { isQueued: boolean }>(
  ctx: KeyContext,
  sizeBytes: number,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const hold = await placeHold(ctx, worstCase(sizeBytes));
  try {
    const result = await transaction(work);
    if (!result.isQueued) {
      await releaseHold(hold, 202);
    }
    return result;
  } catch (thrown) {
    const status = thrown instanceof AppError ? thrown.status : 500;
    await releaseHoldUnlessQueued(hold, status).catch((err: unknown) =>
      log.error({ err, request_id: hold.id }, "could not release the hold of a failed upload"),
    );
    throw thrown;
  }
}

/** An upload whose bytes are stored already ends with its document. One that has ended returns the same document again. */
async function acceptOnce(tx: Transaction, upload: Upload): Promise<Accepted> {
  const { content } = upload.input.file;
  if (content instanceof Uint8Array) {
    return acceptUpload(tx, upload);
  }
  const stored = { accountId: upload.ctx.account.id, uploadId: content.uploadId };
  const document = await lockUpload(tx, stored);
  if (document) {
    return { document, isQueued: false, isSameVersion: false };
  }
  const accepted = await acceptUpload(tx, upload);
  await closeUpload(tx, stored, accepted.document);
  return accepted;
}

function requireExternalId({ on_duplicate, external_id }: UploadDocument): void {
  if (on_duplicate === "replace" && external_id === undefined) {
    throw invalidRequest(
      "'on_duplicate: replace' needs an 'external_id'. Name the document to replace.",
      "external_id",
    );
  }
}

/**
 * Either the document is read, or its parsing uses up its CPU time. A token of plain text has at least one byte; the job
 * covers compressed text once it is parsed.
 */
function worstCase(bytes: number): Micros {
  const failed = failedParsingCost(env.PARSE_TIMEOUT_MS);
  const read = ingestCost(bytes);
  if (read > failed) {
    return read;
  }
  return failed;
}

/** If only the answer of the commit was lost, the job is queued and will settle the hold. */
async function releaseHoldUnlessQueued(hold: Hold, status: number): Promise<void> {
  const statement = "SELECT id FROM job WHERE hold_id = $1";
  const jobs = await query("documents_job_of_hold", statement, [hold.id]);
  if (jobs.length === 0) {
    await releaseHold(hold, status);
  }
}

async function releaseHold(hold: Hold, status: number): Promise<void> {
  await settle({ ...hold, costMicros: 0n }, ingestUsage({ tokens: 0, latencyMs: 0, status }));
}
