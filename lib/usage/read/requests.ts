import "server-only";

import type { Context } from "@/lib/auth/context";
import { type Micros, microsToUsd } from "@/lib/billing/money";
import { query } from "@/lib/db/client";
import { DAY_MS, today, type UsageFilter, type UsageOutcome } from "../filter";
import type { ListRequests, LoggedRequest, RequestPage } from "../schema";
import { rangeOf } from "./report";

export interface LoggedRow extends Record<string, unknown> {
  id: string;
  created_at: Date;
  endpoint: string;
  kind: string;
  model: string | null;
  key_id: string;
  key_name: string | null;
  status: number;
  error_code: string | null;
  prompt_tokens: number;
  completion_tokens: number;
  passages: number | null;
  cost_micros: Micros;
  latency_ms: number;
  first_token_ms: number | null;
  warning_codes: string[] | null;
}

/** Of `usage_record r LEFT JOIN api_key k`. */
export const LOGGED_COLUMNS = `r.id, r.created_at, r.endpoint, r.kind, r.model, r.key_id, k.name AS key_name,
  r.status, r.details->>'error_code' AS error_code, r.prompt_tokens, r.completion_tokens, r.passages,
  r.cost_micros, r.latency_ms, r.first_token_ms, r.warning_codes`;

/**
 * The account's requests, newest first. Throws invalid_request for a range that is backwards or too long. Order, cursor
 * and range are one scan of the index on (account_id, created_at).
 */
export async function listRequests(ctx: Context, input: ListRequests): Promise<RequestPage> {
  const rows = await readRequests(ctx, input);
  const data = rows.slice(0, input.limit);
  const last = data.at(-1);
  const hasMore = rows.length > input.limit;
  return {
    object: "list",
    data: data.map(toLoggedRequest),
    has_more: hasMore,
    next_cursor: hasMore && last ? cursorAfter(last) : null,
  };
}

/** Reads one row more than the limit. */
async function readRequests(ctx: Context, input: ListRequests): Promise<LoggedRow[]> {
  const { name, range, rest, values } = buildWhere(ctx, input);
  const before = input.after ? readCursor(input.after) : null;
  const cursor = before
    ? `AND (created_at, id) < ($${values.push(before.time)}, $${values.push(before.id)})`
    : "";
  return query<LoggedRow>(
    `billing_requests_${name}${before ? "_after" : ""}`,
    `SELECT ${LOGGED_COLUMNS}
       FROM (SELECT * FROM usage_record WHERE ${range} ${rest} ${cursor}
              ORDER BY created_at DESC, id DESC LIMIT $${values.push(input.limit + 1)}) AS r
            LEFT JOIN api_key k ON k.id = r.key_id AND k.account_id = $1
      ORDER BY r.created_at DESC, r.id DESC`,
    values,
  );
}

export function toLoggedRequest(row: LoggedRow): LoggedRequest {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    endpoint: row.endpoint,
    kind: row.kind,
    model: row.model,
    key_id: row.key_id,
    key_name: row.key_name,
    status: row.status,
    error_code: row.error_code,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    passages: row.passages,
    cost_usd: microsToUsd(row.cost_micros),
    latency_ms: row.latency_ms,
    first_token_ms: row.first_token_ms,
    warnings: row.warning_codes ?? [],
  };
}

/** Requests may end in the same millisecond, so the id breaks ties. */
function cursorAfter({ created_at, id }: LoggedRow): string {
  return `${created_at.getTime()}.${id}`;
}

function readCursor(cursor: string): { time: string; id: string } {
  const at = cursor.indexOf(".");
  return { time: new Date(Number(cursor.slice(0, at))).toISOString(), id: cursor.slice(at + 1) };
}

const STATUSES: Record<UsageOutcome, [from: number, before: number]> = {
  succeeded: [0, 400],
  failed: [400, 1000],
  "4xx": [400, 500],
  "499": [499, 500],
  "5xx": [500, 1000],
};

/** A filter as SQL conditions. */
export interface Condition {
  /** The filtered parts: each text needs a statement name. */
  name: string;
  /** On `account_id` and `created_at`, with $1 to $3. */
  range: string;
  /** All other conditions, each beginning with AND. */
  rest: string;
  values: unknown[];
}

/** The days of a filter, both inclusive. Throws invalid_request. */
export function daysOf({ days, from, to }: UsageFilter): { from: string; to: string } {
  return days === undefined ? rangeOf({ from, to }) : rangeOf({ from: dayBefore(days - 1) });
}

/** Contains only the conditions in use, so that the planner can estimate each. */
export function buildWhere(ctx: Context, filter: UsageFilter): Condition {
  const { from, to } = daysOf(filter);
  const values: unknown[] = [
    ctx.account.id,
    from,
    new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10),
  ];
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
    name: names.join("_"),
    range: `account_id = $1 AND created_at >= $2::text::date::timestamp AT TIME ZONE 'UTC'
            AND created_at < $3::text::date::timestamp AT TIME ZONE 'UTC'`,
    rest: parts.join(" "),
    values,
  };
}

function dayBefore(days: number): string {
  return new Date(Date.parse(today()) - days * DAY_MS).toISOString().slice(0, 10);
}
