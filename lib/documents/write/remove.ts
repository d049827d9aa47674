import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { settle } from "@/lib/billing/write";
import { transaction } from "@/lib/db";
import { getDocument } from "../read";
import type { DeletedDocument } from "../schema";
import { lockCollection, unindexDocument } from "./index-document";
import { ingestUsage } from "./upload";

/**
 * Deletes a document with its text, chunks and vectors in one transaction, and cancels its jobs; a
 * search that begins after it cannot return them. Throws not_found.
 */
export async function deleteDocument(ctx: KeyContext, id: string): Promise<DeletedDocument> {
  await getDocument(ctx, id);
  await transaction(async (tx) => {
    const collectionId = await lockCollection(tx, { documentId: id });
    const cancelled = await tx.query<{ hold_id: string | null }>(
      "documents_cancel_jobs",
      `UPDATE job SET status = 'cancelled', finished_at = now()
        WHERE document_id = $1 AND status IN ('queued', 'processing') RETURNING hold_id`,
      [id],
    );
    if (collectionId) {
      await unindexDocument(tx, { id, collectionId });
    }
    for (const { hold_id } of cancelled) {
      if (hold_id) {
        await settle(
          { id: hold_id, costMicros: 0n },
          ingestUsage({ tokens: 0, latencyMs: 0, status: 499 }),
          tx.query,
        );
      }
    }
  });
  return { id, object: "kb.document", deleted: true };
}
