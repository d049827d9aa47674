import "server-only";

import { query, type Row } from "@/lib/db/client";
import { PUBLIC_COLLECTION, type Reader, readableIds } from "../collections";
import type {
  DocumentTombstone,
  OpenDocument,
  PassageRange,
  TextQuery,
  TextWindow,
} from "../library-schema";
import { ID_SHAPE, JobReport } from "../schema";
import { textWindow } from "../text-window";
import { documentNotFound, findDocuments, toListed } from "./documents";

interface Facts extends Row {
  report: unknown;
  tokens: number;
  last_page: number | null;
  warnings: OpenDocument["warnings"];
}

/** A document the caller may read, or the tombstone of one; null for any other. */
export async function findOpenDocument(
  ctx: Reader,
  id: string,
): Promise<OpenDocument | DocumentTombstone | null> {
  const collectionIds = readableIds(ctx);
  const [row] = await findDocuments(collectionIds, { id, limit: 1 });
  if (!row) {
    return findTombstone(collectionIds, id);
  }
  const [facts] = await query<Facts>(
    "documents_facts",
    `SELECT (SELECT report FROM job WHERE document_id = $1 ORDER BY id DESC LIMIT 1) AS report,
            coalesce(sum(c.token_count), 0)::int AS tokens, max(c.page_end) AS last_page,
            (SELECT coalesce(json_agg(w), '[]') FROM (
               SELECT code, count(*)::int AS passages FROM chunk k, unnest(k.warnings) AS code
                WHERE k.document_id = $1 GROUP BY code ORDER BY code) w) AS warnings
       FROM chunk c WHERE c.document_id = $1`,
    [id],
  );
  return {
    state: "there",
    document: toListed(row),
    report: facts?.report ? JobReport.parse(facts.report) : null,
    tokens: facts?.tokens ?? 0,
    last_page: facts?.last_page ?? null,
    warnings: facts?.warnings ?? [],
    is_own: row.scope !== PUBLIC_COLLECTION.scope,
  };
}

async function findTombstone(
  collectionIds: readonly string[],
  id: string,
): Promise<DocumentTombstone | null> {
  const [trace] = ID_SHAPE.test(id)
    ? await query<{ deleted_at: Date }>(
        "documents_find_tombstone",
        "SELECT deleted_at FROM document_tombstone WHERE document_id = $1 AND collection_id = ANY($2)",
        [id, collectionIds],
      )
    : [];
  return trace ? { state: "deleted", deleted_at: trace.deleted_at.toISOString() } : null;
}

interface PassageRow extends Row, Omit<PassageRange, "tokens" | "warnings"> {
  token_count: number;
  warnings: string[] | null;
}

/** Part of a document's text with its passages; empty until the document is parsed. Throws not_found. */
export async function readText(
  ctx: Reader,
  { id, look }: { id: string; look: TextQuery },
): Promise<TextWindow> {
  const [row] = ID_SHAPE.test(id)
    ? await query<{ text: string | null }>(
        "documents_text",
        "SELECT text FROM document WHERE id = $1 AND collection_id = ANY($2)",
        [id, readableIds(ctx)],
      )
    : [];
  if (!row) {
    throw documentNotFound();
  }
  const text = row.text ?? "";
  const { start, end } = textWindow(text, look);
  const passages = await query<PassageRow>(
    "documents_passages_within",
    `SELECT id, ordinal, char_start, char_end, page_start, page_end, headings, token_count, warnings
       FROM chunk WHERE document_id = $1 AND char_start < $3 AND char_end > $2 ORDER BY ordinal`,
    [id, start, end],
  );
  return {
    object: "kb.text",
    document_id: id,
    length: text.length,
    start,
    end,
    text: text.slice(start, end),
    passages: passages.map(({ token_count, warnings, ...passage }) => ({
      ...passage,
      tokens: token_count,
      warnings: warnings ?? [],
    })),
  };
}
