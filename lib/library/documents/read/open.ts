import "server-only";

import pLimit from "p-limit";
import { invalidRequest } from "@/lib/errors";
import { countCitingAnswers } from "@/lib/money/usage/read/citations";
import { findCost } from "@/lib/money/usage/read/request";
import { query, type Row } from "@/lib/platform/db/client";
import { processSingleton } from "@/lib/singleton";
import { cellsIn } from "@/lib/text/tables";
import { PUBLIC_COLLECTION, type Reader, readableDocuments } from "../collections";
import type {
  DocumentTombstone,
  OpenDocument,
  PassageRange,
  TextQuery,
  TextWindow,
} from "../library-schema";
import { locateQuote, parseQuoteRef, type QuoteRef } from "../quote-ref";
import type { KbQuote } from "../quote-schema";
import { ID_SHAPE, JobReport } from "../schema";
import { textWindow } from "../text-window";
import { documentNotFound, findDocuments, toListed } from "./documents";
import { withEmbedded } from "./jobs";
import { findQuoteBoxes } from "./quote-boxes";
import { accessCondition } from "./selection";

/** How much text around a quote is returned. */
const AROUND = 200;
/** A text may be tens of megabytes, and each reader holds the whole of one. */
const CONCURRENT_READERS = 4;
const readers = processSingleton("document text readers", () => pLimit(CONCURRENT_READERS));

const NOTHING = {
  text: null,
  char_start: null,
  char_end: null,
  page: null,
  section: null,
  before: null,
  after: null,
} satisfies Partial<KbQuote>;

interface Facts extends Row {
  report: unknown;
  hold_id: string | null;
  tokens: number;
  last_page: number | null;
  warnings: OpenDocument["warnings"];
}

/** A document the caller may read, or the tombstone of one; null for any other. */
export async function findOpenDocument(
  ctx: Reader,
  id: string,
): Promise<OpenDocument | DocumentTombstone | null> {
  const [row] = await findDocuments(readableDocuments(ctx), { id, limit: 1 });
  if (!row) {
    const { deleted_at } = (await findText(ctx, id)) ?? {};
    return deleted_at ? { state: "deleted", deleted_at: deleted_at.toISOString() } : null;
  }
  const [[facts], citedIn] = await Promise.all([readFacts(id), countCitingAnswers(ctx, id)]);
  const stored = facts?.report ? JobReport.parse(facts.report) : null;
  const [job] = await withEmbedded([{ document_id: id, report: stored }]);
  return {
    state: "there",
    document: toListed(row),
    report: job?.report ?? null,
    tokens: facts?.tokens ?? 0,
    last_page: facts?.last_page ?? null,
    warnings: facts?.warnings ?? [],
    is_own: row.scope !== PUBLIC_COLLECTION.scope,
    charge: facts?.hold_id ? await findCost(ctx, facts.hold_id) : null,
    cited_in: citedIn,
  };
}

function readFacts(id: string): Promise<Facts[]> {
  return query<Facts>(
    "documents_facts",
    `SELECT (SELECT report FROM job WHERE document_id = $1 AND status = 'completed' ORDER BY id DESC LIMIT 1) AS report,
            (SELECT hold_id FROM job WHERE document_id = $1 AND status = 'completed' ORDER BY id DESC LIMIT 1) AS hold_id,
            coalesce(sum(c.token_count), 0)::int AS tokens, max(c.page_end) AS last_page,
            (SELECT coalesce(json_agg(w), '[]') FROM (
               SELECT code, count(*)::int AS passages FROM chunk k, unnest(k.warnings) AS code
                WHERE k.document_id = $1 GROUP BY code ORDER BY code) w) AS warnings
       FROM chunk c WHERE c.document_id = $1`,
    [id],
  );
}

/** A document's text, or when it was deleted; null for one that never existed or that the caller may not read. */
async function findText(
  ctx: Reader,
  id: string,
): Promise<{ text: string | null; deleted_at: Date | null } | null> {
  const [row] = ID_SHAPE.test(id)
    ? await query<{ text: string | null; deleted_at: Date | null }>(
        "documents_text_or_tombstone",
        // Of a deleted document, only the collection is still known.
        `SELECT text, NULL::timestamptz AS deleted_at FROM document d WHERE d.id = $1 AND ${accessCondition(["$2", "$3"])}
         UNION ALL
         SELECT NULL, deleted_at FROM document_tombstone WHERE document_id = $1 AND collection_id = ANY($2)
            AND ($3::text[] IS NULL OR collection_id = ANY($3))
         ORDER BY deleted_at NULLS FIRST LIMIT 1`,
        [id, ...readableDocuments(ctx)],
      )
    : [];
  return row ?? null;
}

interface PassageRow extends Row, Omit<PassageRange, "tokens" | "warnings"> {
  token_count: number;
  warnings: string[] | null;
}

/** Part of a document's text with its passages; empty until the document is parsed. Throws not_found. */
export function readText(ctx: Reader, input: { id: string; look: TextQuery }): Promise<TextWindow> {
  return readers(() => readWindow(ctx, input));
}

