import "server-only";

import type { Session } from "@/lib/db/client";

/**
 * Records that documents existed, in the transaction that deletes them, so that links to them can report the
 * deletion. Stores only whose they were.
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
