import "server-only";

import { KnowledgeScope } from "@/lib/auth/schema";
import { queryUntil, type Row } from "@/lib/db/client";
import type { Ranked } from "../fuse";
import type { Passage } from "../passage";

interface PassageRow extends Row {
  id: string;
  document_id: string;
  scope: string;
  title: string;
  source_type: string;
  text: string;
  url: string | null;
  published_at: Date | null;
  headings: string[];
  page_start: number | null;
  page_end: number | null;
  char_start: number;
  char_end: number;
  warnings: string[] | null;
  metadata: Record<string, unknown>;
}

/** The texts and places of the chunks found, in the same order, without those deleted meanwhile. */
export async function readPassages(
  signal: AbortSignal,
  found: readonly (Ranked & { similarity: number })[],
): Promise<Passage[]> {
  if (found.length === 0) {
    return [];
  }
  const rows = await queryUntil<PassageRow>(
    signal,
    "retrieval_passages",
    // In a subquery the number of ids doesn't affect the plan's cost, so PostgreSQL caches the plan.
    `SELECT c.id, c.document_id, c.text, c.headings, c.page_start, c.page_end, c.char_start, c.char_end,
            c.source_type, c.warnings, d.scope, d.title, d.url, d.published_at, d.metadata
       FROM chunk c JOIN document d ON d.id = c.document_id WHERE c.id = ANY((SELECT $1::text[])::text[])`,
    [found.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return found.flatMap((ranked) => {
    const row = byId.get(ranked.id);
    return row ? [toPassage(row, ranked)] : [];
  });
}

function toPassage(row: PassageRow, ranked: Ranked & { similarity: number }): Passage {
  return {
    scope: KnowledgeScope.parse(row.scope),
    chunkId: row.id,
    documentId: row.document_id,
    title: row.title,
    sourceType: row.source_type,
    similarity: ranked.similarity,
    ranks: ranked,
    text: row.text,
    url: row.url,
    publishedAt: row.published_at,
    headings: row.headings,
    pageStart: row.page_start,
    pageEnd: row.page_end,
    charStart: row.char_start,
    charEnd: row.char_end,
    warnings: row.warnings ?? [],
    metadata: row.metadata,
  };
}
