import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "@/lib/auth/context";
import { KnowledgeScope } from "@/lib/auth/schema";
import { db } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Prisma } from "@/lib/generated/prisma/client";
import { collectionsOf, PUBLIC_COLLECTION } from "./collections";
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
const DOCUMENT_COLUMNS = {
  id: true,
  scope: true,
  title: true,
  sourceType: true,
  url: true,
  publishedAt: true,
  metadata: true,
  mediaType: true,
  sizeBytes: true,
  createdAt: true,
  _count: { select: { chunks: true } },
} satisfies Prisma.DocumentSelect;

type JobRow = Prisma.JobGetPayload<{ select: typeof JOB_COLUMNS }>;
type DocumentRow = Prisma.DocumentGetPayload<{ select: typeof DOCUMENT_COLUMNS }>;

export function isTerminal(status: JobStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** A job of a collection the caller may read. Throws not_found for any other. */
export async function getJob(ctx: Context, id: string): Promise<Job> {
  const row =
    ID_SHAPE.test(id) &&
    (await db().job.findFirst({
      where: { id, collectionId: { in: writableIds(ctx) } },
      select: JOB_COLUMNS,
    }));
  if (!row) {
    throw new AppError(
      "not_found",
      "There is no such job. Check the id that the upload returned.",
      {
        param: "job_id",
      },
    );
  }
  return toJob(row);
}

/** The job once it has ended, or as it stands after `waitSeconds` or when the client hangs up. */
export async function waitForJob(
  ctx: Context,
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
export async function getDocument(ctx: Context, id: string): Promise<Document> {
  const row =
    ID_SHAPE.test(id) &&
    (await db().document.findFirst({
      where: { id, collectionId: { in: writableIds(ctx) } },
      select: DOCUMENT_COLUMNS,
    }));
  const [document] = row ? await withStatus([row]) : [];
  if (!document) {
    throw new AppError(
      "not_found",
      "There is no such document. Check its id, or list the documents.",
      {
        param: "id",
      },
    );
  }
  return document;
}

/** The caller's own documents, newest first. */
export async function listDocuments(ctx: Context, input: ListDocuments): Promise<DocumentPage> {
  const rows = await db().document.findMany({
    where: {
      collectionId: { in: writableIds(ctx) },
      ...(input.after && { id: { lt: input.after } }),
    },
    orderBy: { id: "desc" },
    take: input.limit + 1,
    select: DOCUMENT_COLUMNS,
  });
  const hasMore = rows.length > input.limit;
  const data = await withStatus(rows.slice(0, input.limit));
  return {
    object: "list",
    data,
    has_more: hasMore,
    next_cursor: hasMore ? (data.at(-1)?.id ?? null) : null,
  };
}

function writableIds(ctx: Context): string[] {
  return collectionsOf(ctx)
    .map((collection) => collection.id)
    .filter((id) => id !== PUBLIC_COLLECTION.id);
}

async function withStatus(rows: DocumentRow[]): Promise<Document[]> {
  const jobs = await db().job.findMany({
    where: { documentId: { in: rows.map(({ id }) => id) } },
    orderBy: { id: "asc" },
    select: { documentId: true, status: true },
  });
  const statuses = new Map(jobs.map((job) => [job.documentId, JobStatus.parse(job.status)]));
  return rows.map((row) => ({
    id: row.id,
    object: "kb.document",
    scope: KnowledgeScope.parse(row.scope),
    title: row.title,
    source_type: row.sourceType,
    url: row.url,
    published_at: row.publishedAt?.toISOString() ?? null,
    metadata: row.metadata as Document["metadata"],
    media_type: row.mediaType,
    size_bytes: row.sizeBytes,
    chunks: row._count.chunks,
    status: statuses.get(row.id) ?? "completed",
    created_at: row.createdAt.toISOString(),
  }));
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
