import "server-only";

import { setImmediate } from "node:timers/promises";
import type { Session, Transaction } from "@/lib/platform/db/client";
import type { PageBoxes } from "@/lib/reading/page-boxes";
import { type CopyColumns, CopyRows, copyFile } from "./copy-rows";

/** Rows of document_page for COPY, in parts. */
export type PageRows = Buffer<ArrayBuffer>[];

interface PageRow extends PageBoxes {
  document: { id: string; accountId: string };
}

/** A page's boxes take about 4 kB. The embedded database does nothing else while a statement runs. */
const PAGES_PER_STATEMENT = 200;

const PAGE_COLUMNS: CopyColumns<PageRow> = {
  document_id: (rows, { document }) => rows.text(document.id),
  account_id: (rows, { document }) => rows.text(document.accountId),
  page: (rows, { page }) => rows.int4(page),
  boxes: (rows, { boxes }) => rows.bytea(boxes),
};

export function toPageRows(document: PageRow["document"], pages: readonly PageBoxes[]): PageRows {
  const parts: PageRows = [];
  const copy = new CopyRows();
  for (const [index, page] of pages.entries()) {
    copy.add(PAGE_COLUMNS, { ...page, document });
    if ((index + 1) % PAGES_PER_STATEMENT === 0 || index === pages.length - 1) {
      parts.push(copy.take());
    }
  }
  return parts;
}

/** Stores the pages of documents, most of which are small and share a statement. */
export async function storePages(tx: Transaction, documents: readonly PageRows[]): Promise<void> {
  const small = documents.filter(({ length }) => length === 1).flat();
  const large = documents.filter(({ length }) => length > 1).flat();
  for (const parts of [...(small.length > 0 ? [small] : []), ...large.map((part) => [part])]) {
    await tx.copy(`document_page (${Object.keys(PAGE_COLUMNS)})`, copyFile(parts));
    await setImmediate();
  }
}

/** Before a document's text changes. */
export async function deletePages(tx: Session, documentIds: readonly string[]): Promise<void> {
  const statement = "DELETE FROM document_page WHERE document_id = ANY($1)";
  await tx.query("documents_delete_pages", statement, [documentIds]);
}
