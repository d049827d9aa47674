"use client";

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import type { ListedDocument } from "@/lib/documents/library-schema";
import { DOCUMENT_COLUMNS, DocumentRow } from "./document-row";

/** Up to so many rows are simply there: the server renders them, and the browser finds words in them. */
const PLAIN_ROWS = 100;
/** Before a row was measured. */
const ROW_PX = 65;
const OVERSCAN = 10;

interface DocumentListProps {
  documents: ListedDocument[];
  hasMore: boolean;
  onDelete: (document: ListedDocument) => void;
}

/** Documents in rows; of a long list those in and near the window, and the one that has the focus. */
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

/** For the eye alone: each row says what its parts are. */
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
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const virtual = useWindowVirtualizer({
    count: documents.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: topOf(list.current),
    getItemKey: (index) => documents[index]?.id ?? index,
    rangeExtractor: (range) => withFocused(range, focused),
  });
  return (
    <ul
      ref={list}
      aria-label="Documents"
      className="relative"
      style={{ height: virtual.getTotalSize() }}
      onFocus={({ target }) => setFocused(indexOf(target))}
      onBlur={() => setFocused(null)}
    >
      {virtual.getVirtualItems().map(({ index, start }) => {
        const document = documents[index];
        const top = start - virtual.options.scrollMargin;
        const attributes = {
          ref: virtual.measureElement,
          "data-index": index,
          style: { position: "absolute", insetInline: 0, transform: `translateY(${top}px)` },
        };
        return document && row(document, { index, attributes });
      })}
    </ul>
  );
}

/** A row that is scrolled away keeps the focus as long as it is there. */
function withFocused(range: Range, focused: number | null): number[] {
  const indexes = defaultRangeExtractor(range);
  return focused === null || focused >= range.count || indexes.includes(focused)
    ? indexes
    : [...indexes, focused].toSorted((a, b) => a - b);
}

function indexOf(target: Element): number | null {
  const index = target.closest<HTMLElement>("[data-index]")?.dataset.index;
  return index === undefined ? null : Number(index);
}

/** How far the list begins below the top of the page. */
function topOf(element: Element | null): number {
  return element ? element.getBoundingClientRect().top + window.scrollY : 0;
}
