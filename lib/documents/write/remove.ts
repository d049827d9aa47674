import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { transaction } from "@/lib/db";
import { getDocument } from "../read";
import type { DeletedDocument } from "../schema";
import { openJobQueue } from "../vendor";
import { cancelOpenJob } from "./end-job";
import { lockCollection, unindexDocument } from "./index-document";

/**
 * Deletes a document with its text, chunks and vectors in one transaction, and cancels its job; a
 * search that begins after it cannot return them. Throws not_found.
 */
export async function deleteDocument(ctx: KeyContext, id: string): Promise<DeletedDocument> {
  await getDocument(ctx, id);
  await openJobQueue();
  await transaction(async (tx) => {
    const collectionId = await lockCollection(tx, { documentId: id });
    await cancelOpenJob(tx, { documentId: id });
    if (collectionId) {
      await unindexDocument(tx, { id, collectionId });
    }
  });
  return { id, object: "kb.document", deleted: true };
}
