interface QuotedCellsProps {
  cells: readonly { column: string; text: string }[];
}

/** Quoted rows of a table: each cell with its column's name. */
export function QuotedCells({ cells }: QuotedCellsProps) {
  return (
    <div className="grid gap-2 font-serif text-[0.9375rem] leading-6">
      {rowsOf(cells).map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their order.
        <dl key={index} className="grid gap-1 border-l-2 pl-3">
          {row.map(({ column, text }) => (
            <div
              key={column}
              className="grid gap-x-3 [overflow-wrap:anywhere] sm:grid-cols-[minmax(5rem,9rem)_minmax(0,1fr)]"
            >
              <dt className="font-sans text-muted text-xs leading-6">{column || "Row"}</dt>
              <dd>
                <mark className="rounded-sm bg-warning-soft box-decoration-clone text-ink">
                  {text}
                </mark>
              </dd>
            </div>
          ))}
        </dl>
      ))}
    </div>
  );
}

/** A row begins where a column comes again. */
function rowsOf(cells: QuotedCellsProps["cells"]): QuotedCellsProps["cells"][] {
  const rows: { column: string; text: string }[][] = [];
  for (const cell of cells) {
    const row = rows.at(-1);
    if (!row || row.some(({ column }) => column === cell.column)) {
      rows.push([cell]);
    } else {
      row.push(cell);
    }
  }
  return rows;
}
