import "server-only";

import type { Context } from "@/lib/auth/context";
import { microsToUsd } from "@/lib/billing/money";
import { query } from "@/lib/db/client";
import { addDays, DAY_MS, type UsageFilter } from "../filter";
import type { UsageSummary } from "../schema";
import { buildWhere, daysOf } from "./requests";

/** The cost is text: it may exceed the integers of JSON. */
type DaySums = Omit<UsageSummary["days"][number], "cost_usd"> & { cost_micros: string };

interface SummaryRow extends Record<string, unknown> {
  days: DaySums[];
  keys: UsageSummary["keys"];
  models: string[];
}

/** Totals of a filter, overall and by day (UTC), and the keys and models to filter by. Throws invalid_request for a bad range. */
export async function getUsageSummary(ctx: Context, filter: UsageFilter): Promise<UsageSummary> {
  const { from, to } = daysOf(filter);
  const { name, range, rest, values } = buildWhere(ctx, filter);
  const [row] = await query<SummaryRow>(
    `billing_usage_summary_${name}`,
    // One scan of the records yields a few thousand sums; everything else is computed from those.
    `WITH used AS MATERIALIZED (
       SELECT (created_at AT TIME ZONE 'UTC')::date AS day, key_id, model, kind, status, count(*) AS requests,
              sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
              sum(cost_micros) AS cost_micros
         FROM usage_record WHERE ${range} GROUP BY 1, 2, 3, 4, 5
     ), days AS (
       SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(requests)::bigint AS requests,
              coalesce(sum(requests) FILTER (WHERE status >= 400), 0)::bigint AS failed_requests,
              sum(prompt_tokens)::bigint AS prompt_tokens, sum(completion_tokens)::bigint AS completion_tokens,
              sum(cost_micros)::bigint::text AS cost_micros
         FROM used WHERE true ${rest} GROUP BY day
     ), keys AS (
       SELECT DISTINCT u.key_id AS id, k.name FROM used u LEFT JOIN api_key k ON k.id = u.key_id AND k.account_id = $1
     )
     SELECT (SELECT coalesce(json_agg(d), '[]') FROM days d) AS days,
            (SELECT coalesce(json_agg(k ORDER BY k.name, k.id), '[]') FROM keys k) AS keys,
            (SELECT coalesce(json_agg(DISTINCT model), '[]') FROM used WHERE model IS NOT NULL) AS models`,
    values,
  );
  const lengthDays = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  const days = Map.groupBy(row?.days ?? [], ({ day }) => day);
  return {
    object: "usage.summary",
    from,
    to,
    total: sumUp(row?.days ?? []),
    days: Array.from({ length: lengthDays }, (_, index) => {
      const day = addDays(from, index);
      return { day, ...sumUp(days.get(day) ?? []) };
    }),
    keys: row?.keys ?? [],
    models: row?.models ?? [],
  };
}

function sumUp(days: readonly DaySums[]): UsageSummary["total"] {
  const sum = (name: "requests" | "failed_requests" | "prompt_tokens" | "completion_tokens") =>
    days.reduce((total, day) => total + day[name], 0);
  return {
    requests: sum("requests"),
    failed_requests: sum("failed_requests"),
    prompt_tokens: sum("prompt_tokens"),
    completion_tokens: sum("completion_tokens"),
    cost_usd: microsToUsd(days.reduce((total, day) => total + BigInt(day.cost_micros), 0n)),
  };
}
