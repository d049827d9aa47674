import "server-only";

import { microsToUsd } from "@/lib/billing/money";
import { ingestCost, ocrCost } from "@/lib/billing/rates";
import { increaseHold } from "@/lib/billing/write/hold";
import { query, transaction } from "@/lib/db/client";
import { env } from "@/lib/env";
import { enqueue, openJobQueue } from "@/lib/jobs/vendor";
import { log } from "@/lib/log";
import { DocumentError } from "../document-error";
import { recognizePageInThread } from "../ocr/pool";
import type { RecognizedPage } from "../ocr/recognized-page";
import type { Recognition, Scan } from "../parse/scans";
import type { JobAttempt } from "./end-job";

/** A job of more pages leaves a worker to the others, like that of a large file. */
const MAX_QUICK_PAGES = 3;
/** Of the queue's virtual time: what a page takes, in the units of a file's bytes. */
const UNITS_PER_PAGE = 64;
/** The share of a job's time that recognition may take. Pages after it are left out. */
const TIME_SHARE = 0.6;
/** After so many pages that can't be read, the file is damaged or hostile, and the rest is left out. */
const MAX_FAILED = 3;
/** Of a job's progress: where recognition begins and ends. */
const PROGRESS = { start: 0.1, end: 0.5 };

/** How many pages of a document may be recognized. */
export function pagesToRecognize({ pages }: Scan): number[] {
  return pages.slice(0, env.MAX_OCR_PAGES_PER_DOCUMENT);
}

/** Returns a job to the queue of slow ones if it isn't from there and has many pages to recognize. */
export async function moveToSlowJobs(attempt: JobAttempt, pages: number): Promise<boolean> {
  if (attempt.is_large || pages <= MAX_QUICK_PAGES) {
    return false;
  }
  await openJobQueue();
  await transaction(async (tx) => {
    const [job] = await tx.query<{ virtual_finish: number }>(
      "documents_return_slow_job",
      // This attempt has only found out that the job is slow.
      `UPDATE job SET status = 'queued', stage = NULL, progress = 0, worker = NULL, is_large = true,
                      attempts = attempts - 1, virtual_finish = virtual_finish + $3
        WHERE id = $1 AND attempts = $2 AND status = 'processing' RETURNING virtual_finish`,
      [attempt.id, attempt.attempts, pages * UNITS_PER_PAGE],
    );
    if (job) {
      const place = { id: attempt.id, virtualFinish: job.virtual_finish, isSlow: true };
      const queueId = await enqueue(tx, place);
      const statement = "UPDATE job SET queue_id = $2 WHERE id = $1";
      await tx.query("documents_queue_slow_job", statement, [attempt.id, queueId]);
    }
  });
  return true;
}

/**
 * Recognizes the text of a document's pages, one at a time. Pages beyond the limits on number and time are left out,
 * and so are those that can't be read. Throws insufficient_balance and key_budget_exceeded before it begins.
 */
export async function recognizeScan(
  attempt: JobAttempt,
  { bytes, scan }: { bytes: Uint8Array; scan: Scan },
  signal: AbortSignal,
): Promise<Recognition> {
  const wanted = pagesToRecognize(scan);
  await coverPages(attempt, { bytes: bytes.byteLength, pages: wanted.length });
  const [first = "eng", ...others] = env.OCR_LANGUAGES.split(",");
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  const source = {
    bytes: shared,
    format: scan.format,
    languages: [first, ...others],
    data: { folder: env.OCR_LANG_PATH ?? null },
  };
  const deadline = performance.now() + env.JOB_DEADLINE_SECONDS * 1000 * TIME_SHARE;
  const pages: RecognizedPage[] = [];
  const faults: DocumentError[] = [];
  for (const [done, page] of wanted.entries()) {
    if (faults.length >= MAX_FAILED || performance.now() > deadline) {
      break;
    }
    await recordRecognized(attempt, { done, pages: pages.length, of: wanted.length });
    const language = pages.at(-1)?.language ?? first;
    const read = await recognizePageInThread({ ...source, page, language }, signal).catch(
      toPageFault,
    );
    if (read instanceof DocumentError) {
      log.info({ job_id: attempt.id, page, code: read.code }, "page not recognized");
      faults.push(read);
    } else {
      pages.push(read);
    }
  }
  await recordRecognized(attempt, { done: wanted.length, pages: pages.length, of: wanted.length });
  return { pages, leftOut: scan.pages.length - pages.length, fault: faults[0]?.code ?? null };
}

/** A page that can't be read is left out. Rethrows what can be retried. */
function toPageFault(thrown: unknown): DocumentError {
  if (thrown instanceof DocumentError) {
    return thrown;
  }
  throw thrown;
}

/** The upload's hold doesn't know how many pages a file has. */
async function coverPages(
  { hold_id: id }: JobAttempt,
  { bytes, pages }: { bytes: number; pages: number },
): Promise<void> {
  if (!id || pages === 0) {
    return;
  }
  const costMicros = ingestCost(bytes) + ocrCost(pages);
  const outcome = await increaseHold(query, { id, costMicros });
  if (outcome !== "increased") {
    const what = outcome === "insufficient_balance" ? "available balance" : "key's monthly budget";
    throw new DocumentError(
      outcome,
      `Recognizing the text of ${pages} pages costs $${microsToUsd(ocrCost(pages))}, and the ${what} does not cover it. Raise it and upload the document again, or upload it with 'ocr' set to 'off'.`,
    );
  }
}

async function recordRecognized(
  { id, attempts }: JobAttempt,
  { done, pages, of }: { done: number; pages: number; of: number },
): Promise<void> {
  const progress = PROGRESS.start + (PROGRESS.end - PROGRESS.start) * (of > 0 ? done / of : 1);
  await query(
    "documents_record_recognized",
    `UPDATE job SET stage = 'recognizing', progress = $3, ocr_pages = $4
      WHERE id = $1 AND attempts = $2 AND status = 'processing'`,
    [id, attempts, progress, pages],
  );
}
