import "server-only";

import { query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { type Reader, readableIds } from "../collections";
import { locateQuote, parseQuoteRef } from "../permalink";
import { ID_SHAPE, type KbQuote } from "../schema";

/** How much of the text stands beside a quote at most. */
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

/**
 * What a permalink speaks of, as its document says it now, of any collection the caller may read. Throws
 * invalid_request for a `ref` that no permalink has, and not_found.
 */
export async function readQuote(ctx: Reader, input: { id: string; ref: string }): Promise<KbQuote> {
  const ref = parseQuoteRef(input.ref);
  if (!ref) {
    throw new AppError(
      "invalid_request",
      "'ref' is not valid: its end is not behind its start. Take it from a permalink as it is.",
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

/** Null for a document that was deleted; throws not_found for one that never was, or is someone else's. */
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
    throw new AppError(
      "not_found",
      "There is no such document. Check its id, or list the documents.",
      { param: "id" },
    );
  }
  return row.is_deleted ? null : row;
}

/** Of two passages that overlap there, the later one says more exactly where the words stand. */
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

/** The end of a text, from a word on; where nothing parts words, from a whole character on. */
function tailOf(text: string): string {
  const tail = text.slice(-AROUND);
  if (tail === text) {
    return text;
  }
  const space = tail.search(/\s/);
  return space < 0 ? tail.replace(/^[\uDC00-\uDFFF]/, "") : tail.slice(space).trimStart();
}

/** The begin of a text, up to the end of a word. */
function headOf(text: string): string {
  const head = text.slice(0, AROUND);
  if (head === text) {
    return text;
  }
  const space = head.search(/\s\S*$/);
  return space < 0 ? head.replace(/[\uD800-\uDBFF]$/, "") : head.slice(0, space).trimEnd();
}
