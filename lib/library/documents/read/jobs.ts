import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { notFound } from "@/lib/errors";
import type { Job as JobRow, Prisma } from "@/lib/generated/prisma/client";
import { db, query } from "@/lib/platform/db/client";
import { acquireLongPoll } from "@/lib/platform/limits/open-streams";
import { type Reader, writableDocuments } from "../collections";
import { ID_SHAPE, type Job, JobReport, JobStatus } from "../schema";
import { keepBound } from "./selection";

const POLL_MS = 250;
/** Most jobs end soon; a long one needn't be asked after as often. */
const SOON_MS = 2000;
const LATER_POLL_MS = 1000;

export function isTerminal(status: JobStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** Throws not_found for a job outside the caller's own collections. */
export async function getJob(ctx: Reader, id: string): Promise<Job> {
  const [job] = await listJobs(ctx, [id]);
  if (!job) {
    throw notFound("There is no such job. Check the id that the upload returned.", "job_id");
  }
  return job;
}

/** Leaves out jobs outside the caller's own collections. */
export async function listJobs(ctx: Reader, ids: readonly string[]): Promise<Job[]> {
  const rows = await findJobRows(ctx, { id: { in: ids.filter((id) => ID_SHAPE.test(id)) } });
  return withEmbedded(rows.map(toJob));
}

/** Counts the embedded passages of documents that were stored before all of them were. */
export async function withEmbedded<T extends Pick<Job, "document_id" | "report">>(
  jobs: T[],
): Promise<T[]> {
  const waiting = jobs.flatMap(({ report, document_id }) =>
    report?.embedded_chunks === undefined ? [] : [document_id],
  );
  if (waiting.length === 0) {
    return jobs;
  }
  const rows = await query<{ document_id: string; chunks: number; embedded: number }>(
    "documents_count_embedded",
    `SELECT c.document_id, count(*)::int AS chunks, count(v.has_vector)::int AS embedded
       FROM chunk c LEFT JOIN LATERAL (SELECT true AS has_vector FROM chunk_vector v
              WHERE v.chunk_id = c.id AND v.account_id = c.account_id LIMIT 1) v ON true
      WHERE c.document_id = ANY($1) GROUP BY c.document_id`,
    [waiting],
  );
  const counts = new Map(rows.map((row) => [row.document_id, row]));
  return jobs.map((job) => {
    if (job.report?.embedded_chunks === undefined) {
      return job;
    }
    const { embedded_chunks: _, ...report } = job.report;
    const { chunks, embedded } = counts.get(job.document_id) ?? { chunks: 0, embedded: 0 };
    const isWhole = embedded === chunks;
    return { ...job, report: isWhole ? report : { ...report, embedded_chunks: embedded } };
  });
}

/** The job that an upload's request began; null for any other request, and outside the caller's own collections. */
export async function findJobOfRequest(ctx: Reader, requestId: string): Promise<Job | null> {
  const [row] = await findJobRows(ctx, { accountId: ctx.account.id, holdId: requestId });
  return row ? toJob(row) : null;
}

async function findJobRows(ctx: Reader, where: Prisma.JobWhereInput): Promise<readonly JobRow[]> {
  const [collectionIds, bound] = writableDocuments(ctx);
  const inCollections = { ...where, collectionId: { in: [...collectionIds] } };
  const rows = await db().job.findMany({ where: inCollections, orderBy: { id: "asc" } });
  return keepBound(bound, rows);
}

/**
 * Returns the job when it has ended, after `waitSeconds`, or when the client disconnects. Throws rate_limit_exceeded when
 * the account waits for as many jobs as it may.
 */
export async function waitForJob(
  ctx: Reader,
  input: { id: string; waitSeconds: number },
): Promise<Job> {
  const job = await getJob(ctx, input.id);
  if (isTerminal(job.status) || input.waitSeconds === 0) {
    return job;
  }
  const release = await acquireLongPoll(ctx.account.id);
  try {
    return await pollJob(ctx, job, Date.now() + input.waitSeconds * 1000);
  } finally {
    release();
  }
}

async function pollJob(ctx: Reader, first: Job, deadline: number): Promise<Job> {
  const startedAt = Date.now();
  let job = first;
  while (!isTerminal(job.status) && Date.now() < deadline && !ctx.signal.aborted) {
    const pollMs = Date.now() - startedAt < SOON_MS ? POLL_MS : LATER_POLL_MS;
    await sleep(Math.min(pollMs, Math.max(1, deadline - Date.now())));
    job = await getJob(ctx, job.id);
  }
  return job;
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
