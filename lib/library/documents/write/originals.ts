import "server-only";

import { findAccountsWithoutOriginals, keepsOriginals } from "@/lib/platform/auth/read";
import { query, type Session } from "@/lib/platform/db/client";
import { drainInBatches } from "@/lib/platform/db/drain-in-batches";
import { env } from "@/lib/platform/env";

/** Deleting a file also deletes its pieces of 2 kB, of which a large one has 25,000. */
const BATCH_FILES = 50;
const GIGABYTE = 1024 ** 3;

export const NO_ROOM = {
  code: "original_not_stored",
  message: `The account's original files take up ${(env.MAX_ORIGINAL_BYTES_PER_ACCOUNT / GIGABYTE).toLocaleString("en-US", { maximumFractionDigits: 1 })} GB, the most allowed, so this file isn't stored. Its text is.`,
};

/** Whether a document's file is stored once it is processed: `unwanted` by the operator or the account, or `full`. */
export async function outcomeOfOriginal(
  accountId: string,
  bytes: number,
): Promise<"kept" | "unwanted" | "full"> {
  if (!env.KEEP_ORIGINALS || !(await keepsOriginals(accountId))) {
    return "unwanted";
  }
  // With the files of uploads that wait, the document's own among them.
  const [row] = await query<{ bytes: number }>(
    "documents_original_bytes",
    "SELECT coalesce(sum(size_bytes), 0)::float8 AS bytes FROM document_upload WHERE account_id = $1",
    [accountId],
  );
  const taken = Math.max(row?.bytes ?? 0, bytes);
  return taken > env.MAX_ORIGINAL_BYTES_PER_ACCOUNT ? "full" : "kept";
}

/** An upload becomes its document's original, in place of an older one. Its bytes stay where they are. */
export async function keepUpload(tx: Session, documentId: string): Promise<void> {
  await tx.query(
    "documents_delete_original",
    "DELETE FROM document_upload WHERE document_id = $1 AND is_original",
    [documentId],
  );
  await tx.query(
    "documents_keep_upload",
    "UPDATE document_upload SET is_original = true, content_hash = NULL, description = NULL WHERE document_id = $1",
    [documentId],
  );
}

export async function deleteUpload(tx: Session, documentId: string): Promise<void> {
  const statement = "DELETE FROM document_upload WHERE document_id = $1";
  await tx.query("documents_delete_files", statement, [documentId]);
}

/** Deletes the originals of accounts that no longer keep any, or all if the operator keeps none. Returns how many. */
export async function deleteUnwantedOriginals(): Promise<number> {
  const accounts = env.KEEP_ORIGINALS ? await findAccountsWithoutOriginals() : null;
  if (accounts?.length === 0) {
    return 0;
  }
  return drainInBatches(BATCH_FILES, async () => {
    const deleted = await query(
      "documents_delete_unwanted_originals",
      `DELETE FROM document_upload u USING
         (SELECT document_id, account_id FROM document_upload
           WHERE is_original AND ($1::text[] IS NULL OR account_id = ANY($1)) LIMIT $2) AS f
        WHERE u.document_id = f.document_id AND u.account_id = f.account_id AND u.is_original
        RETURNING u.document_id`,
      [accounts, BATCH_FILES],
    );
    return deleted.length;
  });
}
