import "server-only";

import { query, type Row } from "@/lib/db/client";
import { type Reader, readableIds } from "../collections";
import type { TextQuery, TextWindow } from "../library-schema";
import { ID_SHAPE } from "../schema";
import { textWindow } from "../text-window";
import { documentNotFound } from "./documents";

interface PassageRow extends Row {
  id: string;
  ordinal: number;
  char_start: number;
  char_end: number;
  page_start: number | null;
  page_end: number | null;
  headings: string[];
  token_count: number;
  warnings: string[] | null;
}

/** Part of a document's text with its passages; empty until the document is parsed. Throws not_found. */
export async function readText(
  ctx: Reader,
  { id, look }: { id: string; look: TextQuery },
): Promise<TextWindow> {
  const [row] = ID_SHAPE.test(id)
    ? await query<{ text: string | null }>(
        "documents_text",
        "SELECT text FROM document WHERE id = $1 AND collection_id = ANY($2)",
        [id, readableIds(ctx)],
      )
    : [];
  if (!row) {
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
  return {
    object: "kb.text",
    document_id: id,
    length: text.length,
    start,
    end,
    text: text.slice(start, end),
    passages: passages.map(({ token_count, warnings, ...passage }) => ({
      ...passage,
      tokens: token_count,
      warnings: warnings ?? [],
    })),
  };
}
