import "server-only";

import type { Session } from "@/lib/db/client";

/**
 * Writes down that documents were there, in the transaction that deletes them, so that a link to their words
 * can say so. Nothing of them is kept but whose they were.
 */
export async function writeTombstones(tx: Session, ids: readonly string[]): Promise<void> {
  await tx.query(
    "documents_insert_tombstones",
    `INSERT INTO document_tombstone (document_id, collection_id, account_id)
     SELECT id, collection_id, account_id FROM document WHERE id = ANY($1)
     ON CONFLICT (document_id, account_id) DO UPDATE SET deleted_at = excluded.deleted_at`,
    [ids],
  );
}
