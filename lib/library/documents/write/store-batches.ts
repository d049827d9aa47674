import "server-only";

import { invalidRequest } from "@/lib/errors";
import { newId } from "@/lib/id";
import type { KeyContext } from "@/lib/platform/auth/context";
import { query, transaction } from "@/lib/platform/db/client";
import { openJobQueue } from "@/lib/platform/queue/vendor";
import { describeBatch, getBatch } from "../read/store-batches";
import { type CreateFileBatch, MAX_BATCH, type VectorStoreFileBatch } from "../store-schema";
import { endOpenJobs, settleCancelled } from "./cancel";
import { addFiles, findAddable, getWritableStore, requireChunking } from "./store-files";

/** A batch only reports how its files are doing, and each file can be asked that at any time. */
const REMEMBERED_DAYS = 7;

/** Adds several files to a store. Throws as `addStoreFile` does; the files before one that fails are added. */
export async function createBatch(
  ctx: KeyContext,
  storeId: string,
  { file_ids = [], files = [], attributes, chunking_strategy }: CreateFileBatch,
): Promise<VectorStoreFileBatch> {
  const store = await getWritableStore(ctx, storeId);
  const shared = { ...(attributes && { attributes }) };
  const named = [
    ...file_ids.map((file_id, at) => ({ ...shared, file_id, param: `file_ids.${at}` })),
    ...files.map((file, at) => ({ ...shared, ...file, param: `files.${at}.file_id` })),
  ];
  if (named.length === 0 || named.length > MAX_BATCH) {
    const message = `Name from 1 to ${MAX_BATCH} files, in 'file_ids' or 'files'. Add more with another batch.`;
    throw invalidRequest(message, "file_ids");
  }
  for (const strategy of [chunking_strategy, ...files.map((file) => file.chunking_strategy)]) {
    requireChunking(strategy);
  }
  const documents = await findAddable(ctx, store.collection, named);
  await addFiles(ctx, store, documents);
  const id = newId("fileBatch");
  const { id: collectionId, accountId } = store.collection;
  await transaction(async (tx) => {
    await tx.query(
      "store_batches_forget",
      `DELETE FROM vector_store_batch WHERE collection_id = $1 AND account_id = $2
          AND created_at < now() - make_interval(days => $3)`,
      [collectionId, accountId, REMEMBERED_DAYS],
    );
    await tx.query(
      "store_batches_insert",
      `INSERT INTO vector_store_batch (id, account_id, collection_id, store_id, document_ids)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, accountId, collectionId, store.id, documents.map((document) => document.id)],
    );
  });
  return describeBatch(await getBatch(ctx, { vector_store_id: store.id, batch_id: id }));
}

/** Cancels the open jobs of a batch's files, which stay in the store. Canceling twice is fine. Throws not_found. */
export async function cancelBatch(
  ctx: KeyContext,
  params: { vector_store_id: string; batch_id: string },
): Promise<VectorStoreFileBatch> {
  const { store, row } = await getBatch(ctx, params);
  await openJobQueue();
  await transaction(async (tx) => {
    const { id, accountId } = store.collection;
    const lock = "SELECT id FROM collection WHERE id = $1 AND account_id = $2 FOR UPDATE";
    await tx.query("store_batches_lock", lock, [id, accountId]);
    const cancelled = await endOpenJobs(tx, { documentIds: row.document_ids });
    // Last, because it locks the account.
    await settleCancelled(tx, cancelled);
  });
  await query(
    "store_batches_cancel",
    "UPDATE vector_store_batch SET is_cancelled = true WHERE id = $1 AND account_id = $2 AND is_cancelled = false",
    [row.id, store.collection.accountId],
  );
  return describeBatch(await getBatch(ctx, params));
}
