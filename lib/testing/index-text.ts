import { newId } from "@/lib/id";
import type { Collection } from "@/lib/library/documents/collections";
import { readDocument } from "@/lib/library/documents/processes/parser-pool";
import {
  indexDocuments,
  toIndexEntry,
  upsertCollection,
} from "@/lib/library/documents/write/index-document";
import { transaction } from "@/lib/platform/db/client";

/** Stores and indexes a document of an account's collection, like a job does. Returns its id. */
export async function indexText(collection: Collection, text: string): Promise<string> {
  const id = newId("document");
  const { id: collectionId, accountId, scope } = collection;
  const bytes = new TextEncoder().encode(text);
  const read = await readDocument({ bytes, name: null, title: "Notes", mediaType: "text/plain" });
  const document = { id, collectionId, accountId };
  const entry = await toIndexEntry(document, read, null);
  await transaction(async (tx) => {
    await upsertCollection(tx, collection);
    await tx.execute(
      `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash)
       VALUES ($1, $2, $3, $4, 'Notes', 'note', 'text/plain', 1, decode(md5($1), 'hex'))`,
      [id, collectionId, accountId, scope],
    );
    await indexDocuments(tx, collection, [entry]);
  });
  return id;
}
