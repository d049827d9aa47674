import "server-only";

import { type AppError, notFound } from "@/lib/errors";
import type { MemberContext } from "@/lib/platform/auth/context";
import { KnowledgeScope } from "@/lib/platform/auth/schema";
import { db, query, type Row } from "@/lib/platform/db/client";
import { toListPage } from "@/lib/platform/http/list-page";
import { FORMATS } from "@/lib/reading/formats";
import { type DocumentAccess, type Reader, writableDocuments } from "../collections";
import type {
  DocumentPage,
  FindDocuments,
  LibraryPage,
  ListDocuments,
  ListedDocument,
} from "../library-schema";
import { type Document, DocumentStatus, ID_SHAPE, JobStatus, Standing } from "../schema";
import { type Bind, rejectUnknownNames } from "./filters";
import { accessCondition, selectionConditions } from "./selection";

/** The source type of an upload that names none. */
const DEFAULT_SOURCE_TYPE = "document";
const MAX_SOURCE_TYPES = 50;

/** A document with its newest job. Imported documents have none. */
interface DocumentRow
  extends Row,
    Omit<
      Document,
      "object" | "scope" | "status" | "standing" | "published_at" | "created_at" | "updated_at"
    > {
  scope: string;
  standing: string;
  published_at: Date | null;
  created_at: Date;
  updated_at: Date;
  status: string;
  stores: string[];
  job_status: string | null;
  stage: string | null;
  progress: number | null;
  error_code: string | null;
  error_message: string | null;
  warnings: number;
}

interface DocumentFilter extends Partial<FindDocuments> {
  id?: string;
  limit: number;
}

/** Imported documents have no job, and neither have files before they are indexed. */
const STATUS =
  "coalesce(j.status, CASE WHEN d.purpose IS NULL OR d.chunk_count > 0 THEN 'completed' ELSE 'uploaded' END)";

/** A filter's SQL condition on a document `d` and its newest job `j`, by its parameter. */
const CONDITIONS: Record<
  Exclude<keyof DocumentFilter, "limit" | "filters">,
  (place: string) => string
> = {
  id: (place) => `d.id = ${place}`,
  after: (place) => `d.id < ${place}`,
  external_id: (place) => `d.external_id = ${place}`,
  scope: (place) => `d.scope = ${place}`,
  store: (place) => `EXISTS (SELECT FROM vector_store_file m
      WHERE m.store_id = ${place} AND m.document_id = d.id AND m.account_id = d.account_id)`,
  status: (place) => `${STATUS} = ${place}`,
  format: (place) => `d.media_type = ${place}`,
  source_type: (place) => `d.source_type = ${place}`,
  title: (place) =>
    `(strpos(lower(d.title), lower(${place})) > 0 OR strpos(lower(d.file_name), lower(${place})) > 0)`,
};

const CONDITION_NAMES = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];

/** A member as a reader of documents: with the person that owns their personal documents. */
export async function toReaderContext(ctx: MemberContext): Promise<Reader> {
  const person = await db().person.findFirst({
    where: { accountId: ctx.account.id, kind: "member", reference: ctx.actor.id },
    select: { id: true },
  });
  return { ...ctx, actor: { ...ctx.actor, personId: person?.id ?? null } };
}

/** Throws not_found for a document outside the caller's own collections. */
export async function getDocument(ctx: Reader, id: string): Promise<Document> {
  const [row] = await findDocuments(writableDocuments(ctx), { id, limit: 1 });
  if (!row) {
    throw documentNotFound();
  }
  return toDocument(row);
}

export function documentNotFound(): AppError {
  return notFound("There is no such document. Check its id, or list the documents.", "id");
}

/** The caller's own documents, newest first. Throws invalid_request for a filter on unknown names. */
export async function listDocuments(ctx: Reader, input: ListDocuments): Promise<DocumentPage> {
  const rows = await findPage(ctx, input);
  if (rows.length === 0 && input.filters) {
    await rejectUnknownNames(ctx.signal, writableDocuments(ctx), input.filters);
  }
  return toListPage(rows, input.limit, toDocument);
}

/** As `listDocuments`, filtered, each with its newest job. */
export async function listLibrary(ctx: Reader, input: FindDocuments): Promise<LibraryPage> {
  return toListPage(await findPage(ctx, input), input.limit, toListed);
}

