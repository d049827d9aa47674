import "server-only";

import { readableDocuments } from "@/lib/library/documents/collections";
import { sourceUrlOf } from "@/lib/library/documents/permalink";
import { documentNotFound, findDocuments, toListed } from "@/lib/library/documents/read/documents";
import { readText } from "@/lib/library/documents/read/open";
import { findPassages } from "@/lib/library/retrieval/read/passages";
import { SearchRequest, type SearchResult } from "@/lib/library/retrieval/schema";
import { searchKnowledge } from "@/lib/library/retrieval/write";
import type { KeyContext } from "@/lib/platform/auth/context";
import type { FetchedText, FoundList } from "./schema";

/** A search as `POST /v1/kb/search` does and charges it. A result's id is its passage's. */
export async function searchPassages(
  ctx: KeyContext,
  { query }: { query: string },
): Promise<FoundList> {
  const { value } = await searchKnowledge(ctx, SearchRequest.parse({ query }));
  const { data } = value as SearchResult;
  return {
    results: data.map((passage) => {
      const { chunk_id: id, title, text, metadata } = passage;
      const { section, page, char_start: start } = metadata;
      // Many documents repeat their title as the first heading.
      const heading = String(section ?? title);
      const named = heading.startsWith(title) ? heading : `${title}, ${heading}`;
      const quote = { text, start: Number(start), end: Number(start) + text.length };
      const url = sourceUrlOf(passage, quote);
      return { id, title: page ? `${named}, page ${page}` : named, url };
    }),
  };
}

/** A passage, or a document with the offset to read from. */
const TEXT_ID = /^(?:(chk_[0-9a-z]{26})|(doc_[0-9a-z]{26})(?::(\d{1,9}))?)$/;

/** The text around a passage, or from an offset of a document. Throws not_found. */
export async function fetchText(ctx: KeyContext, { id }: { id: string }): Promise<FetchedText> {
  const { documentId, look } = await locate(ctx, id);
  const [[row], { text, start, end, length }] = await Promise.all([
    findDocuments(readableDocuments(ctx), { id: documentId, limit: 1 }),
    readText(ctx, { id: documentId, look }),
  ]);
  if (!row) {
    throw documentNotFound();
  }
  const { title, scope, source_type, url, published_at, metadata } = toListed(row);
  return {
    ...{ id, title, text },
    url: sourceUrlOf({ scope, document_id: documentId, metadata: { url } }),
    metadata: {
      ...metadata,
      ...{ document_id: documentId, scope, source_type, published_at },
      ...{ char_start: start, char_end: end, characters: length },
      next: end < length ? `${documentId}:${end}` : null,
    },
  };
}

async function locate(ctx: KeyContext, id: string) {
  const [, chunkId, documentId, from = "0"] = TEXT_ID.exec(id) ?? [];
  if (documentId) {
    return { documentId, look: { from: Number(from) } };
  }
  const [passage] = chunkId
    ? await findPassages(ctx.signal, [chunkId], readableDocuments(ctx))
    : [];
  if (!passage) {
    throw documentNotFound();
  }
  return { documentId: passage.documentId, look: { around: passage.charStart } };
}
