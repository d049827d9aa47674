import "server-only";

import { KnowledgeScope } from "@/lib/auth/schema";
import { query, type Row } from "@/lib/db/client";
import { FORMATS, type Format } from "../formats";
import type { ListedDocument } from "../library-schema";
import { type Document, ID_SHAPE, JobStatus } from "../schema";

/** A document with its newest job; those the operator imported have none. */
export interface DocumentRow extends Row {
  id: string;
  scope: string;
  title: string;
  source_type: string;
  url: string | null;
  published_at: Date | null;
  metadata: Document["metadata"];
  media_type: string;
  size_bytes: number;
  chunks: number;
  created_at: Date;
  job_id: string | null;
  job_status: string | null;
  stage: string | null;
  progress: number | null;
  error_code: string | null;
  error_message: string | null;
}

export interface DocumentFilter {
  id?: string | undefined;
  /** Ids before this one. */
  after?: string | undefined;
  limit: number;
  scope?: string | undefined;
  status?: JobStatus | undefined;
  format?: Format | undefined;
  source_type?: string | undefined;
  title?: string | undefined;
}

/** What a filter asks of a document `d` and its newest job `j`, for the number of its parameter. */
const CONDITIONS: Record<Exclude<keyof DocumentFilter, "limit">, (place: string) => string> = {
  id: (place) => `d.id = ${place}`,
  after: (place) => `d.id < ${place}`,
  scope: (place) => `d.scope = ${place}`,
  status: (place) => `coalesce(j.status, 'completed') = ${place}`,
  format: (place) => `d.media_type = ${place}`,
  source_type: (place) => `d.source_type = ${place}`,
  title: (place) => `strpos(lower(d.title), lower(${place})) > 0`,
};

/** Documents of these collections and of no other, newest first. */
export async function findDocuments(
  collectionIds: readonly string[],
  { limit, ...filter }: DocumentFilter,
): Promise<DocumentRow[]> {
  if (filter.id !== undefined && !ID_SHAPE.test(filter.id)) {
    return [];
  }
  const asked = { ...filter, format: filter.format && FORMATS[filter.format].mediaTypes[0] };
  // A statement for each set of filters: one that can do without any of them is planned for all of them.
  const names = keysOf(CONDITIONS).filter((name) => asked[name]);
  const conditions = names.map((name, index) => `AND ${CONDITIONS[name](`$${index + 3}`)}`);
  return query<DocumentRow>(
    ["documents_find", ...names].join("_"),
    `SELECT d.id, d.scope, d.title, d.source_type, d.url, d.published_at, d.metadata, d.media_type,
            d.size_bytes, d.chunk_count AS chunks, d.created_at, j.id AS job_id, j.status AS job_status,
            j.stage, j.progress, j.error_code, j.error_message
       FROM document d LEFT JOIN LATERAL
            (SELECT * FROM job WHERE document_id = d.id ORDER BY id DESC LIMIT 1) j ON true
      WHERE d.collection_id = ANY($1) ${conditions.join(" ")}
      ORDER BY d.id DESC LIMIT $2`,
    [collectionIds, limit, ...names.map((name) => asked[name])],
  );
}

function keysOf<K extends string>(record: Record<K, unknown>): K[] {
  return Object.keys(record) as K[];
}

export function toDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    object: "kb.document",
    scope: KnowledgeScope.parse(row.scope),
    title: row.title,
    source_type: row.source_type,
    url: row.url,
    published_at: row.published_at?.toISOString() ?? null,
    metadata: row.metadata,
    media_type: row.media_type,
    size_bytes: row.size_bytes,
    chunks: row.chunks,
    status: JobStatus.parse(row.job_status ?? "completed"),
    created_at: row.created_at.toISOString(),
  };
}

export function toListed(row: DocumentRow): ListedDocument {
  const error = row.error_code ? { code: row.error_code, message: row.error_message ?? "" } : null;
  return {
    ...toDocument(row),
    job: row.job_id
      ? {
          id: row.job_id,
          status: JobStatus.parse(row.job_status),
          stage: row.stage,
          progress: row.progress ?? 0,
          error,
        }
      : null,
  };
}
