import "server-only";

import { query, type Row } from "@/lib/db/client";
import { PUBLIC_COLLECTION, type Reader, readableIds } from "../collections";
import type { DocumentTombstone, OpenDocument } from "../library-schema";
import { ID_SHAPE, JobReport } from "../schema";
import { findDocuments, toListed } from "./documents";

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
