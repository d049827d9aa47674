/** A page of a list with a cursor by id. Query one row more than the limit to find out whether there are more. */
export function toListPage<Row, Item extends { id: string }>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
) {
  const data = rows.slice(0, limit).map(toItem);
  const hasMore = rows.length > limit;
  return {
    object: "list" as const,
    data,
    has_more: hasMore,
    next_cursor: hasMore ? (data.at(-1)?.id ?? null) : null,
  };
}
