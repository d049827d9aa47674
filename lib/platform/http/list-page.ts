import * as z from "zod";
import { invalidRequest } from "@/lib/errors";

/** The `next_cursor` of a page whose entries have ids with this prefix. Any other text would start at an arbitrary entry. */
export function pageCursor(prefix: string) {
  return z
    .string()
    .max(100)
    .regex(new RegExp(`^${prefix}[0-9a-z]+$`), "expected the next_cursor of a page")
    .optional()
    .describe("The `next_cursor` of a page.");
}

/** The schema of a page of a list with a cursor. */
export function cursorPageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z
      .string()
      .nullable()
      .describe("Pass as `after` for the next page; null on the last one."),
  });
}

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

/** The schema of a page as OpenAI's lists have it. */
export function openAIPageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  });
}

/** A page as OpenAI's lists have it. */
export function toOpenAIPage<Item extends { id: string }>(data: Item[], hasMore: boolean) {
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/** A page of a list that is in memory, oldest first. Throws invalid_request if the cursor isn't one of its ids; `what` names an item. */
export function sliceOpenAIPage<Item extends { id: string }>(
  items: readonly Item[],
  bounds: Bounds,
  what: string,
) {
  const all = isDescending(bounds) ? items.toReversed() : items;
  const cursor = bounds.after ?? bounds.before;
  const place = all.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && place < 0) {
    const param = isBackward(bounds) ? "before" : "after";
    throw invalidRequest(
      `'${param}' names no ${what}. Give an id of a page, or leave it out.`,
      param,
    );
  }
  return toOpenAIRows(all.slice(place + 1), bounds, (item) => item);
}

/** Stock clients may ask for more, and get this many. */
const MAX_PAGE = 100;

/** The query of OpenAI's lists. */
export const OPENAI_LIST = {
  after: z.string().max(100).optional().describe("The `last_id` of a page."),
  before: z.string().max(100).optional().describe("The `first_id` of a page, for the one before."),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .transform((limit) => Math.min(limit, MAX_PAGE))
    .default(20)
    .describe(`Entries per page; at most ${MAX_PAGE} are returned.`),
  order: z
    .enum(["asc", "desc"])
    .default("desc")
    .describe("By time: `desc` gives the newest first."),
};

interface Bounds {
  after?: string | undefined;
  before?: string | undefined;
  limit: number;
  order: "asc" | "desc";
}

/** The SQL of a page by id: a name for its statement, how ids compare to the cursor, and the order to read them in. */
export function walkOf(bounds: Bounds) {
  // No cursor: one beyond every id.
  const cursor = bounds.after ?? bounds.before ?? (isDescending(bounds) ? "zzzz" : "");
  return isDescending(bounds)
    ? { name: "down", compare: "<", order: "DESC", cursor }
    : { name: "up", compare: ">", order: "ASC", cursor };
}

/** Rows of `walkOf`, read with one more than the limit, as a page. */
export function toOpenAIRows<Row, Item extends { id: string }>(
  rows: readonly Row[],
  bounds: Bounds,
  toItem: (row: Row) => Item,
) {
  const data = rows.slice(0, bounds.limit).map(toItem);
  return toOpenAIPage(isBackward(bounds) ? data.reverse() : data, rows.length > bounds.limit);
}

/** Whether rows are read in descending order. A page before a cursor is read away from the cursor, then reversed. */
function isDescending(bounds: Bounds): boolean {
  return (bounds.order === "desc") === !isBackward(bounds);
}

function isBackward({ after, before }: Pick<Bounds, "after" | "before">): boolean {
  return after === undefined && before !== undefined;
}
