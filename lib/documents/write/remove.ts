import "server-only";

import { transaction } from "@/lib/db/client";
import type { Reader } from "../collections";
import { getDocument } from "../read";
import type { DeletedDocument } from "../schema";
import { openJobQueue } from "../vendor";
import { cancelOpenJob } from "./end-job";
import { lockCollection, unindexDocument } from "./index-document";
import { leaveTraces } from "./tombstones";

/**
 * Deletes a document with its text, chunks and vectors in one transaction, and cancels its job; a
 * search that begins after it cannot return them. That it was there is all that stays. Throws not_found.
 */
export async function deleteDocument(ctx: Reader, id: string): Promise<DeletedDocument> {
  await getDocument(ctx, id);
  await openJobQueue();
  await transaction(async (tx) => {
    const collection = await lockCollection(tx, { documentId: id });
    await cancelOpenJob(tx, { documentId: id });
    if (collection) {
      await leaveTraces(tx, [id]);
      await unindexDocument(tx, collection, id);
    }
  });
  return { id, object: "kb.document", deleted: true };
}
