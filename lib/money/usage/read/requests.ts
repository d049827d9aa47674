import "server-only";

import { invalidRequest } from "@/lib/errors";
import { type Micros, microsToUsd } from "@/lib/money/billing/money";
import type { Context } from "@/lib/platform/auth/context";
import { query } from "@/lib/platform/db/client";
import { exportCsv } from "@/lib/platform/http/csv-export";
import { toListPage } from "@/lib/platform/http/list-page";
import {
  addDays,
  DEFAULT_DAYS,
  lengthOf,
  MAX_DAYS,
  MAX_EXPORTED,
  today,
  type UsageFilter,
  type UsageOutcome,
} from "../filter";
import { type ListRequests, LoggedRequest, type RequestPage } from "../schema";

export type LoggedRow = Omit<LoggedRequest, "created_at" | "cost_usd" | "warnings"> & {
  created_at: Date;
  cost_micros: Micros;
  warning_codes: string[] | null;
};

/** Rows of the log in the two tables where requests end, with the same columns and `extra` ones. */
export const usedRows = (
  extra = "",
) => `SELECT id, created_at, endpoint, kind, model, key_id, status,
  details->>'error_code' AS error_code, prompt_tokens, completion_tokens, passages, cost_micros, latency_ms,
  first_token_ms, warning_codes, account_id ${extra} FROM usage_record`;
export const refusedRows = (
  extra = "",
) => `SELECT id, created_at, endpoint, 'refused' AS kind, model, key_id, status,
  code AS error_code, 0 AS prompt_tokens, 0 AS completion_tokens, NULL::integer AS passages, 0::bigint AS cost_micros,
  latency_ms, NULL::integer AS first_token_ms, NULL::text[] AS warning_codes, account_id ${extra} FROM refused_request`;

/** Of those rows as `r`, left-joined to `api_key k`. */
export const LOGGED_COLUMNS = `r.id, r.created_at, r.endpoint, r.kind, r.model, r.key_id, k.name AS key_name, r.status,
  r.error_code, r.prompt_tokens, r.completion_tokens, r.passages, r.cost_micros, r.latency_ms, r.first_token_ms,
  r.warning_codes`;

/**
 * The account's requests, newest first. Throws invalid_request for a range that is backwards or too long. Order, cursor
 * and range are one scan of an index on (account_id, created_at) in each table.
 */
export async function listRequests(ctx: Context, input: ListRequests): Promise<RequestPage> {
  const page = toListPage(await readRequests(ctx, input), input.limit, toLoggedRequest);
  const last = page.has_more ? page.data.at(-1) : undefined;
  // Requests may end in the same millisecond, so the id breaks ties.
  return { ...page, next_cursor: last ? `${Date.parse(last.created_at)}.${last.id}` : null };
}

/** Reads one row more than the limit. */
async function readRequests(ctx: Context, input: ListRequests): Promise<LoggedRow[]> {
  const { name, range, rest, values } = buildWhere(ctx, input);
  const before = input.after ? readCursor(input.after) : null;
  const cursor = before
    ? `AND (created_at, id) < ($${values.push(before.time)}, $${values.push(before.id)})`
    : "";
  const limit = `$${values.push(input.limit + 1)}`;
  const newest = (rows: string) =>
    `(SELECT * FROM (${rows}) AS t WHERE ${range} ${rest} ${cursor}
       ORDER BY created_at DESC, id DESC LIMIT ${limit})`;
  return query<LoggedRow>(
    `billing_requests_${name}${before ? "_after" : ""}`,
    `SELECT ${LOGGED_COLUMNS}
       FROM (${newest(usedRows())} UNION ALL ${newest(refusedRows())}) AS r
            LEFT JOIN api_key k ON k.id = r.key_id AND k.account_id = $1
      ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit}`,
    values,
  );
}

