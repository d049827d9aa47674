import "server-only";

import type { Context } from "@/lib/auth/context";
import { microsToUsd } from "@/lib/billing/money";
import { query } from "@/lib/db/client";
import { DAY_MS, type UsageFilter } from "../filter";
import type { UsageSummary } from "../schema";
import { buildWhere, daysOf } from "./requests";

interface DaySums {
  day: string;
  requests: number;
  failed_requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** As text: it may exceed the integers of JSON. */
  cost_micros: string;
}

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
  const sums = new Map(row?.days.map((each) => [each.day, each]));
  return {
    object: "usage.summary",
    from,
    to,
    total: toSums(addUp(row?.days ?? [])),
    days: eachDay(from, to).map((day) => ({ day, ...toSums(sums.get(day) ?? NOTHING) })),
    keys: row?.keys ?? [],
    models: row?.models ?? [],
  };
}

function eachDay(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
  );
}

const NOTHING = {
  requests: 0,
  failed_requests: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cost_micros: "0",
};

function addUp(days: readonly DaySums[]): Omit<DaySums, "day"> {
  return days.reduce<Omit<DaySums, "day">>(
    (sum, day) => ({
      requests: sum.requests + day.requests,
      failed_requests: sum.failed_requests + day.failed_requests,
      prompt_tokens: sum.prompt_tokens + day.prompt_tokens,
      completion_tokens: sum.completion_tokens + day.completion_tokens,
      cost_micros: String(BigInt(sum.cost_micros) + BigInt(day.cost_micros)),
    }),
    NOTHING,
  );
}

function toSums({ requests, ...sums }: Omit<DaySums, "day">): UsageSummary["total"] {
  return {
    requests,
    failed_requests: sums.failed_requests,
    prompt_tokens: sums.prompt_tokens,
    completion_tokens: sums.completion_tokens,
    cost_usd: microsToUsd(BigInt(sums.cost_micros)),
  };
}
