import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

export interface TableText {
  /** Null when the text has no names of the columns. */
  header: ReactNode[] | null;
  rows: { key: number; isQuoted: boolean; cells: ReactNode[] }[];
}

/** A table of a document's text. Wide ones scroll. */
export function TextTable({ header, rows }: TableText) {
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
