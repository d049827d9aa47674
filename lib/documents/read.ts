import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { db, query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import type { Prisma } from "@/lib/generated/prisma/client";
import { toListPage } from "@/lib/http/list-page";
import { PUBLIC_COLLECTION, type Reader, readableIds } from "./collections";
import type { FindDocuments, LibraryPage } from "./library-schema";
import { type DocumentFilter, findDocuments, toDocument, toListed } from "./read/rows";
import {
  type Document,
  type DocumentPage,
  ID_SHAPE,
  type Job,
  JobReport,
  JobStatus,
  type ListDocuments,
} from "./schema";

const POLL_MS = 250;
/** What an upload is that says nothing of it. */
const UNNAMED_SOURCE_TYPE = "document";
const MOST_SOURCE_TYPES = 50;
const JOB_COLUMNS = {
  id: true,
  documentId: true,
  status: true,
  stage: true,
  progress: true,
  attempts: true,
  errorCode: true,
  errorMessage: true,
  report: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
} satisfies Prisma.JobSelect;

type JobRow = Prisma.JobGetPayload<{ select: typeof JOB_COLUMNS }>;

export function isTerminal(status: JobStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** A job of a collection the caller may read. Throws not_found for any other. */
export async function getJob(ctx: Reader, id: string): Promise<Job> {
  const [job] = await listJobs(ctx, [id]);
  if (!job) {
    throw new AppError(
      "not_found",
      "There is no such job. Check the id that the upload returned.",
      {
        param: "job_id",
      },
    );
  }
  return job;
}

/** Those of the jobs that belong to collections the caller may read. */
export async function listJobs(ctx: Reader, ids: readonly string[]): Promise<Job[]> {
  const rows = await db().job.findMany({
    where: {
      id: { in: ids.filter((id) => ID_SHAPE.test(id)) },
      collectionId: { in: writableIds(ctx) },
    },
    orderBy: { id: "asc" },
    select: JOB_COLUMNS,
  });
  return rows.map(toJob);
}

/** The job once it has ended, or as it stands after `waitSeconds` or when the client hangs up. */
export async function waitForJob(
  ctx: Reader,
  input: { id: string; waitSeconds: number },
): Promise<Job> {
  const deadline = Date.now() + input.waitSeconds * 1000;
  let job = await getJob(ctx, input.id);
  while (!isTerminal(job.status) && Date.now() < deadline && !ctx.signal.aborted) {
    await sleep(Math.min(POLL_MS, Math.max(1, deadline - Date.now())));
    job = await getJob(ctx, input.id);
  }
  return job;
}

/** A document of a collection the caller may read, the public one aside. Throws not_found for any other. */
export async function getDocument(ctx: Reader, id: string): Promise<Document> {
  const [row] = await findDocuments(writableIds(ctx), { id, limit: 1 });
  if (!row) {
    throw new AppError(
      "not_found",
      "There is no such document. Check its id, or list the documents.",
      {
        param: "id",
      },
    );
  }
  return toDocument(row);
}

/** The caller's own documents, newest first. */
export async function listDocuments(ctx: Reader, input: ListDocuments): Promise<DocumentPage> {
  return toListPage(await findDocuments(writableIds(ctx), onePast(input)), input.limit, toDocument);
}

/** As `listDocuments`, each with its newest job, and narrowed down. */
export async function listLibrary(ctx: Reader, input: FindDocuments): Promise<LibraryPage> {
  return toListPage(await findDocuments(writableIds(ctx), onePast(input)), input.limit, toListed);
}

/** The kinds of source that the uploaders of the caller's own documents named. */
export async function listSourceTypes(ctx: Reader): Promise<string[]> {
  const rows = await db().document.findMany({
    where: { collectionId: { in: writableIds(ctx) }, sourceType: { not: UNNAMED_SOURCE_TYPE } },
    distinct: ["sourceType"],
    orderBy: { sourceType: "asc" },
    take: MOST_SOURCE_TYPES,
    select: { sourceType: true },
  });
  return rows.map(({ sourceType }) => sourceType);
}

function writableIds(ctx: Reader): string[] {
  return readableIds(ctx).filter((id) => id !== PUBLIC_COLLECTION.id);
}

/** One more than asked for tells whether there are more. */
function onePast<Filter extends DocumentFilter>(filter: Filter): Filter {
  return { ...filter, limit: filter.limit + 1 };
}

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    object: "kb.job",
    document_id: row.documentId,
    status: JobStatus.parse(row.status),
    stage: row.stage,
    progress: row.progress,
    attempts: row.attempts,
    error: row.errorCode ? { code: row.errorCode, message: row.errorMessage ?? "" } : null,
    report: row.report === null ? null : JobReport.parse(row.report),
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

/** Open jobs of all accounts. */
export async function countOpenJobs(): Promise<{ queued: number; processing: number }> {
  const [row] = await query<{ queued: number; processing: number }>(
    "documents_count_open_jobs",
    `SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
            count(*) FILTER (WHERE status = 'processing')::int AS processing
       FROM job WHERE status IN ('queued', 'processing')`,
  );
  return row ?? { queued: 0, processing: 0 };
}
