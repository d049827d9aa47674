import "server-only";

import { AppError } from "@/lib/errors";
import type { Reader } from "../collections";
import type { UpdateDocuments, UpdatedDocuments } from "../library-schema";
import { updateDocument } from "./update";

/** Errors about a single document. Any other error fails the request, which can be sent again. */
const REPORTED = new Set(["not_found", "invalid_request"]);

/**
 * Makes the same change to each document, as `updateDocument` does, and reports those that it can't change.
 */
export async function updateDocuments(
  ctx: Reader,
  { ids, ...changes }: UpdateDocuments,
): Promise<UpdatedDocuments> {
  const data: UpdatedDocuments["data"] = [];
  for (const id of new Set(ids)) {
    data.push({ id, ...(await tryUpdateOne(ctx, id, changes)) });
  }
  return { object: "list", data };
}

async function tryUpdateOne(ctx: Reader, id: string, changes: Omit<UpdateDocuments, "ids">) {
  try {
    await updateDocument(ctx, id, changes);
    return { updated: true, message: null };
  } catch (error) {
    if (error instanceof AppError && REPORTED.has(error.code)) {
      return { updated: false, message: error.message };
    }
    throw error;
  }
}
