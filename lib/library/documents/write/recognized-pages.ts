import "server-only";

import { type Micros, microsToUsd } from "@/lib/money/billing/money";
import { ocrCost, RATES } from "@/lib/money/billing/rates";
import { query, type Row, type Session } from "@/lib/platform/db/client";
import type { RecognizedPage } from "@/lib/reading/ocr/recognized-page";

/** A page with what it costs, and the vision model that read it, or that bills for it all the same. */
export interface PricedPage {
  page: RecognizedPage;
  model: string | null;
  costMicros: Micros;
  /** What the vision model may bill beside it. */
  unbilledMicros: Micros;
}

/** What the recognized pages of a job cost, and how that was computed, for its usage record. */
export interface RecognitionCharge {
  micros: Micros;
  /** Of them, what a model bills. */
  modelMicros: Micros;
  unbilledMicros: Micros;
  rate: Record<string, number | string>;
}

/** What stays with the operator when the account pays nothing. */
export function withoutCharge({ modelMicros, unbilledMicros }: RecognitionCharge) {
  return { ...NOT_RECOGNIZED, unbilledMicros: unbilledMicros + modelMicros };
}

export const NOT_RECOGNIZED: RecognitionCharge = {
  micros: 0n,
  modelMicros: 0n,
  unbilledMicros: 0n,
  rate: {},
};

/** The pages that the job's attempts have recognized so far, by number. */
export async function findRecognizedPages(jobId: string): Promise<Map<number, RecognizedPage>> {
  const rows = await query<{ content: Uint8Array }>(
    "documents_recognized_pages",
    "SELECT content FROM recognized_page WHERE job_id = $1 ORDER BY page",
    [jobId],
  );
  const pages = rows.map(({ content }) => toPage(content));
  return new Map(pages.map((page) => [page.page, page]));
}

/** Keeps a page until the job ends. The caller has locked the job at its current attempt. */
export async function storeRecognizedPage(
  tx: Session,
  { id, account_id }: { id: string; account_id: string },
  { page, model, costMicros, unbilledMicros }: PricedPage,
): Promise<void> {
  await tx.query(
    "documents_store_recognized_page",
    `INSERT INTO recognized_page (job_id, account_id, page, content, model, cost_micros, unbilled_micros)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (job_id, account_id, page) DO NOTHING`,
    [id, account_id, page.page, toContent(page), model, costMicros, unbilledMicros],
  );
}

export async function findRecognitionCharge(jobId: string): Promise<RecognitionCharge> {
  const statement =
    "SELECT model, cost_micros, unbilled_micros FROM recognized_page WHERE job_id = $1";
  return toCharge(await query<PageCost>("documents_recognition_costs", statement, [jobId]));
}

/** Deletes the pages of a job that has ended. Returns what they cost. */
export async function deleteRecognizedPages(
  tx: Session,
  jobId: string,
): Promise<RecognitionCharge> {
  const deleted = await tx.query<PageCost>(
    "documents_delete_recognized_pages",
    "DELETE FROM recognized_page WHERE job_id = $1 RETURNING model, cost_micros, unbilled_micros",
    [jobId],
  );
  return toCharge(deleted);
}

interface PageCost extends Row {
  model: string | null;
  cost_micros: Micros;
  unbilled_micros: Micros;
}

function toCharge(pages: readonly PageCost[]): RecognitionCharge {
  const byModel = pages.filter(({ model }) => model !== null);
  const others = pages.length - byModel.length;
  const micros = byModel.reduce((sum, page) => sum + page.cost_micros, 0n);
  return {
    micros: micros + ocrCost(others),
    modelMicros: micros,
    unbilledMicros: pages.reduce((sum, page) => sum + page.unbilled_micros, 0n),
    rate: {
      ...(others > 0 && { ocr_usd_per_page: RATES.ocrUsdPerPage, ocr_pages: others }),
      ...(byModel.length > 0 && {
        ocr_model: byModel[0]?.model ?? "",
        ocr_model_pages: byModel.length,
        ocr_model_usd: Number(microsToUsd(micros)),
      }),
    },
  };
}

function toContent(page: RecognizedPage): Buffer {
  return Buffer.from(
    JSON.stringify(page, (_, value: unknown) =>
      value instanceof Int32Array ? { int32: [...value] } : value,
    ),
  );
}

function toPage(content: Uint8Array): RecognizedPage {
  return JSON.parse(Buffer.from(content).toString(), (_, value) =>
    Array.isArray(value?.int32) ? Int32Array.from(value.int32) : value,
  );
}
