import { newId } from "@/lib/id";
import { readDocuments } from "@/lib/library/documents/processes/parser-pool";
import { indexDocuments, toIndexEntry } from "@/lib/library/documents/write/index-document";
import { transaction } from "@/lib/platform/db/client";
import { DocumentError } from "@/lib/reading/document-error";

/** Adds a plain text to an account's customer_kb, without a job, and returns the document's id. */
export async function addDocument(
  accountId: string,
  { title, text }: { title: string; text: string },
): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const [read] = await readDocuments([{ bytes, name: null, title, mediaType: "text/plain" }]);
  if (!read || read instanceof DocumentError) {
    throw read ?? new Error("nothing was read");
  }
  const collectionId = `customer_kb:${accountId}`;
  const id = newId("document");
  await transaction(async (tx) => {
    await tx.execute(
      "INSERT INTO collection (id, scope, account_id) VALUES ($1, 'customer_kb', $2) ON CONFLICT DO NOTHING",
      [collectionId, accountId],
    );
    await tx.execute(
      `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash, text)
       VALUES ($1, $2, $3, 'customer_kb', $4, 'note', 'text/plain', 1, decode(md5($1), 'hex'), $5)`,
      [id, collectionId, accountId, read.title, read.text],
    );
    const document = { id, collectionId, accountId };
    const entry = await toIndexEntry(document, read, null);
    await indexDocuments(tx, { id: collectionId, accountId }, [entry]);
  });
  return id;
}

/** A text of numbered paragraphs, long enough for several chunks; each starts with its opening. */
export function longText(openings: readonly string[]): string {
  const filler =
    "Nurses note the time, the place and the reading of each visit in the log. ".repeat(12);
  return openings.map((opening) => `${opening} ${filler.trim()}`).join("\n\n");
}
