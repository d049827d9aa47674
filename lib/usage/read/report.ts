import "server-only";

import type { Context } from "@/lib/auth/context";
import { type Micros, microsToUsd } from "@/lib/billing/money";
import {
  type GetUsage,
  USAGE_GROUPS,
  type UsageGroup,
  type UsageReport,
  type UsageRow,
} from "@/lib/billing/schema";
import { query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { DAY_MS, DEFAULT_DAYS, MAX_DAYS, today } from "../filter";

/** About three megabytes. */
const MAX_ROWS = 10_000;

const COLUMNS = {
  day: "day",
  model: "model",
  key: "key_id",
  kind: "kind",
} as const satisfies Record<UsageGroup, string>;

interface SumRow extends Record<string, unknown> {
  is_total: boolean;
  day?: string;
  model?: string | null;
  key_id?: string;
  key_name?: string | null;
  kind?: string;
  requests: bigint;
  failed_requests: bigint;
  prompt_tokens: bigint;
  completion_tokens: bigint;
  passages: bigint;
  cost_micros: Micros;
}

/**
 * Usage and cost of the account by day (UTC), model, key and kind. Throws invalid_request for a range that is backwards
 * or too long, and for too many rows.
 */
export async function getUsage(ctx: Context, input: GetUsage): Promise<UsageReport> {
  const { from, to } = rangeOf(input);
  const groups = USAGE_GROUPS.filter((group) => input.group_by.includes(group));
  const rows = await query<SumRow>(`billing_usage_${groups.join("_")}`, statement(groups), [
    ctx.account.id,
    from,
    to,
    MAX_ROWS + 2,
  ]);
  const data = rows.filter((row) => !row.is_total);
  if (data.length > MAX_ROWS) {
    throw new AppError(
      "invalid_request",
      `The answer would have more than ${MAX_ROWS.toLocaleString("en-US")} rows. Group by less, or ask for fewer days.`,
      { param: "group_by" },
    );
  }
  const [total] = rows.filter((row) => row.is_total);
  if (!total) {
    throw new Error("a usage report has no total");
  }
  return {
    object: "billing.usage",
    currency: "usd",
    from,
    to,
    group_by: input.group_by,
    data: data.map((row) => ({ ...namesOf(row, groups), ...sumsOf(row) })),
    total: sumsOf(total),
  };
}

/** The requested days, both inclusive, by default the last thirty. Throws invalid_request. */
export function rangeOf(input: Pick<GetUsage, "from" | "to">): { from: string; to: string } {
  const to = input.to ?? today();
  const from = input.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) {
    throw new AppError(
      "invalid_request",
      `'from' is ${from}, which comes after ${to}, the last day. Ask from an earlier day.`,
      { param: "from" },
    );
  }
  if (days > MAX_DAYS) {
    throw new AppError(
      "invalid_request",
      `From ${from} to ${to} are ${days.toLocaleString("en-US")} days. Ask for ${MAX_DAYS} at most.`,
      { param: "from" },
    );
  }
  return { from, to };
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** One scan of the records returns the total first, then the rows. */
function statement(groups: readonly UsageGroup[]): string {
  const columns = groups.map((group) => COLUMNS[group]);
  const shown = groups.map((group) =>
    group === "day" ? "to_char(day, 'YYYY-MM-DD') AS day" : COLUMNS[group],
  );
  const byKey = groups.includes("key");
  return `
    SELECT s.*${byKey ? ", k.name AS key_name" : ""}
      FROM (SELECT ${shown.join(", ")}, grouping(${columns[0]}) = 1 AS is_total,
                   count(*) AS requests, count(*) FILTER (WHERE status >= 400) AS failed_requests,
                   coalesce(sum(prompt_tokens), 0)::bigint AS prompt_tokens,
                   coalesce(sum(completion_tokens), 0)::bigint AS completion_tokens,
                   coalesce(sum(passages), 0)::bigint AS passages,
                   coalesce(sum(cost_micros), 0)::bigint AS cost_micros
              FROM (SELECT (created_at AT TIME ZONE 'UTC')::date AS day, model, key_id, kind, status,
                           prompt_tokens, completion_tokens, passages, cost_micros
                      FROM usage_record
                     WHERE account_id = $1 AND created_at >= $2::text::date::timestamp AT TIME ZONE 'UTC'
                       AND created_at < ($3::text::date + 1)::timestamp AT TIME ZONE 'UTC') AS used
             GROUP BY GROUPING SETS ((${columns.join(", ")}), ())) AS s
           ${byKey ? "LEFT JOIN api_key k ON k.id = s.key_id AND k.account_id = $1" : ""}
     ORDER BY s.is_total DESC, ${columns.map((column) => `s.${column}`).join(", ")} LIMIT $4`;
}

function namesOf(row: SumRow, groups: readonly UsageGroup[]): Partial<UsageRow> {
  const { day, model = null, key_id, key_name = null, kind } = row;
  return {
    ...(groups.includes("day") && { day }),
    ...(groups.includes("model") && { model }),
    ...(groups.includes("key") && { key_id, key_name }),
    ...(groups.includes("kind") && { kind }),
  };
}

function sumsOf(row: SumRow): UsageReport["total"] {
  return {
    requests: Number(row.requests),
    failed_requests: Number(row.failed_requests),
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
    passages: Number(row.passages),
    cost_usd: microsToUsd(row.cost_micros),
  };
}