/** The source types that uploads of the caller's own documents named. */
export async function listSourceTypes(ctx: Reader): Promise<string[]> {
  const rows = await query<{ source_type: string }>(
    "documents_source_types",
    `SELECT DISTINCT d.source_type FROM document d
      WHERE ${accessCondition(["$1", "$2"])} AND d.source_type <> $3 ORDER BY 1 LIMIT $4`,
    [...writableDocuments(ctx), DEFAULT_SOURCE_TYPE, MAX_SOURCE_TYPES],
  );
  return rows.map(({ source_type }) => source_type);
}

/** One row more than the page has shows whether there is a next page. */
function findPage(ctx: Reader, filter: DocumentFilter): Promise<DocumentRow[]> {
  return findDocuments(writableDocuments(ctx), { ...filter, limit: filter.limit + 1 });
}

/** Documents that the access allows, newest first. */
export async function findDocuments(
  access: DocumentAccess,
  { limit, filters, ...filter }: DocumentFilter,
): Promise<DocumentRow[]> {
  if (filter.id !== undefined && !ID_SHAPE.test(filter.id)) {
    return [];
  }
  const values = { ...filter, format: filter.format && FORMATS[filter.format].mediaTypes[0] };
  // One statement per set of filters, because optional conditions in one statement get a poor plan.
  const names = CONDITION_NAMES.filter((name) => values[name]);
  const conditions = names.map((name, index) => CONDITIONS[name](`$${index + 4}`));
  const parameters: unknown[] = [...access, limit, ...names.map((name) => values[name])];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const filtered = selectionConditions({ filter: filters }, access[0], bind);
  return query<DocumentRow>(
    // Callers make up filters, so those statements aren't kept.
    filters ? "" : ["documents_find", ...names].join("_"),
    `SELECT d.id, d.scope, d.external_id, d.title, d.source_type, d.standing, d.url, d.published_at, d.metadata,
            d.media_type, d.file_name, d.size_bytes, encode(d.content_hash, 'hex') AS sha256, d.chunk_count AS chunks, d.created_at,
            EXISTS (SELECT FROM document_upload u
                     WHERE u.document_id = d.id AND u.account_id = d.account_id AND u.is_original) AS has_original,
            ARRAY(SELECT m.store_id FROM vector_store_file m
                   WHERE m.document_id = d.id AND m.account_id = d.account_id ORDER BY 1) AS stores,
            coalesce(d.updated_at, d.created_at) AS updated_at, j.id AS job_id, j.status AS job_status,
            ${STATUS} AS status, j.stage, j.progress, j.error_code, j.error_message,
            coalesce(jsonb_array_length(j.report->'warnings'), 0) AS warnings
       FROM document d LEFT JOIN LATERAL
            (SELECT * FROM job WHERE document_id = d.id ORDER BY id DESC LIMIT 1) j ON true
      WHERE ${[accessCondition(["$1", "$2"]), ...conditions, ...filtered].join(" AND ")}
      ORDER BY d.id DESC LIMIT $3`,
    parameters,
  );
}

function toDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    object: "kb.document",
    scope: KnowledgeScope.parse(row.scope),
    external_id: row.external_id,
    title: row.title,
    source_type: row.source_type,
    standing: Standing.parse(row.standing),
    url: row.url,
    published_at: row.published_at?.toISOString() ?? null,
    metadata: row.metadata,
    media_type: row.media_type,
    file_name: row.file_name,
    size_bytes: row.size_bytes,
    sha256: row.sha256,
    chunks: row.chunks,
    has_original: row.has_original,
    job_id: row.job_id,
    status: DocumentStatus.parse(row.status),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toListed(row: DocumentRow): ListedDocument {
  const error = row.error_code ? { code: row.error_code, message: row.error_message ?? "" } : null;
  return {
    ...toDocument(row),
    stores: row.stores,
    job: row.job_id
      ? {
          id: row.job_id,
          status: JobStatus.parse(row.job_status),
          stage: row.stage,
          progress: row.progress ?? 0,
          error,
          warnings: row.warnings,
        }
      : null,
  };
}
