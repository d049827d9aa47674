import { Fragment, type ReactNode, useMemo } from "react";
import { TextTable } from "@/components/ui/text-table";
import { unbroken } from "@/components/ui/unbroken";
import { splitTables } from "@/lib/text/tables";
import { QUOTE_ID } from "./quote-label";
import {
  cutSegments,
  type Range,
  type Segment,
  splitLists,
  startsQuote,
  type TextBlock,
} from "./text-layout";

interface MarkedTextProps {
  segments: readonly Segment[];
  /** The words of a paragraph, a cell or an item. */
  renderWords: (segments: readonly Segment[]) => ReactNode;
}

/** Text with its quoted words, and its Markdown tables and lists as tables and lists. */
export function MarkedText({ segments, renderWords }: MarkedTextProps) {
  const origin = segments[0]?.start ?? 0;
  const text = segments.map((segment) => segment.text).join("");
  const sections = useMemo(() => splitTables(text), [text]);
  const cut = ({ start, end }: Range) =>
    cutSegments(segments, { start: origin + start, end: origin + end });
  const cutCell = (cell: Range) =>
    cut(cell).map((segment) => ({ ...segment, text: segment.text.replaceAll("\\|", "|") }));
  return sections.map(({ table, ...range }) => (
    <Fragment key={range.start}>
      {table ? (
        <TextTable
          header={table.header?.map((cell) => renderWords(cutCell(cell))) ?? null}
          rows={table.rows.map((cells) => ({
            key: cells[0]?.start ?? 0,
            isQuoted: cells.some((cell) => cut(cell).some(({ isQuoted }) => isQuoted)),
            cells: cells.map((cell) => renderWords(cutCell(cell))),
          }))}
        />
      ) : (
        splitLists(cut(range)).map(({ segments: run, items }) => (
          <Fragment key={run[0]?.start}>
            {items ? (
              <ul className="grid list-disc gap-1 pl-5 [overflow-wrap:anywhere] marker:text-muted">
                {items.map((item) => (
                  <li key={item[0]?.start}>{renderWords(item)}</li>
                ))}
              </ul>
            ) : (
              <p className="whitespace-pre-line [overflow-wrap:anywhere]">{renderWords(run)}</p>
            )}
          </Fragment>
        ))
      )}
    </Fragment>
  ));
}

interface Mark {
  className: string;
  /** Whether the page opens at the quote. */
  autoFocus?: boolean;
}

/** What renders the words of a block, with the quoted ones marked. The first of them have the quote's id. */
export function wordsRenderer(block: TextBlock, quote: Range | null, mark: Mark) {
  const start = { id: QUOTE_ID, tabIndex: -1, autoFocus: mark.autoFocus };
  return (segments: readonly Segment[]) =>
    segments.map((segment) =>
      segment.isQuoted ? (
        <mark
          key={segment.start}
          {...(startsQuote(segment, block.segments, quote) && start)}
          className={mark.className}
        >
          {unbroken(segment.text)}
        </mark>
      ) : (
        <Fragment key={segment.start}>{unbroken(segment.text)}</Fragment>
      ),
    );
}
