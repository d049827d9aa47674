import "server-only";

import { query, type Row, transaction } from "@/lib/platform/db/client";
import { openJobQueue } from "@/lib/platform/queue/vendor";
import {
  boundTo,
  type CollectionKey,
  type DocumentAccess,
  type Reader,
  writableCollection,
  writableDocuments,
} from "../collections";
import type { DeleteDocuments, DeletedDocuments } from "../delete-schema";
import { accessCondition } from "../read/selection";
import { ID_SHAPE } from "../schema";
import { endOpenJobs, settleCancelled } from "./cancel";
import { BATCH_CHUNKS, unindexDocuments, writeTombstones } from "./remove";

/** Clients wait about a minute for a response. What is left then is reported. */
const MAX_MS = 25_000;
/** A transaction settles the jobs of as many documents. */
const BATCH_DOCUMENTS = 50;

interface FoundDocument extends Row {
  id: string;
  external_id: string | null;
  collection_id: string;
  account_id: string;
  chunks: number;
}

type Result = DeletedDocuments["data"][number];

const NOT_FOUND = {
  code: "not_found",
  message: "There is no such document. Check its id, or list the documents.",
} as const;
const NOT_PROCESSED = {
  code: "not_processed",
  message: "The request took too long, so this document is still there. Send its id again.",
} as const;

/**
 * Deletes documents as `deleteDocument` does, in several transactions, and reports each. Ids outside the caller's own
 * collections are not found. Throws insufficient_scope for the scope of external ids.
 */
export async function deleteDocuments(
  ctx: Reader,
  input: DeleteDocuments,
): Promise<DeletedDocuments> {
  const ids = [...new Set(input.ids)];
  const externalIds = [...new Set(input.external_ids)];
  const byId = new Map(
    (await findByIds(writableDocuments(ctx), ids)).map((document) => [document.id, document]),
  );
  const byExternalId = new Map(
    (await findByExternalIds(ctx, input.scope, externalIds)).map((document) => [
      document.external_id,
      document,
    ]),
  );
  const found = new Map(
    [...byId.values(), ...byExternalId.values()].map((each) => [each.id, each]),
  );
  const deleted = await deleteInBatches([...found.values()], ctx.signal);
  const result = (document: FoundDocument | undefined, named: Partial<Result>): Result => {
    const isDeleted = document !== undefined && deleted.has(document.id);
    return {
      ...{ object: "kb.document", id: null, external_id: null, ...named },
      ...(document && { id: document.id, external_id: document.external_id }),
      deleted: isDeleted,
      error: isDeleted ? null : document ? NOT_PROCESSED : NOT_FOUND,
    };
  };
  return {
    object: "list",
    data: [
      ...ids.map((id) => result(byId.get(id), { id })),
      ...externalIds.map((external_id) => result(byExternalId.get(external_id), { external_id })),
    ],
  };
}

const COLUMNS = "id, external_id, collection_id, account_id, chunk_count AS chunks";

async function findByIds(access: DocumentAccess, ids: readonly string[]): Promise<FoundDocument[]> {
  return ids.length === 0
    ? []
    : query<FoundDocument>(
        "documents_find_by_ids",
        `SELECT ${COLUMNS} FROM document d WHERE ${accessCondition(["$1", "$2"])} AND d.id = ANY($3)`,
        [...access, ids.filter((id) => ID_SHAPE.test(id))],
      );
}

async function findByExternalIds(
  ctx: Reader,
  scope: string | undefined,
  externalIds: readonly string[],
): Promise<FoundDocument[]> {
  return scope === undefined || externalIds.length === 0
    ? []
    : query<FoundDocument>(
        "documents_find_by_external_ids",
        `SELECT ${COLUMNS} FROM document d WHERE ${accessCondition(["$1", "$2"])} AND d.external_id = ANY($3)`,
        [[writableCollection(ctx, scope).id], boundTo(ctx), externalIds],
      );
}

/** Returns the ids it deleted before time ran out. */
async function deleteInBatches(
  documents: readonly FoundDocument[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const deleted = new Set<string>();
  const endsAt = performance.now() + MAX_MS;
  await openJobQueue();
  for (const [id, own] of Map.groupBy(documents, ({ collection_id }) => collection_id)) {
    const collection = { id, accountId: own[0]?.account_id ?? "" };
    for (const batch of toBatches(own)) {
      if (signal.aborted || performance.now() > endsAt) {
        return deleted;
      }
      await deleteBatch(collection, batch);
      for (const each of batch) {
        deleted.add(each);
      }
    }
  }
  return deleted;
}

function toBatches(documents: readonly FoundDocument[]): string[][] {
  const batches: string[][] = [];
  let chunks = Number.POSITIVE_INFINITY;
  for (const document of documents) {
    const last = batches.at(-1);
    chunks += document.chunks;
    if (!last || last.length >= BATCH_DOCUMENTS || chunks > BATCH_CHUNKS) {
      batches.push([document.id]);
      chunks = document.chunks;
    } else {
      last.push(document.id);
    }
  }
  return batches;
}

async function deleteBatch(collection: CollectionKey, ids: readonly string[]): Promise<void> {
  await transaction(async (tx) => {
    await tx.query(
      "documents_lock",
      "SELECT id FROM collection WHERE id = $1 AND account_id = $2 FOR UPDATE",
      [collection.id, collection.accountId],
    );
    const cancelled = await endOpenJobs(tx, { documentIds: ids });
    await writeTombstones(tx, ids);
    await unindexDocuments(tx, collection, ids);
    // Last, because it locks the account.
    await settleCancelled(tx, cancelled);
  });
}
