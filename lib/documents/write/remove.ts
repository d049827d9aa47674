import "server-only";

import { type Session, transaction } from "@/lib/db/client";
import { openJobQueue } from "@/lib/jobs/vendor";
import type { Reader } from "../collections";
import { getDocument } from "../read/documents";
import type { DeletedDocument } from "../schema";
import { cancelOpenJob } from "./end-job";
import { lockCollection, unindexDocuments } from "./index-document";
import { writeTombstones } from "./tombstones";

/**
 * Deletes a document with its text, chunks and vectors in one transaction, and cancels its job. Searches that start
 * afterwards can't return them. Only a tombstone remains. Throws not_found.
 */
export async function deleteDocument(ctx: Reader, id: string): Promise<DeletedDocument> {
  await getDocument(ctx, id);
  await openJobQueue();
  await transaction(async (tx) => {
    const collection = await lockCollection(tx, { documentId: id });
    await cancelOpenJob(tx, { documentId: id });
    if (collection) {
      await writeTombstones(tx, [id]);
      await unindexDocuments(tx, collection, [id]);
    }
  });
  return { id, object: "kb.document", deleted: true };
}

const PURGE_STATEMENTS = {
  documents_purge_collections: `DELETE FROM collection WHERE account_id = $1
      OR person_id IN (SELECT p.id FROM person p WHERE p.account_id = $1)`,
  documents_purge_documents: "DELETE FROM document WHERE account_id = $1",
  documents_purge_tombstones: "DELETE FROM document_tombstone WHERE account_id = $1",
  documents_purge_jobs: "DELETE FROM job WHERE account_id = $1",
};

export async function purgeAccountDocuments(tx: Session, accountId: string): Promise<void> {
  for (const [name, statement] of Object.entries(PURGE_STATEMENTS)) {
    await tx.query(name, statement, [accountId]);
  }
}
