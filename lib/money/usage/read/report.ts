import "server-only";

import { invalidRequest } from "@/lib/errors";
import { type Micros, microsToUsd } from "@/lib/money/billing/money";
import type { Context } from "@/lib/platform/auth/context";
import { query } from "@/lib/platform/db/client";
import {
  type GetUsage,
  USAGE_GROUPS,
  type UsageGroup,
  type UsageReport,
  type UsageRow,
} from "../schema";
import { daysOf } from "./requests";

/** About three megabytes. */
const MAX_ROWS = 10_000;

type Sums = UsageReport["total"];

type SumRow = Omit<UsageRow, keyof Sums> &
  Record<Exclude<keyof Sums, "cost_usd">, bigint> & { is_total: boolean; cost_micros: Micros };

/** Usage and cost by day (UTC), model, key and kind. Throws invalid_request for a bad range or too many rows. */
export async function getUsage(ctx: Context, input: GetUsage): Promise<UsageReport> {
  const { from, to } = daysOf(input);
  const groups = USAGE_GROUPS.filter((group) => input.group_by.includes(group));
  const [total, ...data] = await query<SumRow>(
    `billing_usage_${groups.join("_")}`,
    statement(groups),
    [ctx.account.id, from, to, MAX_ROWS + 2],
  );
  if (data.length > MAX_ROWS) {
    throw invalidRequest(
      `The answer would have more than ${MAX_ROWS.toLocaleString("en-US")} rows. Group by less, or ask for fewer days.`,
      "group_by",
    );
  }
  if (!total?.is_total) {
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

/** One scan of the records returns the total first, then the rows. */
function statement(groups: readonly UsageGroup[]): string {
  const columns = groups.map((group) => (group === "key" ? "key_id" : group));
  const shown = columns.map((column) =>
    column === "day" ? "to_char(day, 'YYYY-MM-DD') AS day" : column,
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

function sumsOf(row: SumRow): Sums {
  return {
    requests: Number(row.requests),
    failed_requests: Number(row.failed_requests),
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
    passages: Number(row.passages),
    cost_usd: microsToUsd(row.cost_micros),
  };
}
