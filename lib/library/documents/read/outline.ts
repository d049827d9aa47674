import "server-only";

import type { KnowledgeScope } from "@/lib/platform/auth/schema";
import { query, type Row } from "@/lib/platform/db/client";
import { type Reader, writableDocuments } from "../collections";
import { accessCondition } from "./selection";

/** A document's title and its first headings, each the deepest above a passage. */
export interface DocumentOutline {
  scope: KnowledgeScope;
  title: string;
  headings: string[];
}

const PASSAGES_READ = 30;

/** The outlines of the caller's own newest documents that can be searched and were read without a warning, newest first. */
export function listNewestOutlines(ctx: Reader, limit: number): Promise<DocumentOutline[]> {
  return query<Row & DocumentOutline>(
    "documents_outlines",
    `SELECT d.scope, d.title,
            coalesce((SELECT array_agg(c.headings[cardinality(c.headings)] ORDER BY c.ordinal)
                        FROM (SELECT headings, ordinal FROM chunk
                               WHERE document_id = d.id AND account_id = d.account_id AND cardinality(headings) > 0
                               ORDER BY ordinal LIMIT $4) c), '{}') AS headings
       FROM document d
      WHERE ${accessCondition(["$1", "$2"])} AND d.chunk_count > 0
        AND coalesce((SELECT jsonb_array_length(j.report->'warnings') FROM job j
                       WHERE j.document_id = d.id AND j.account_id = d.account_id ORDER BY j.id DESC LIMIT 1), 0) = 0
      ORDER BY d.id DESC LIMIT $3`,
    [...writableDocuments(ctx), limit, PASSAGES_READ],
  );
}
