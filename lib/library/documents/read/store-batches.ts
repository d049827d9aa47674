import "server-only";

import { notFound } from "@/lib/errors";
import { query, type Row } from "@/lib/platform/db/client";
import { boundTo, type Reader } from "../collections";
import { ID_SHAPE } from "../schema";
import type { Store } from "../store";
import type { ListStoreFiles, VectorStoreFileBatch, VectorStoreFilePage } from "../store-schema";
import { toSeconds } from "./files";
import { keepBound } from "./selection";
import { countStoreFiles, listStoreFiles } from "./store-files";
import { getStore } from "./stores";

interface BatchRow extends Row {
  id: string;
  document_ids: string[];
  is_cancelled: boolean;
  created_at: Date;
}

interface Batch {
  store: Store;
  row: BatchRow;
}

interface Params {
  vector_store_id: string;
  batch_id: string;
}

/** Throws not_found. */
export async function getBatch(ctx: Reader, { vector_store_id, batch_id }: Params): Promise<Batch> {
  const store = await getStore(ctx, vector_store_id);
  const { accountId, id } = store.collection;
  const [row] = ID_SHAPE.test(batch_id)
    ? await query<BatchRow>(
        "store_batches_get",
        `SELECT id, document_ids, is_cancelled, created_at FROM vector_store_batch
          WHERE id = $1 AND account_id = $2 AND collection_id = $3 AND store_id = $4`,
        [batch_id, accountId, id, store.id],
      )
    : [];
  if (!row) {
    const message = "The vector store has no such batch. Batches are forgotten after seven days.";
    throw notFound(message, "batch_id");
  }
  const named = row.document_ids.map((documentId) => ({ documentId }));
  const document_ids = (await keepBound(boundTo(ctx), named)).map(({ documentId }) => documentId);
  return { store, row: { ...row, document_ids } };
}

export async function describeBatch({ store, row }: Batch): Promise<VectorStoreFileBatch> {
  const { counts } = (await countStoreFiles([store], row.document_ids))(store);
  const open = row.is_cancelled ? "cancelled" : "in_progress";
  return {
    ...{ id: row.id, object: "vector_store.files_batch", created_at: toSeconds(row.created_at) },
    vector_store_id: store.id,
    status: counts.in_progress > 0 || row.is_cancelled ? open : "completed",
    file_counts: counts,
  };
}

export async function listBatchFiles(
  ctx: Reader,
  params: Params,
  input: ListStoreFiles,
): Promise<VectorStoreFilePage> {
  const { store, row } = await getBatch(ctx, params);
  return listStoreFiles(store, input, row.document_ids);
}
