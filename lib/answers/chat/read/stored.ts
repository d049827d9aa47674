import "server-only";

import { notFound } from "@/lib/errors";
import type { Completion } from "@/lib/models/schema";
import { costFields, type Micros, microsToUsd } from "@/lib/money/billing/money";
import type { KeyContext, MemberContext } from "@/lib/platform/auth/context";
import { query, type Row } from "@/lib/platform/db/client";
import { sliceOpenAIPage, toOpenAIPage } from "@/lib/platform/http/list-page";
import { adviceOn } from "@/lib/platform/http/unknown-path";
import {
  COMPLETION_ID,
  type CompletionPage,
  type Evidence,
  type ListedCompletion,
  type ListMessages,
  type ListStored,
  type MessagePage,
  type StoredCompletion,
  type StoredForConsole,
  type StoredMessage,
} from "../stored-schema";

/**
 * What a key may know of: made in its account, for the same person (or also for none), from no knowledge scope that it
 * lacks, and by itself if it is bound to vector stores. Takes the first four parameters. A row with NULL scopes is for nobody.
 */
export const OF_KEY_SQL =
  "account_id = $1 AND person_id IS NOT DISTINCT FROM $2::text AND knowledge_scopes <@ $3::text[] AND ($4::text IS NULL OR key_id = $4)";

/** The stored answers a key may read. */
export const READABLE_BY_KEY_SQL = `${OF_KEY_SQL} AND expires_at IS NULL`;

/** The parameters of OF_KEY_SQL. */
export function readableByKey({ account, actor }: KeyContext): unknown[] {
  return [
    ...[account.id, actor.personId, [...actor.knowledgeScopes]],
    actor.stores ? actor.id : null,
  ];
}

/** The stored answers a member may read: of their account, tied to no person or to themselves. Takes two parameters. */
export const READABLE_BY_MEMBER_SQL = `account_id = $1 AND expires_at IS NULL AND (person_id IS NULL OR EXISTS (
  SELECT 1 FROM person p WHERE p.id = stored_completion.person_id AND p.account_id = $1
     AND p.kind = 'member' AND p.reference = $2))`;

/** The parameters of READABLE_BY_MEMBER_SQL. */
export function readableByMember({ account, actor }: MemberContext): unknown[] {
  return [account.id, actor.id];
}

/** How many answers are read at a time, because one may be megabytes; a page of the default size takes two reads. */
export const LIST_BATCH = 12;
/** A page ends before the answer that would exceed this, unless it is the first. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

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

const NO_ANSWER_STORED =
  "There is no such stored answer for this key. Check its id; answers are kept only with 'store': true.";
/** An answer is stored before its charge is known; the request's usage record has the cost. $1 is the account. */
const LISTED_COLUMNS = `id, request_id, metadata, response,
  (SELECT u.cost_micros FROM usage_record u WHERE u.id = stored_completion.request_id AND u.account_id = $1) AS cost_micros`;
export const STORED_COLUMNS = `${LISTED_COLUMNS}, evidence`;

/** The row of a statement on one stored answer, whose id is $5. Throws not_found for one the key may not read. */
export async function requireReadable<T extends Row>(
  ctx: KeyContext,
  id: string,
  {
    name,
    sql,
    more = [],
    param = "completion_id",
    missing = NO_ANSWER_STORED,
  }: { name: string; sql: string; more?: unknown[]; param?: string; missing?: string },
): Promise<T> {
  const isId = COMPLETION_ID.test(id);
  const [row] = isId ? await query<T>(name, sql, [...readableByKey(ctx), id, ...more]) : [];
  if (!row) {
    // A client whose base URL is too long lists its models here.
    const message =
      isId || id !== "models" ? missing : `There is no such path. ${adviceOn("/v1/chat")}`;
    throw notFound(message, param);
  }
  return row;
}

/** A stored answer with its evidence. Throws not_found for one the key may not read. */
export async function getStored(ctx: KeyContext, id: string): Promise<StoredCompletion> {
  const sql = `SELECT ${STORED_COLUMNS} FROM stored_completion WHERE ${READABLE_BY_KEY_SQL} AND id = $5`;
  return toStored(await requireReadable<StoredRow>(ctx, id, { name: "chat_get_stored", sql }));
}

/**
 * The answers the key may read, in the order they were created, without their evidence. Fewer than the limit when they
 * are long: the page then has more.
 */
export async function listStored(
  ctx: KeyContext,
  input: ListStored,
  maxBytes = MAX_LIST_BYTES,
): Promise<CompletionPage> {
  const page: ListedCompletion[] = [];
  let bytes = 0;
  for await (const row of readListed(ctx, input)) {
    bytes += row.bytes;
    if (page.length === input.limit || (page.length > 0 && bytes > maxBytes)) {
      return toOpenAIPage(page, true);
    }
    page.push(toListed(row));
  }
  return toOpenAIPage(page, false);
}

