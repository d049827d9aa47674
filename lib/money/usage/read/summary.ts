import "server-only";

import type { Context } from "@/lib/platform/auth/context";
import { query } from "@/lib/platform/db/client";
import { type ChartGroup, lengthOf, MAX_HOURLY_DAYS, type UsageFilter } from "../filter";
import type { UsageSummary } from "../schema";
import { type BucketSums, bucketStarts, type GroupRow, rankGroups, sumUp } from "./buckets";
import { buildWhere, daysOf } from "./requests";

type BucketRow = BucketSums & { at: string };

interface SummaryRow extends Record<string, unknown> {
  buckets: BucketRow[];
  groups: GroupRow[];
  keys: UsageSummary["keys"];
  models: string[];
  errors: UsageSummary["errors"];
}

const MAX_ERRORS = 5;

const GROUP_COLUMNS: Record<ChartGroup, string> = {
  key: "key_id",
  model: "coalesce(model, '')",
  kind: "kind",
};

/** In the form of `bucketStarts`. */
const BUCKETS = {
  hour: `to_char(date_trunc('hour', created_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:MI"Z"')`,
  day: `to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
};

/**
 * Totals of a filter, overall and by hour or day (UTC), also for each of its largest groups if asked for, its most
 * frequent errors, and the keys and models to filter by. Throws invalid_request for a bad range.
 */
export async function getUsageSummary(
  ctx: Context,
  { group_by, ...filter }: UsageFilter & { group_by?: ChartGroup | undefined },
): Promise<UsageSummary> {
  const { from, to } = daysOf(filter);
  const { name, range, rest, values } = buildWhere(ctx, filter);
  const interval = lengthOf({ from, to }) <= MAX_HOURLY_DAYS ? "hour" : "day";
  const [row] = await query<SummaryRow>(
    `billing_usage_summary_${name}_${interval}_${group_by ?? ""}`,
    // One scan of each table yields a few thousand sums; everything else is computed from those.
    `WITH used AS MATERIALIZED (
       SELECT ${BUCKETS[interval]} AS at, key_id, model, kind, status, count(*) AS requests,
              CASE WHEN status >= 400 THEN endpoint END AS endpoint,
              CASE WHEN status >= 400 THEN details->>'error_code' END AS code,
              sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
              sum(cost_micros) AS cost_micros, max(created_at) AS last_at, max(id) AS last_id
         FROM usage_record WHERE ${range} GROUP BY 1, 2, 3, 4, 5, 7, 8
       UNION ALL
       SELECT ${BUCKETS[interval]}, key_id, model, 'refused', status, sum(1 + skipped),
              endpoint, code, 0, 0, 0, max(created_at), max(id)
         FROM refused_request WHERE ${range} GROUP BY 1, 2, 3, 5, endpoint, code
     ), filtered AS (
       SELECT * FROM used WHERE true ${rest}
     ), buckets AS (
       SELECT at,
              coalesce(sum(requests) FILTER (WHERE kind <> 'refused'), 0)::bigint AS requests,
              coalesce(sum(requests) FILTER (WHERE kind <> 'refused' AND status >= 400), 0)::bigint AS failed_requests,
              coalesce(sum(requests) FILTER (WHERE kind = 'refused'), 0)::bigint AS refused_requests,
              sum(prompt_tokens)::bigint AS prompt_tokens, sum(completion_tokens)::bigint AS completion_tokens,
              sum(cost_micros)::bigint::text AS cost_micros
         FROM filtered GROUP BY at
     ), groups AS (
       SELECT ${group_by ? GROUP_COLUMNS[group_by] : "''"} AS id, at, sum(requests)::bigint AS requests,
              sum(prompt_tokens + completion_tokens)::bigint AS tokens, sum(cost_micros)::bigint::text AS cost_micros
         FROM filtered WHERE ${group_by ? "true" : "false"} GROUP BY 1, 2
     ), keys AS (
       SELECT u.key_id AS id, k.name, sum(u.requests)::int AS requests
         FROM used u LEFT JOIN api_key k ON k.id = u.key_id AND k.account_id = $1 GROUP BY 1, 2
     ), errors AS (
       SELECT endpoint, status, code, sum(requests)::bigint AS requests,
              (array_agg(last_id ORDER BY last_at DESC, last_id DESC))[1] AS last_id, max(last_at) AS last_at
         FROM filtered WHERE status >= 400 AND status <> 499 GROUP BY endpoint, status, code
        ORDER BY requests DESC, last_at DESC LIMIT ${MAX_ERRORS}
     )
     SELECT (SELECT coalesce(json_agg(b), '[]') FROM buckets b) AS buckets,
            (SELECT coalesce(json_agg(g), '[]') FROM groups g) AS groups,
            (SELECT coalesce(json_agg(k ORDER BY k.name, k.id), '[]') FROM keys k) AS keys,
            (SELECT coalesce(json_agg(e ORDER BY e.requests DESC, e.last_at DESC), '[]') FROM errors e) AS errors,
            (SELECT coalesce(json_agg(DISTINCT model), '[]') FROM used WHERE model IS NOT NULL) AS models`,
    values,
  );
  const starts = bucketStarts({ from, to, interval });
  const buckets = new Map((row?.buckets ?? []).map((bucket) => [bucket.at, bucket]));
  const keys = row?.keys ?? [];
  return {
    object: "usage.summary",
    from,
    to,
    total: sumUp(row?.buckets ?? []),
    interval,
    buckets: starts.map((at) => {
      const found = buckets.get(at);
      return { at, ...sumUp(found ? [found] : []) };
    }),
    groups: rankGroups(row?.groups ?? [], starts).map((group) => ({
      ...group,
      name: group_by === "key" ? nameOf(keys, group.id) : group.id || null,
    })),
    errors: (row?.errors ?? []).map((error) => ({
      ...error,
      last_at: new Date(error.last_at).toISOString(),
    })),
    keys,
    models: row?.models ?? [],
  };
}

function nameOf(keys: UsageSummary["keys"], id: string | null): string | null {
  return keys.find((key) => key.id === id)?.name ?? null;
}
