import "server-only";

import { conflict, invalidRequest } from "@/lib/errors";
import { newId } from "@/lib/id";
import type { KeyContext } from "@/lib/platform/auth/context";
import { lockList } from "@/lib/platform/db/advisory-lock";
import { query, type Session, transaction } from "@/lib/platform/db/client";
import { type Reader, requireWhole, writableCollection, writableScope } from "../collections";
import { describeStore, getStore } from "../read/stores";
import type { Store } from "../store";
import type {
  CreateVectorStore,
  DeletedVectorStore,
  UpdateVectorStore,
  VectorStore,
} from "../store-schema";
import { upsertCollection } from "./index-document";
import { addFiles, findAddable, requireChunking } from "./store-files";

const MAX_STORES = 1000;

/**
 * Creates a store in a knowledge base that the key can write to, and adds files to it. Throws insufficient_scope,
 * not_found for a file, invalid_request, conflict when the account has too many stores, or what adding a file throws.
 */
export async function createStore(ctx: KeyContext, input: CreateVectorStore): Promise<VectorStore> {
  const { file_ids = [], chunking_strategy, scope = writableScope(ctx) } = input;
  const collection = writableCollection(ctx, scope);
  requireWhole(ctx, collection);
  requireChunking(chunking_strategy);
  const files = file_ids.map((file_id, at) => ({ file_id, param: `file_ids.${at}` }));
  const documents = await findAddable(ctx, collection, files);
  const id = newId("vectorStore");
  await transaction(async (tx) => {
    await upsertCollection(tx, collection);
    await rejectTooManyStores(tx, ctx.account.id);
    const { name, description, metadata = {}, expires_after } = input;
    await tx.query(
      "stores_create",
      `INSERT INTO vector_store (id, account_id, collection_id, name, description, metadata, expires_days)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        ...[id, ctx.account.id, collection.id, name, description],
        ...[JSON.stringify(metadata), expires_after?.days ?? null],
      ],
    );
  });
  const store = await getStore(ctx, id);
  await addFiles(ctx, store, documents).catch(async (thrown: unknown) => {
    await removeStore(store);
    throw thrown;
  });
  return describeStore(store);
}

/** Omitted fields stay. Throws not_found, or invalid_request for a knowledge base. */
export async function updateStore(
  ctx: Reader,
  id: string,
  { name, metadata, expires_after }: UpdateVectorStore,
): Promise<VectorStore> {
  const store = await getOwnStore(ctx, id);
  await query(
    "stores_update",
    `UPDATE vector_store SET name = coalesce($3, name), metadata = coalesce($4::jsonb, metadata),
            expires_days = CASE WHEN $5 THEN $6::int ELSE expires_days END
      WHERE id = $1 AND account_id = $2`,
    [
      ...[id, ctx.account.id, name === null ? "" : (name ?? null)],
      metadata === undefined ? null : JSON.stringify(metadata ?? {}),
      ...[expires_after !== undefined, expires_after?.days ?? null],
    ],
  );
  return describeStore(await getStore(ctx, store.id));
}

/** Its documents stay, and their jobs go on. Throws not_found, or invalid_request for a knowledge base. */
export async function deleteStore(ctx: Reader, id: string): Promise<DeletedVectorStore> {
  await removeStore(await getOwnStore(ctx, id));
  return { id, object: "vector_store.deleted", deleted: true };
}

async function removeStore({ id, collection }: Store): Promise<void> {
  await transaction(async (tx) => {
    const values = [id, collection.accountId];
    const batches = "DELETE FROM vector_store_batch WHERE store_id = $1 AND account_id = $2";
    await tx.query("stores_delete_batches", batches, values);
    const store = "DELETE FROM vector_store WHERE id = $1 AND account_id = $2";
    await tx.query("stores_delete", store, values);
  });
}

async function getOwnStore(ctx: Reader, id: string): Promise<Store> {
  const store = await getStore(ctx, id);
  if (store.isBuiltIn) {
    throw invalidRequest(
      `${id} is a knowledge base, which is always there under this name. Create a vector store of your own.`,
      "vector_store_id",
    );
  }
  return store;
}

async function rejectTooManyStores(tx: Session, accountId: string): Promise<void> {
  await lockList(tx, "stores", accountId);
  const [row] = await tx.query<{ count: number }>(
    "stores_count",
    "SELECT count(*)::int AS count FROM vector_store WHERE account_id = $1",
    [accountId],
  );
  if ((row?.count ?? 0) >= MAX_STORES) {
    throw conflict(
      `The account has ${MAX_STORES} vector stores, the most allowed. Delete one that isn't used, or use attributes and filters to tell documents apart.`,
    );
  }
}