/** Up to one answer more than the limit, read in batches as they are asked for. */
async function* readListed(
  ctx: KeyContext,
  { after, limit, model, metadata = {}, order }: ListStored,
): AsyncGenerator<ListedRow & { bytes: number }> {
  let last = after ?? ENDS[order];
  for (let left = limit + 1; left > 0; left -= LIST_BATCH) {
    const batch = Math.min(LIST_BATCH, left);
    const rows = await query<ListedRow & { bytes: number }>(
      `chat_list_stored_${order}`,
      `SELECT ${LISTED_COLUMNS}, octet_length(response::text) AS bytes FROM stored_completion
        WHERE ${READABLE_BY_KEY_SQL} AND id ${order === "asc" ? ">" : "<"} $5
          AND ($6::text IS NULL OR model = $6) AND metadata @> $7::jsonb
        ORDER BY id ${order} LIMIT $8`,
      [...readableByKey(ctx), last, model ?? null, JSON.stringify(metadata), batch],
    );
    yield* rows;
    if (rows.length < batch) {
      return;
    }
    last = rows.at(-1)?.id ?? last;
  }
}

/** The messages of the request that made an answer. Throws not_found as `getStored` does. */
export async function listStoredMessages(
  ctx: KeyContext,
  { id, ...bounds }: ListMessages & { id: string },
): Promise<MessagePage> {
  const { messages } = await requireReadable<{ messages: unknown }>(ctx, id, {
    name: "chat_get_stored_messages",
    sql: `SELECT messages FROM stored_completion WHERE ${READABLE_BY_KEY_SQL} AND id = $5`,
  });
  return sliceOpenAIPage(decodeJsonb<StoredMessage[]>(messages), bounds, "message of this answer");
}

/**
 * The stored answer of one of the account's requests, for its page in the console; null when there is none. An answer
 * tied to a person is shown to that member alone; for anyone else, no content leaves the database.
 */
export async function findStoredByRequest(
  ctx: MemberContext,
  requestId: string,
): Promise<StoredForConsole | null> {
  const [row] = await query<StoredRow & { is_shown: boolean; messages: unknown; created_at: Date }>(
    "chat_stored_of_request",
    `SELECT s.id, s.request_id, s.created_at, s.is_shown, u.cost_micros,
            CASE WHEN s.is_shown THEN s.metadata END AS metadata,
            CASE WHEN s.is_shown THEN s.messages END AS messages,
            CASE WHEN s.is_shown THEN s.response END AS response,
            CASE WHEN s.is_shown THEN s.evidence END AS evidence
       FROM (SELECT *, ${READABLE_BY_MEMBER_SQL} AS is_shown FROM stored_completion
              WHERE account_id = $1 AND request_id = $3 AND expires_at IS NULL LIMIT 1) s
            LEFT JOIN usage_record u ON u.id = s.request_id AND u.account_id = $1`,
    [...readableByMember(ctx), requestId],
  );
  if (!row) {
    return null;
  }
  const stored_at = row.created_at.toISOString();
  return row.is_shown
    ? {
        access: "shown",
        completion: toStored(row),
        messages: decodeJsonb<StoredMessage[]>(row.messages),
        stored_at,
      }
    : { access: "hidden", completion_id: row.id, stored_at };
}

export function toStored(row: StoredRow): StoredCompletion {
  return { ...toListed(row), evidence: decodeJsonb<Evidence[]>(row.evidence) };
}

function toListed(row: ListedRow): ListedCompletion {
  const { id, request_id, metadata, cost_micros: cost } = row;
  const answered = decodeJsonb<Completion & Pick<ListedCompletion, "usage">>(row.response);
  const usage = { ...answered.usage, ...(cost !== null && costFields(microsToUsd(cost))) };
  return { ...answered, id, request_id, metadata, usage };
}

/** A NUL or half of a surrogate pair, as JSON.stringify writes them; an escaped backslash before it is a harmless match. */
const NOT_JSONB = /\\u(?:0000|d[89a-f])/i;

/** PostgreSQL's jsonb refuses characters that JSON allows; a value with one is stored as a JSON string of its JSON text. */
export function encodeJsonb(value: object): string {
  const json = JSON.stringify(value);
  return NOT_JSONB.test(json) ? JSON.stringify(json) : json;
}

/** Undoes `encodeJsonb`: only objects and arrays are stored, so a string is the text of one. */
export function decodeJsonb<T extends object>(column: unknown): T {
  return typeof column === "string" ? JSON.parse(column) : (column as T);
}
