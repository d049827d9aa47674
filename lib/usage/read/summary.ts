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
  errors: UsageSummary["errors"];
}

const MAX_ERRORS = 5;

/**
 * Totals of a filter, overall and by day (UTC), its most frequent errors, and the keys and models to filter by. Throws
 * invalid_request for a bad range.
 */
export async function getUsageSummary(ctx: Context, filter: UsageFilter): Promise<UsageSummary> {
  const { from, to } = daysOf(filter);
  const { name, range, rest, values } = buildWhere(ctx, filter);
  const [row] = await query<SummaryRow>(
    `billing_usage_summary_${name}`,
    // One scan of each table yields a few thousand sums; everything else is computed from those.
    `WITH used AS MATERIALIZED (
       SELECT (created_at AT TIME ZONE 'UTC')::date AS day, key_id, model, kind, status, count(*) AS requests,
              CASE WHEN status >= 400 THEN endpoint END AS endpoint,
              CASE WHEN status >= 400 THEN details->>'error_code' END AS code,
              sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
              sum(cost_micros) AS cost_micros, max(created_at) AS last_at, max(id) AS last_id
         FROM usage_record WHERE ${range} GROUP BY 1, 2, 3, 4, 5, 7, 8
       UNION ALL
       SELECT (created_at AT TIME ZONE 'UTC')::date, key_id, model, 'refused', status, sum(1 + skipped),
              endpoint, code, 0, 0, 0, max(created_at), max(id)
         FROM refused_request WHERE ${range} GROUP BY 1, 2, 3, 5, endpoint, code
     ), filtered AS (
       SELECT * FROM used WHERE true ${rest}
     ), days AS (
       SELECT to_char(day, 'YYYY-MM-DD') AS day,
              coalesce(sum(requests) FILTER (WHERE kind <> 'refused'), 0)::bigint AS requests,
              coalesce(sum(requests) FILTER (WHERE kind <> 'refused' AND status >= 400), 0)::bigint AS failed_requests,
              coalesce(sum(requests) FILTER (WHERE kind = 'refused'), 0)::bigint AS refused_requests,
              sum(prompt_tokens)::bigint AS prompt_tokens, sum(completion_tokens)::bigint AS completion_tokens,
              sum(cost_micros)::bigint::text AS cost_micros
         FROM filtered GROUP BY day
     ), keys AS (
       SELECT DISTINCT u.key_id AS id, k.name FROM used u LEFT JOIN api_key k ON k.id = u.key_id AND k.account_id = $1
     ), errors AS (
       SELECT endpoint, status, code, sum(requests)::bigint AS requests,
              (array_agg(last_id ORDER BY last_at DESC, last_id DESC))[1] AS last_id, max(last_at) AS last_at
         FROM filtered WHERE status >= 400 AND status <> 499 GROUP BY endpoint, status, code
        ORDER BY requests DESC, last_at DESC LIMIT ${MAX_ERRORS}
     )
     SELECT (SELECT coalesce(json_agg(d), '[]') FROM days d) AS days,
            (SELECT coalesce(json_agg(k ORDER BY k.name, k.id), '[]') FROM keys k) AS keys,
            (SELECT coalesce(json_agg(e ORDER BY e.requests DESC, e.last_at DESC), '[]') FROM errors e) AS errors,
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
    errors: (row?.errors ?? []).map((error) => ({
      ...error,
      last_at: new Date(error.last_at).toISOString(),
    })),
    keys: row?.keys ?? [],
    models: row?.models ?? [],
  };
}

type Counted = Exclude<keyof UsageSummary["total"], "cost_usd">;

function sumUp(days: readonly DaySums[]): UsageSummary["total"] {
  const sum = (name: Counted) => days.reduce((total, day) => total + day[name], 0);
  return {
    requests: sum("requests"),
    failed_requests: sum("failed_requests"),
    refused_requests: sum("refused_requests"),
    prompt_tokens: sum("prompt_tokens"),
    completion_tokens: sum("completion_tokens"),
    cost_usd: microsToUsd(days.reduce((total, day) => total + BigInt(day.cost_micros), 0n)),
  };
}
