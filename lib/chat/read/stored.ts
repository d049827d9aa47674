import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { type Micros, microsToUsd } from "@/lib/billing/money";
import { query, type Row } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import type { Completion } from "@/lib/models/schema";
import { decodeJsonb } from "../jsonb";
import {
  COMPLETION_ID,
  type CompletionPage,
  type Evidence,
  type ListedCompletion,
  type ListMessages,
  type ListStored,
  type MessagePage,
  type StoredCompletion,
  type StoredMessage,
} from "../stored-schema";
import { READABLE_BY_KEY_SQL, readableByKey } from "./readable-by";

/** No ULID begins with z, and none is empty: every id lies between them, in any collation. */
const ENDS = { asc: "", desc: "chatcmpl-z" };

interface ListedRow extends Row {
  id: string;
  request_id: string;
  metadata: Record<string, string>;
  response: unknown;
  cost_micros: Micros | null;
}

export interface StoredRow extends ListedRow {
  evidence: unknown;
}

/**
 * An answer is kept before its charge is known, and so without it; the request's usage record has it. $1 is the
 * account, whatever a row says.
 */
const LISTED_COLUMNS = `id, request_id, metadata, response,
  (SELECT u.cost_micros FROM usage_record u WHERE u.id = stored_completion.request_id AND u.account_id = $1) AS cost_micros`;
export const STORED_COLUMNS = `${LISTED_COLUMNS}, evidence`;

/** A stored answer with its evidence. Throws not_found for any that the key may not see. */
export async function getStored(ctx: KeyContext, id: string): Promise<StoredCompletion> {
  const [row] = COMPLETION_ID.test(id)
    ? await query<StoredRow>(
        "chat_get_stored",
        `SELECT ${STORED_COLUMNS} FROM stored_completion WHERE ${READABLE_BY_KEY_SQL} AND id = $4`,
        [...readableByKey(ctx), id],
      )
    : [];
  if (!row) {
    throw noSuchAnswer();
  }
  return toStored(row);
}

/** The answers the key may see, in the order they were begun, without their evidence. */
export async function listStored(ctx: KeyContext, input: ListStored): Promise<CompletionPage> {
  const { after = ENDS[input.order], limit, model = null, metadata = {}, order } = input;
  const rows = await query<ListedRow>(
    `chat_list_stored_${order}`,
    `SELECT ${LISTED_COLUMNS} FROM stored_completion
      WHERE ${READABLE_BY_KEY_SQL} AND id ${order === "asc" ? ">" : "<"} $4
        AND ($5::text IS NULL OR model = $5) AND metadata @> $6::jsonb
      ORDER BY id ${order} LIMIT $7`,
    [...readableByKey(ctx), after, model, JSON.stringify(metadata), limit + 1],
  );
  return toPage(rows.slice(0, limit).map(toListed), rows.length > limit);
}

/** The messages of the request that made an answer. Throws not_found as `getStored` does. */
export async function listStoredMessages(
  ctx: KeyContext,
  { id, after, limit, order }: ListMessages & { id: string },
): Promise<MessagePage> {
  const [row] = COMPLETION_ID.test(id)
    ? await query<{ messages: unknown }>(
        "chat_get_stored_messages",
        `SELECT messages FROM stored_completion WHERE ${READABLE_BY_KEY_SQL} AND id = $4`,
        [...readableByKey(ctx), id],
      )
    : [];
  if (!row) {
    throw noSuchAnswer();
  }
  const kept = decodeJsonb<StoredMessage[]>(row.messages);
  const all = order === "asc" ? kept : kept.toReversed();
  const start = after === undefined ? 0 : all.findIndex((message) => message.id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new AppError(
      "invalid_request",
      "'after' names no message of this answer. Give the last_id of a page, or leave it out.",
      { param: "after" },
    );
  }
  return toPage(all.slice(start, start + limit), start + limit < all.length);
}

/** One sentence for an answer that is another's, was deleted, or never was. */
export function noSuchAnswer(): AppError {
  return new AppError(
    "not_found",
    "There is no such stored answer for this key. Check its id; only answers of requests with 'store': true are kept.",
    { param: "completion_id" },
  );
}

export function toStored(row: StoredRow): StoredCompletion {
  return { ...toListed(row), evidence: decodeJsonb<Evidence[]>(row.evidence) };
}

function toListed(row: ListedRow): ListedCompletion {
  const { id, request_id, metadata, cost_micros: cost } = row;
  const answered = decodeJsonb<Completion & Pick<ListedCompletion, "usage">>(row.response);
  const usage = { ...answered.usage, ...(cost !== null && { cost_usd: microsToUsd(cost) }) };
  return { ...answered, id, request_id, metadata, usage };
}

function toPage<T extends { id: string }>(data: T[], hasMore: boolean) {
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}
