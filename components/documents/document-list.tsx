"use client";

import type { ReactNode } from "react";
import { useVirtualRows } from "@/components/ui/use-virtual-rows";
import { cn } from "@/lib/cn";
import type { ListedDocument } from "@/lib/documents/library-schema";
import { DOCUMENT_COLUMNS, DocumentRow } from "./document-row";

/** Shorter lists are rendered whole, on the server too, so that the browser can search them. */
const PLAIN_ROWS = 100;
const ROW_PX = 65;

interface DocumentListProps {
  documents: ListedDocument[];
  hasMore: boolean;
  onDelete: (document: ListedDocument) => void;
}

/** Documents in rows. A long list renders only the rows near the window. */
export function DocumentList({ documents, hasMore, onDelete }: DocumentListProps) {
  const isLong = documents.length > PLAIN_ROWS;
  const total = hasMore ? -1 : documents.length;
  const row = (document: ListedDocument, place: Place) => (
    <DocumentRow
      key={document.id}
      document={document}
      onDelete={onDelete}
      aria-posinset={place.index + 1}
      aria-setsize={total}
      {...place.attributes}
    />
  );
  return (
    <div className="@container overflow-hidden rounded-lg border bg-surface">
      <Heads />
      {isLong ? (
        <VirtualRows documents={documents} row={row} />
      ) : (
        <ul aria-label="Documents" className="divide-y">
          {documents.map((document, index) => row(document, { index, attributes: {} }))}
        </ul>
      )}
    </div>
  );
}

/** Hidden from assistive technology, because each row labels its own parts. */
function Heads() {
  return (
    <div
      aria-hidden
      className={cn("hidden h-9 border-b px-3.5 font-medium text-muted text-xs", DOCUMENT_COLUMNS)}
    >
      <span>Document</span>
      <span>Scope</span>
      <span>Status</span>
      <span className="text-right">Passages</span>
      <span>Added</span>
    </div>
  );
}

interface Place {
  index: number;
  attributes: object;
}

interface VirtualRowsProps {
  documents: ListedDocument[];
  row: (document: ListedDocument, place: Place) => ReactNode;
}

function VirtualRows({ documents, row }: VirtualRowsProps) {
  const { listProps, rows } = useVirtualRows<HTMLUListElement>({
    count: documents.length,
    rowHeight: ROW_PX,
    keyOf: (index) => documents[index]?.id,
  });
  return (
    <ul {...listProps} aria-label="Documents" className="relative">
      {rows.map(({ index, props }) => {
        const document = documents[index];
        return document && row(document, { index, attributes: props });
      })}
    </ul>
  );
}
