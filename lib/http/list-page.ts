/**
 * A page of a list that is read by the id of its last item. `rows`: one more than the limit, when there is one. The cursor
 * is null at the end.
 */
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
