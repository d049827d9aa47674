import "server-only";

import { invalidRequest, notFound } from "@/lib/errors";
import { newId } from "@/lib/id";
import { uploadContext } from "@/lib/money/keys/write/playground";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import { query, type Row, type Transaction, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { openJobQueue } from "@/lib/platform/queue/vendor";
import {
  type Collection,
  type Reader,
  writableCollection,
  writableDocuments,
} from "../collections";
import { toReaderContext } from "../read/documents";
import { accessCondition } from "../read/selection";
import { getStoreFile } from "../read/store-files";
import { getStore, getUsableStore } from "../read/stores";
import type { Store } from "../store";
import type {
  AddStoreFile,
  ChangedMembership,
  ChangeMembership,
  ChunkingStrategy,
  RemovedStoreFile,
  UpdateStoreFile,
  VectorStoreFile,
} from "../store-schema";
import { lockCollection } from "./end-job";
import { queueJob } from "./queue-job";
import { insertMembers } from "./store-members";
import { updateDocument } from "./update";
import { withIngestHold } from "./upload";

interface NewFile extends AddStoreFile {
  /** The field that names it. */
  param: string;
}

/** A document that can be added to a store, with the file to index if that hasn't been done. */
interface Addable extends Row {
  id: string;
  collection_id: string;
  size_bytes: number;
  needs_job: boolean;
  has_bytes: boolean;
}

/** A file that never was indexed, or that no job reads any more, and what a job would read. */
const ADDABLE = `SELECT d.id, d.collection_id, d.size_bytes,
            d.chunk_count = 0 AND coalesce(j.status IN ('failed', 'cancelled'), d.purpose IS NOT NULL) AS needs_job,
            EXISTS (SELECT FROM document_upload u
                     WHERE u.document_id = d.id AND u.account_id = d.account_id AND NOT u.is_original) AS has_bytes
       FROM document d LEFT JOIN LATERAL (SELECT status FROM job
             WHERE d.chunk_count = 0 AND document_id = d.id AND account_id = d.account_id ORDER BY id DESC LIMIT 1) j ON true
      WHERE d.account_id = $1 AND ${accessCondition(["$2", "$3"])} AND d.id = ANY($4)`;

/**
 * Adds a file to a store and queues the job that indexes it, unless it is searchable. Adding it again changes nothing, or
 * tries again after a failure. Throws not_found, invalid_request for a file of another knowledge base, conflict for a full
 * store, 402 or rate_limit_exceeded.
 */
export async function addStoreFile(
  ctx: KeyContext,
  storeId: string,
  input: AddStoreFile,
): Promise<VectorStoreFile> {
  const store = await getWritableStore(ctx, storeId);
  requireChunking(input.chunking_strategy);
  await addFiles(
    ctx,
    store,
    await findAddable(ctx, store.collection, [{ ...input, param: "file_id" }]),
  );
  return getStoreFile(store, input.file_id);
}

/** Throws not_found, also for an expired store, or insufficient_scope for the public one. */
export async function getWritableStore(ctx: Reader, id: string): Promise<Store> {
  const store = await getUsableStore(ctx, id);
  writableCollection(ctx, store.collection.scope);
  return store;
}

/** Passages have a size of their own, which fits in any larger one. Throws invalid_request for a smaller one. */
export function requireChunking(strategy: ChunkingStrategy | undefined): void {
  if (strategy?.type === "static" && strategy.static.max_chunk_size_tokens < env.CHUNK_TOKENS) {
    throw invalidRequest(
      `Passages have up to ${env.CHUNK_TOKENS} tokens here, of which they repeat up to ${env.CHUNK_OVERLAP_TOKENS}. Use the strategy auto, or a max_chunk_size_tokens of at least ${env.CHUNK_TOKENS}.`,
      "chunking_strategy.static.max_chunk_size_tokens",
    );
  }
}

/** The documents of files, each once, with their new attributes. Throws not_found or invalid_request, and changes nothing. */
export async function findAddable(
  ctx: KeyContext,
  collection: Collection,
  files: readonly NewFile[],
): Promise<(Addable & NewFile)[]> {
  const ids = [...new Set(files.map(({ file_id }) => file_id))];
  const rows = await query<Addable>("store_files_addable", ADDABLE, [
    ...[ctx.account.id, ...writableDocuments(ctx), ids],
  ]);
  const found = new Map(rows.map((row) => [row.id, row]));
  const addable = new Map<string, Addable & NewFile>();
  for (const file of files) {
    const document = found.get(file.file_id);
    if (!document) {
      const message = "There is no such file. Upload it with POST /v1/files, or list the files.";
      throw notFound(message, file.param);
    }
    rejectUnfit(document, collection, file.param);
    addable.set(document.id, { ...document, ...file });
  }
  return [...addable.values()];
}

function rejectUnfit(document: Addable, { id, scope }: Collection, param: string): void {
  if (document.collection_id !== id) {
    throw invalidRequest(
      `The file isn't in ${scope}, where this vector store is. Upload it again to ${scope}.`,
      param,
    );
  }
  if (document.needs_job && !document.has_bytes) {
    throw invalidRequest(
      "The file could not be indexed, and its bytes are gone. Upload it again.",
      param,
    );
  }
}

/** Each file is added and queued by itself: those before one that fails stay. */
export async function addFiles(
  ctx: KeyContext,
  store: Store,
  documents: readonly (Addable & NewFile)[],
): Promise<void> {
  if (documents.length === 0) {
    return;
  }
  await openJobQueue();
  const ready = documents.filter(({ needs_job }) => !needs_job).map(({ id }) => id);
  await transaction((tx) => insertMembers(tx, store, ready));
  for (const [at, { id, attributes, needs_job, size_bytes }] of documents.entries()) {
    ctx.signal.throwIfAborted();
    if (attributes) {
      await updateDocument(ctx, id, { metadata: attributes });
    }
    if (needs_job) {
      // A hold is named after its request, so further files need an id of their own.
      const own = at === 0 ? ctx : { ...ctx, requestId: newId("request") };
      await withIngestHold(own, size_bytes, (tx) => queueFile(tx, own, { store, id }));
    }
  }
}

async function queueFile(
  tx: Transaction,
  ctx: KeyContext,
  { store, id }: { store: Store; id: string },
) {
  await lockCollection(tx, { documentId: id });
  const { collection } = store;
  const [document] = await tx.query<Addable>("store_files_lock", ADDABLE, [
    ...[collection.accountId, [collection.id], null, [id]],
  ]);
  if (!document) {
    throw notFound("The file was deleted meanwhile. Upload it again.", "file_id");
  }
  await insertMembers(tx, store, [id]);
  // Another request may have queued it since.
  if (document.needs_job) {
    const file = { documentId: id, collectionId: collection.id, sizeBytes: document.size_bytes };
    await queueJob(tx, ctx, file);
  }
  return { isQueued: document.needs_job };
}

/** Changes the attributes of a store's file, for all of its stores. Throws not_found or insufficient_scope. */
export async function updateStoreFile(
  ctx: KeyContext,
  { vector_store_id, file_id }: { vector_store_id: string; file_id: string },
  { attributes }: UpdateStoreFile,
): Promise<VectorStoreFile> {
  const store = await getWritableStore(ctx, vector_store_id);
  await getStoreFile(store, file_id);
  await updateDocument(ctx, file_id, { metadata: attributes ?? {} });
  return getStoreFile(store, file_id);
}

/** The document stays. Throws not_found, or invalid_request for a knowledge base, which has all of its documents. */
export async function removeStoreFile(
  ctx: KeyContext,
  { vector_store_id, file_id }: { vector_store_id: string; file_id: string },
): Promise<RemovedStoreFile> {
  const store = await getStore(ctx, vector_store_id);
  await getStoreFile(store, file_id);
  await removeMembers(store, [file_id]);
  return { id: file_id, object: "vector_store.file.deleted", deleted: true };
}

async function removeMembers(store: Store, ids: readonly string[]): Promise<void> {
  if (store.isBuiltIn) {
    throw invalidRequest(
      `Every document of ${store.id} is in this vector store. Delete the file itself with DELETE /v1/files/{file_id}.`,
      "vector_store_id",
    );
  }
  await query(
    "store_files_delete",
    "DELETE FROM vector_store_file WHERE store_id = $1 AND account_id = $2 AND document_id = ANY($3)",
    [store.id, store.collection.accountId, ids],
  );
}

/**
 * Removes a member's documents from stores, and adds them to others; what isn't indexed yet is charged to the console's
 * key. Throws what `addStoreFile` and `removeStoreFile` do.
 */
export async function changeMembership(
  ctx: MemberContext,
  { ids, add = [], remove = [] }: ChangeMembership,
): Promise<ChangedMembership> {
  const reader = await toReaderContext(ctx);
  for (const id of remove) {
    await removeMembers(await getStore(reader, id), ids);
  }
  for (const id of add) {
    const { collection } = await getWritableStore(reader, id);
    await addToStore(await uploadContext(ctx, collection.scope), id, ids);
  }
  return { object: "list", data: ids };
}

/**
 * Uploads a document and adds it to a store, if one is named. A store that can't take it is refused before the upload; the
 * document stays if it is refused afterwards. Throws what `addStoreFile` does.
 */
export async function uploadInto<T extends { id: string; document?: { id: string } | null }>(
  key: KeyContext,
  storeId: string | undefined,
  upload: () => Promise<T>,
): Promise<T> {
  if (storeId === undefined) {
    return upload();
  }
  await getWritableStore(key, storeId);
  const uploaded = await upload();
  await addToStore(key, storeId, [uploaded.document?.id ?? uploaded.id]);
  return uploaded;
}

async function addToStore(key: KeyContext, storeId: string, ids: readonly string[]): Promise<void> {
  const store = await getWritableStore(key, storeId);
  const files = ids.map((file_id) => ({ file_id, param: "ids" }));
  await addFiles(key, store, await findAddable(key, store.collection, files));
}
