import { Fragment, type ReactNode, useMemo } from "react";
import { unbroken } from "@/components/ui/unbroken";
import { cn } from "@/lib/cn";
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

interface TableText {
  /** Null when the text has no names of the columns. */
  header: ReactNode[] | null;
  rows: { key: number; isQuoted: boolean; cells: ReactNode[] }[];
}

/** A table of a document's text. Wide ones scroll. */
function TextTable({ header, rows }: TableText) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: several tables would be landmarks with the same name.
    <div
      role="group"
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll a wide table.
      tabIndex={0}
      className="min-w-0 max-w-full overflow-x-auto rounded-md border bg-surface print:overflow-visible"
    >
      <table className="w-full border-collapse text-left font-sans text-[0.8125rem] leading-5 [overflow-wrap:normal]">
        {header && (
          <thead className="border-b bg-sunken text-muted text-xs">
            <tr>
              {header.map((name, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity but their order.
                <th key={column} scope="col" className={cn(CELL, "font-medium")}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ key, isQuoted, cells }) => (
            <tr
              key={key}
              className={cn("border-b last:border-b-0", isQuoted && "bg-warning-soft/60")}
            >
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity but their order.
                <td key={column} className={CELL}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A column is never so narrow that each word has a line of its own. */
const CELL = "min-w-16 max-w-80 px-3 py-1.5 align-top";
