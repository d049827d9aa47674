import "server-only";

import { type Micros, microsToUsd } from "@/lib/money/billing/money";
import { ingestCost, ocrCost } from "@/lib/money/billing/rates";
import { increaseHold } from "@/lib/money/billing/write/hold";
import { type Query, query, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { enqueue, openJobQueue } from "@/lib/platform/queue/vendor";
import { DocumentError } from "@/lib/reading/document-error";
import type { RecognizedPage } from "@/lib/reading/ocr/recognized-page";
import { isTranscript } from "@/lib/reading/ocr/written-page";
import type { Recognition, Scan } from "@/lib/reading/parse/scans";
import { createVisionModel, type VisionModel } from "../ocr/vision-model";
import { type PageSource, recognizePageApart } from "../processes/ocr-pool";
import type { JobAttempt } from "./end-job";
import { findRecognizedPages, type PricedPage, storeRecognizedPage } from "./recognized-pages";

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
 * Recognizes the text of a document's pages, one at a time, and saves each, so a retry after a crash continues where
 * the last attempt stopped. Pages beyond the limits on number and time are left out, and so are those that can't be
 * read. Throws insufficient_balance and key_budget_exceeded before it begins.
 */
export async function recognizeScan(
  attempt: JobAttempt,
  { bytes, scan }: { bytes: Uint8Array; scan: Scan },
  signal: AbortSignal,
): Promise<Recognition> {
  const wanted = pagesToRecognize(scan);
  const vision = env.OCR_MODEL ? createVisionModel(env.OCR_MODEL) : null;
  await coverPages(attempt, { bytes: bytes.byteLength, pages: wanted.length, vision });
  const { languages, ...source } = sourceOf(bytes, scan);
  const deadline = performance.now() + env.JOB_DEADLINE_SECONDS * 1000 * TIME_SHARE;
  const known = await findRecognizedPages(attempt.id);
  const pages: RecognizedPage[] = [...known.values()];
  const faults: DocumentError[] = [];
  const of = wanted.length;
  await recordRecognized(query, attempt, { pages: pages.length, of });
  for (const page of wanted.filter((each) => !known.has(each))) {
    if (faults.length >= MAX_FAILED || performance.now() > deadline) {
      break;
    }
    const language = pages.at(-1)?.language ?? languages[0] ?? "eng";
    const task = { ...source, key: attempt.id, languages, page, language };
    const read = await readPage(task, vision, signal).catch(toPageFault);
    if (read instanceof DocumentError) {
      log.info({ job_id: attempt.id, page, code: read.code }, "page not recognized");
      faults.push(read);
    } else {
      pages.push(read.page);
      await keepPage(attempt, read, { pages: pages.length, of });
    }
  }
  return {
    pages: pages.sort((one, other) => one.page - other.page),
    leftOut: scan.pages.length - pages.length,
    fault: faults[0]?.code ?? null,
  };
}

function sourceOf(bytes: Uint8Array, { format }: Scan) {
  const data = { folder: env.OCR_LANG_PATH ?? null };
  return { bytes, format, data, languages: env.OCR_LANGUAGES.split(",") };
}

/** A page as Tesseract reads it, and as the vision model does, if there is one and what it writes is the page's text. */
async function readPage(
  task: PageSource,
  vision: VisionModel | null,
  signal: AbortSignal,
): Promise<PricedPage> {
  const wantsPicture = vision !== null;
  const { page, picture } = await recognizePageApart({ ...task, wantsPicture }, signal);
  const written = vision && picture ? await vision.read(picture, signal) : null;
  if (vision && written?.text && isTranscript(written.text, page.blocks)) {
    return { ...written, page: { ...page, written: written.text }, model: vision.id };
  }
  if (vision) {
    log.warn({ model: vision.id, page: page.page }, "page read without the vision model");
  }
  const { text = null, costMicros = 0n, unbilledMicros = 0n } = written ?? {};
  if (vision && text === null && costMicros > 0n) {
    return { page, model: vision.id, costMicros, unbilledMicros };
  }
  return {
    ...{ page, model: null, costMicros: ocrCost(1) },
    unbilledMicros: costMicros + unbilledMicros,
  };
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
  { bytes, pages, vision }: { bytes: number; pages: number; vision: VisionModel | null },
): Promise<void> {
  if (!id || pages === 0) {
    return;
  }
  const cost = mostFor(pages, vision);
  const outcome = await increaseHold(query, { id, costMicros: ingestCost(bytes) + cost });
  if (outcome !== "increased") {
    const what = outcome === "insufficient_balance" ? "available balance" : "key's monthly budget";
    throw new DocumentError(
      outcome,
      `Recognizing the text of ${pages} pages costs ${vision ? "up to " : ""}$${microsToUsd(cost)}, and the ${what} doesn't cover it. Raise it and upload the document again, or upload it with 'ocr' set to 'off'.`,
    );
  }
}

/** The most that recognizing pages can cost. */
function mostFor(pages: number, vision: VisionModel | null): Micros {
  const byTesseract = ocrCost(pages);
  const byModel = BigInt(pages) * (vision?.mostPerPage ?? 0n);
  return byModel > byTesseract ? byModel : byTesseract;
}

/** Stores a page, and the job's progress, unless the job has ended or is at another attempt. */
async function keepPage(
  attempt: JobAttempt,
  page: PricedPage,
  progress: { pages: number; of: number },
): Promise<void> {
  await transaction(async (tx) => {
    if (await recordRecognized(tx.query, attempt, progress)) {
      await storeRecognizedPage(tx, attempt, page);
    }
  });
}

/** False if the job has ended or is at another attempt. */
async function recordRecognized(
  run: Query,
  { id, attempts }: JobAttempt,
  { pages, of }: { pages: number; of: number },
): Promise<boolean> {
  const progress = PROGRESS.start + (PROGRESS.end - PROGRESS.start) * (of > 0 ? pages / of : 1);
  const updated = await run(
    "documents_record_recognized",
    `UPDATE job SET stage = 'recognizing', progress = $3, ocr_pages = $4
      WHERE id = $1 AND attempts = $2 AND status = 'processing' RETURNING id`,
    [id, attempts, progress, pages],
  );
  return updated.length > 0;
}
