import "server-only";

import { createHash } from "node:crypto";
import { transaction } from "@/lib/db";
import { newId } from "@/lib/id";
import { PUBLIC_COLLECTION } from "../collections";
import { embedChunks, indexDocument, unindexDocument } from "./index-document";
import { chunkText } from "./process-job";
import { upsertCollection } from "./upload";

/** One article of the public knowledge base, in Markdown. */
export interface PublicArticle {
  title: string;
  sourceType: string;
  url: string;
  publishedAt: Date;
  markdown: string;
}

/**
 * Puts an article into public_kb; an older text under the same address is replaced. Returns false when
 * it is there already, word for word.
 */
export async function importArticle(article: PublicArticle): Promise<boolean> {
  const bytes = new TextEncoder().encode(article.markdown);
  const hash = createHash("sha256").update(`${article.title}\n`).update(bytes).digest();
  const chunked = await chunkText({ media_type: "text/markdown", bytes });
  const vectors = await embedChunks(article.title, chunked.chunks);
  const collectionId = PUBLIC_COLLECTION.id;
  return transaction(async (tx) => {
    await upsertCollection(tx, PUBLIC_COLLECTION);
    const same = await tx.query<{ id: string; content_hash: Uint8Array }>(
      "documents_find_article",
      "SELECT id, content_hash FROM document WHERE collection_id = $1 AND (content_hash = $2 OR (title = $3 AND url = $4))",
      [collectionId, hash, article.title, article.url],
    );
    if (same.some((document) => hash.equals(document.content_hash))) {
      return false;
    }
    for (const { id } of same) {
      await unindexDocument(tx, { id, collectionId });
    }
    const id = newId("document");
    const { title, sourceType, url, publishedAt } = article;
    await tx.query(
      "documents_insert_article",
      `INSERT INTO document (id, collection_id, scope, title, source_type, url, published_at, media_type,
                             size_bytes, content_hash)
       VALUES ($1, $2, 'public_kb', $3, $4, $5, $6, 'text/markdown', $7, $8)`,
      [id, collectionId, title, sourceType, url, publishedAt, bytes.byteLength, hash],
    );
    await indexDocument(
      tx,
      { id, collectionId, accountId: null, title, sourceType },
      { ...chunked, vectors },
    );
    return true;
  });
}