async function readWindow(
  ctx: Reader,
  { id, look }: { id: string; look: TextQuery },
): Promise<TextWindow> {
  const row = await findText(ctx, id);
  if (!row || row.deleted_at) {
    throw documentNotFound();
  }
  const text = row.text ?? "";
  const { start, end } = textWindow(text, look);
  const passages = await query<PassageRow>(
    "documents_passages_within",
    `SELECT id, ordinal, char_start, char_end, page_start, page_end, headings, token_count, warnings
       FROM chunk WHERE document_id = $1 AND char_start < $3 AND char_end > $2 ORDER BY ordinal`,
    [id, start, end],
  );
  const pages = await query<{ page: number; char_start: number }>(
    "documents_pages_within",
    `SELECT max(p.page)::int AS page, p.char_start FROM document d, unnest(d.page_starts) WITH ORDINALITY AS p(char_start, page)
      WHERE d.id = $1 AND p.char_start >= $2 AND p.char_start < $3 GROUP BY p.char_start ORDER BY p.char_start`,
    [id, start, end],
  );
  return {
    object: "kb.text",
    document_id: id,
    length: text.length,
    start,
    end,
    text: text.slice(start, end),
    pages,
    passages: passages.map(({ token_count, warnings, ...passage }) => ({
      ...passage,
      tokens: token_count,
      warnings: warnings ?? [],
    })),
  };
}

/** Resolves a permalink against the document's current text. Throws invalid_request and not_found. */
export async function readQuote(ctx: Reader, input: { id: string; ref: string }): Promise<KbQuote> {
  const ref = parseQuoteRef(input.ref);
  if (!ref) {
    throw invalidRequest(
      "'ref' is not valid: its end is not after its start. Copy it from a permalink unchanged.",
      "ref",
    );
  }
  return readers(() => findQuote(ctx, input.id, ref));
}

async function findQuote(ctx: Reader, id: string, ref: QuoteRef): Promise<KbQuote> {
  const answer = { object: "kb.quote", document_id: id } as const;
  const found = await findText(ctx, id);
  if (!found) {
    throw documentNotFound();
  }
  if (found.deleted_at) {
    return { ...answer, ...NOTHING, status: "deleted" };
  }
  const { status, start, end } = await locateQuote(found.text ?? "", ref);
  if (found.text === null || start === null) {
    return { ...answer, ...NOTHING, status: "changed" };
  }
  const { passageStart, ...place } = await placeOf(id, { start, end });
  // Each passage repeats the header of its table, and a quoted row lacks its last bar.
  const lineEnd = found.text.indexOf("\n", end);
  const passage = found.text.slice(passageStart, lineEnd < 0 ? undefined : lineEnd);
  const cells = cellsIn(passage, { start: start - passageStart, end: end - passageStart });
  return {
    ...answer,
    status,
    text: found.text.slice(start, end),
    char_start: start,
    char_end: end,
    ...place,
    ...(cells.length > 0 && { cells }),
    before: tailOf(found.text.slice(0, start)),
    after: headOf(found.text.slice(end)),
  };
}

/** Where passages overlap, the later one gives the more precise place. */
async function placeOf(
  documentId: string,
  { start, end }: { start: number; end: number },
): Promise<Pick<KbQuote, "page" | "section" | "boxes"> & { passageStart: number }> {
  const [row] = await query<{
    passageStart: number;
    page: number | null;
    headings: string[];
    pageStarts: number[] | null;
  }>(
    "documents_locate_quote",
    `SELECT coalesce((SELECT nullif(count(*), 0)::int FROM unnest(d.page_starts) AS start WHERE start <= $2),
                     c.page_start) AS page, c.headings, d.page_starts AS "pageStarts",
            c.char_start AS "passageStart"
       FROM chunk c JOIN document d ON d.id = c.document_id AND d.account_id = c.account_id
      WHERE c.document_id = $1 AND c.char_start <= $2 AND c.char_end > $2
      ORDER BY c.char_end >= $3 DESC, c.ordinal DESC LIMIT 1`,
    [documentId, start, end],
  );
  const pageStarts = row?.pageStarts ?? [];
  const [boxes] =
    pageStarts.length > 0 ? await findQuoteBoxes([{ documentId, start, end, pageStarts }]) : [];
  return {
    passageStart: row?.passageStart ?? start,
    page: boxes?.[0]?.page ?? row?.page ?? null,
    section: row?.headings.join(" › ") || null,
    ...(boxes && { boxes }),
  };
}

/** The end of a text, starting at a word, or at a whole character in text without spaces. */
function tailOf(text: string): string {
  const tail = text.slice(-AROUND);
  if (tail === text) {
    return text;
  }
  const space = tail.search(/\s/);
  return space < 0 ? tail.replace(/^[\uDC00-\uDFFF]/, "") : tail.slice(space).trimStart();
}

/** The beginning of a text, ending at a word. */
function headOf(text: string): string {
  const head = text.slice(0, AROUND);
  if (head === text) {
    return text;
  }
  const space = head.search(/\s\S*$/);
  return space < 0 ? head.replace(/[\uD800-\uDBFF]$/, "") : head.slice(0, space).trimEnd();
}
