import "server-only";

import { query, type Row } from "@/lib/platform/db/client";
import { decodeBoxes, mergeLines, type PageBoxes } from "@/lib/reading/page-boxes";
import type { QuoteBox } from "../page-schema";

/** Words of a document by their range in its text. */
export interface QuotedRange {
  documentId: string;
  start: number;
  end: number;
  /** Offsets at which the document's pages begin. */
  pageStarts: readonly number[];
}

/** Longer quotes than this are marked in part. */
const MAX_BOXES = 200;
const DIGITS = 4;

/** Where quotes are on their pages, one box a line, in one statement for all; null where that isn't known. */
export async function findQuoteBoxes(
  ranges: readonly QuotedRange[],
): Promise<(QuoteBox[] | null)[]> {
  const wanted = new Map(
    ranges.flatMap((range) =>
      pagesOf(range).map((page) => [`${range.documentId} ${page}`, { ...range, page }]),
    ),
  );
  const pages = [...wanted.values()];
  const rows =
    pages.length > 0
      ? await query<Row & PageBoxes & { documentId: string }>(
          "documents_page_boxes",
          `SELECT p.document_id AS "documentId", p.page, p.boxes
             FROM unnest($1::text[], $2::int[]) AS q(id, page)
             JOIN document_page p ON p.document_id = q.id AND p.page = q.page ORDER BY p.page`,
          [pages.map(({ documentId }) => documentId), pages.map(({ page }) => page)],
        )
      : [];
  const byDocument = Map.groupBy(rows, ({ documentId }) => documentId);
  return ranges.map((range) => {
    const boxes = byDocument.get(range.documentId)?.flatMap((page) => decodeBoxes(page, range));
    return boxes?.length ? mergeLines(boxes).slice(0, MAX_BOXES).map(rounded) : null;
  });
}

/** The pages from the one on which a quote begins to the one after its end, which a paragraph may run onto. */
function pagesOf({ start, end, pageStarts }: QuotedRange): number[] {
  const first = Math.max(1, pageStarts.findLastIndex((at) => at <= start) + 1);
  const last = Math.max(first, pageStarts.findLastIndex((at) => at < end) + 1);
  return Array.from({ length: last - first + 2 }, (_, at) => first + at);
}

function rounded({ page, ...rectangle }: QuoteBox): QuoteBox {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [
    ...[rectangle.x0, rectangle.y0, rectangle.x1, rectangle.y1],
  ].map((part) => Number(part.toFixed(DIGITS)));
  return { page, x0, y0, x1, y1 };
}
