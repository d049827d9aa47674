import "server-only";

import { conflict, notFound } from "@/lib/errors";
import type { Session } from "@/lib/platform/db/client";
import type { Store } from "../store";

const MAX_FILES = 10_000;

/**
 * Adds documents of its collection to a store, unless that is a knowledge base, which has all of them. Locks the store until
 * the transaction ends. Throws not_found for a store that was deleted, or conflict for a full one.
 */
export async function insertMembers(
  tx: Session,
  store: Pick<Store, "id" | "collection" | "isBuiltIn">,
  ids: readonly string[],
): Promise<void> {
  if (store.isBuiltIn) {
    return;
  }
  const key = [store.id, store.collection.accountId];
  const [row] = await tx.query<{ id: string }>(
    "stores_use",
    "UPDATE vector_store SET last_active_at = now() WHERE id = $1 AND account_id = $2 AND collection_id = $3 RETURNING id",
    [...key, store.collection.id],
  );
  if (!row) {
    throw notFound("The vector store was deleted. Use another one.", "vector_store_id");
  }
  await tx.query(
    "store_files_insert",
    `INSERT INTO vector_store_file (store_id, account_id, document_id)
     SELECT $1, $2, d.id FROM document d WHERE d.account_id = $2 AND d.id = ANY($3)
     ON CONFLICT (store_id, document_id, account_id) DO NOTHING`,
    [...key, ids],
  );
  const [{ count = 0 } = {}] = await tx.query<{ count: number }>(
    "store_files_count",
    "SELECT count(*)::int AS count FROM vector_store_file WHERE store_id = $1 AND account_id = $2",
    key,
  );
  if (count > MAX_FILES) {
    throw conflict(
      `A vector store has at most ${MAX_FILES} files. Add the others to another one; a search can name several.`,
      "vector_store_id",
    );
  }
}

/** Throws conflict for a document outside the stores of a bound key. */
export function rejectInaccessible(existing: { is_accessible: boolean } | undefined): void {
  if (existing?.is_accessible === false) {
    throw conflict(
      "The knowledge base has this document, but not in a vector store that this key is bound to. Add it to one with a key that isn't bound.",
    );
  }
}