/** The account's oldest successful request with an API key; null without one. */
export async function findFirstSuccess({ account }: Context): Promise<LoggedRequest | null> {
  const [row] = await query<LoggedRow>(
    "billing_first_success",
    `SELECT ${LOGGED_COLUMNS}
       FROM (${usedRows()}) AS r JOIN api_key k ON k.id = r.key_id AND k.account_id = $1
      WHERE r.account_id = $1 AND r.status < 400 AND k.purpose = 'api'
      ORDER BY r.created_at, r.id LIMIT 1`,
    [account.id],
  );
  return row ? toLoggedRequest(row) : null;
}

export function toLoggedRequest({
  created_at,
  cost_micros,
  warning_codes,
  ...row
}: LoggedRow): LoggedRequest {
  return {
    ...row,
    created_at: created_at.toISOString(),
    cost_usd: microsToUsd(cost_micros),
    warnings: warning_codes ?? [],
  };
}

function readCursor(cursor: string): { time: string; id: string } {
  const at = cursor.indexOf(".");
  return { time: new Date(Number(cursor.slice(0, at))).toISOString(), id: cursor.slice(at + 1) };
}

/** The account's requests as CSV, newest first. Throws as `listRequests` does. */
export function exportRequests(ctx: Context, filter: UsageFilter): AsyncGenerator<string> {
  return exportCsv({
    columns: Object.keys(LoggedRequest.shape),
    maxRows: MAX_EXPORTED,
    signal: ctx.signal,
    readPage: async (bounds) => {
      const page = await listRequests(ctx, { ...filter, ...bounds });
      const data = page.data.map((row) => ({ ...row, warnings: row.warnings.join(" ") }));
      return { ...page, data };
    },
  });
}

const STATUSES: Record<UsageOutcome, [from: number, before: number]> = {
  succeeded: [0, 400],
  failed: [400, 1000],
  "4xx": [400, 500],
  "499": [499, 500],
  "5xx": [500, 1000],
};

/** The days of a filter, both inclusive, by default the last thirty. Throws invalid_request. */
export function daysOf({
  days = DEFAULT_DAYS,
  to = today(),
  from = addDays(to, 1 - days),
}: UsageFilter): { from: string; to: string } {
  const length = lengthOf({ from, to });
  if (length < 1) {
    throw invalidRequest(
      `'from' is ${from}, which comes after the last day, ${to}. Choose an earlier day.`,
      "from",
    );
  }
  if (length > MAX_DAYS) {
    throw invalidRequest(
      `${from} to ${to} is ${length.toLocaleString("en-US")} days. Ask for at most ${MAX_DAYS}.`,
      "from",
    );
  }
  return { from, to };
}

/** A filter as SQL. Contains only the conditions in use, so that the planner can estimate each. */
export function buildWhere(ctx: Context, filter: UsageFilter) {
  const { from, to } = daysOf(filter);
  const values: unknown[] = [ctx.account.id, from, addDays(to, 1)];
  const names: string[] = [];
  const parts: string[] = [];
  for (const [name, column] of [
    ["key", "key_id"],
    ["model", "model"],
    ["kind", "kind"],
  ] as const) {
    if (filter[name] !== undefined) {
      names.push(name);
      parts.push(`AND ${column} = $${values.push(filter[name])}`);
    }
  }
  if (filter.status) {
    names.push("status");
    const [first, before] = STATUSES[filter.status];
    parts.push(`AND status >= $${values.push(first)} AND status < $${values.push(before)}`);
  }
  return {
    /** The filtered parts: each text needs a statement name. */
    name: names.join("_"),
    /** On `account_id` and `created_at`, with $1 to $3. */
    range: `account_id = $1 AND created_at >= $2::text::date::timestamp AT TIME ZONE 'UTC'
            AND created_at < $3::text::date::timestamp AT TIME ZONE 'UTC'`,
    /** All other conditions, each beginning with AND. */
    rest: parts.join(" "),
    values,
  };
}
