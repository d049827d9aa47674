import "server-only";

import { query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { type Reader, readableIds } from "../collections";
import { locateQuote, parseQuoteRef } from "../quote-ref";
import { ID_SHAPE, type KbQuote } from "../schema";
import { documentNotFound } from "./documents";

/** How much text around a quote is returned. */
const AROUND = 200;

const NOTHING = {
  text: null,
  char_start: null,
  char_end: null,
  page: null,
  section: null,
  before: null,
  after: null,
} satisfies Partial<KbQuote>;

/** Resolves a permalink against the document's current text. Throws invalid_request and not_found. */
export async function readQuote(ctx: Reader, input: { id: string; ref: string }): Promise<KbQuote> {
  const ref = parseQuoteRef(input.ref);
  if (!ref) {
    throw new AppError(
      "invalid_request",
      "'ref' is not valid: its end is not after its start. Copy it from a permalink unchanged.",
      { param: "ref" },
    );
  }
  const answer = { object: "kb.quote", document_id: input.id } as const;
  const found = await findText(ctx, input.id);
  if (found === null) {
    return { ...answer, ...NOTHING, status: "deleted" };
  }
  const { status, start, end } = locateQuote(found.text ?? "", ref);
  if (found.text === null || start === null) {
    return { ...answer, ...NOTHING, status: "changed" };
  }
  return {
    ...answer,
    status,
    text: found.text.slice(start, end),
    char_start: start,
    char_end: end,
    ...(await placeOf(input.id, { start, end })),
    before: tailOf(found.text.slice(0, start)),
    after: headOf(found.text.slice(end)),
  };
}

/** Null for a deleted document. Throws not_found for one that never existed or that the caller may not read. */
async function findText(ctx: Reader, id: string): Promise<{ text: string | null } | null> {
  const [row] = ID_SHAPE.test(id)
    ? await query<{ text: string | null; is_deleted: boolean }>(
        "documents_text_or_tombstone",
        `SELECT text, false AS is_deleted FROM document WHERE id = $1 AND collection_id = ANY($2)
         UNION ALL
         SELECT NULL, true FROM document_tombstone WHERE document_id = $1 AND collection_id = ANY($2)
         ORDER BY is_deleted LIMIT 1`,
        [id, readableIds(ctx)],
      )
    : [];
  if (!row) {
    throw documentNotFound();
  }
  return row.is_deleted ? null : row;
}

/** Where passages overlap, the later one gives the more precise place. */
async function placeOf(
  documentId: string,
  { start, end }: { start: number; end: number },
): Promise<Pick<KbQuote, "page" | "section">> {
  const [row] = await query<{ page_start: number | null; headings: string[] }>(
    "documents_locate_quote",
    `SELECT page_start, headings FROM chunk
      WHERE document_id = $1 AND char_start <= $2 AND char_end > $2
      ORDER BY char_end >= $3 DESC, ordinal DESC LIMIT 1`,
    [documentId, start, end],
  );
  return { page: row?.page_start ?? null, section: row?.headings.join(" › ") || null };
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
