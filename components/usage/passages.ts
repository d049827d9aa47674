import { formatPages } from "@/components/documents/labels";
import { quoteRefOf } from "@/lib/library/documents/quote-ref";
import type { StoredPassage } from "@/lib/library/retrieval/read/passages";

/** A passage as it is stored now. */
export interface ShownPassage {
  text: string;
  /** Its page and headings, such as "page 3 · Dosing"; empty if it has neither. */
  place: string;
  /** Its place in the document. */
  href: string;
}

/** By chunk id. */
export type ShownPassages = ReadonlyMap<string, ShownPassage>;

export function toShownPassages(passages: readonly StoredPassage[]): ShownPassages {
  return new Map(
    passages.map(({ chunkId, documentId, text, charStart, charEnd, ...passage }) => {
      const ref = quoteRefOf({ text, start: charStart, end: charEnd });
      const pages = formatPages(passage.pageStart, passage.pageEnd);
      return [
        chunkId,
        {
          text,
          place: [pages, passage.headings.join(" › ")].filter(Boolean).join(" · "),
          href: `/documents/${encodeURIComponent(documentId)}?quote=${ref}`,
        },
      ];
    }),
  );
}
