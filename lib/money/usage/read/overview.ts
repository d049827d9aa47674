import "server-only";

import { type Micros, microsToUsd, parseUsd } from "@/lib/money/billing/money";
import { getCredits } from "@/lib/money/billing/read/balance";
import { paymentProviderName } from "@/lib/money/billing/vendor/provider";
import type { Context } from "@/lib/platform/auth/context";
import { query } from "@/lib/platform/db/client";
import { MAX_DAYS } from "../filter";
import type { OnboardingChecklist, Overview } from "../overview-schema";
import { ListRequests } from "../schema";
import { bucketStarts } from "./buckets";
import { buildWhere, daysOf, listRequests } from "./requests";

const RECENT = 6;
const WEEK_DAYS = 7;

/** Balance, usage of the last 30 days, and onboarding progress. */
export async function getOverview(ctx: Context): Promise<Overview> {
  const range = daysOf({});
  const [credits, { weekMicros, total, days }, daily, latency, recent, steps] = await Promise.all([
    getCredits(ctx),
    readUse(ctx),
    readDaily(ctx),
    readLatency(ctx),
    listRequests(ctx, ListRequests.parse({ limit: RECENT, days: MAX_DAYS })),
    readSteps(ctx),
  ]);
  return {
    object: "overview",
    credits,
    week_spend_usd: microsToUsd(weekMicros),
    days_left: daysLeft(parseUsd(credits.available_usd), weekMicros),
    ...range,
    days,
    total: { ...total, refused_requests: daily.reduce((sum, { refused }) => sum + refused, 0) },
    trend: bucketStarts({ ...range, interval: "day" }).map((day) => trendOf(day, daily)),
    latency,
    recent: recent.data,
    steps,
  };
}

/** How long an amount lasts at last week's spend; null when that was zero. */
export function daysLeft(available: Micros, week: Micros): number | null {
  return week > 0n ? (Number(available) / Number(week)) * WEEK_DAYS : null;
}

type UseRow = Omit<Overview["days"][number], "cost_usd"> & {
  failed: number;
  disconnected: number;
  cost_micros: Micros;
  week_micros: Micros;
};

async function readUse(ctx: Context) {
  const { range, values } = buildWhere(ctx, {});
  const rows = await query<UseRow>(
    "billing_overview_use",
    `SELECT to_char((created_at AT TIME ZONE 'UTC')::date, 'YYYY-MM-DD') AS day, kind, count(*)::int AS requests,
            (count(*) FILTER (WHERE status >= 400))::int AS failed,
            (count(*) FILTER (WHERE status = 499))::int AS disconnected,
            sum(cost_micros)::bigint AS cost_micros,
            coalesce(sum(cost_micros) FILTER (WHERE created_at >= now() - make_interval(hours => 24 * 7)), 0)::bigint
              AS week_micros
       FROM usage_record WHERE ${range} GROUP BY 1, 2 ORDER BY 1, 2`,
    values,
  );
  const sum = (column: "requests" | "failed" | "disconnected") =>
    rows.reduce((total, row) => total + row[column], 0);
  const sumMicros = (column: "cost_micros" | "week_micros") =>
    rows.reduce((total, row) => total + row[column], 0n);
  return {
    weekMicros: sumMicros("week_micros"),
    days: rows.map(({ day, kind, requests, cost_micros }) => ({
      day,
      kind,
      requests,
      cost_usd: microsToUsd(cost_micros),
    })),
    total: {
      requests: sum("requests"),
      failed_requests: sum("failed"),
      disconnected_requests: sum("disconnected"),
      cost_usd: microsToUsd(sumMicros("cost_micros")),
    },
  };
}

interface DailyRow extends Record<string, unknown> {
  day: string;
  requests: number;
  failed: number;
  refused: number;
  cost_micros: Micros;
  p50_ms: number | null;
}

/** Days with a request or a refused one. */
function readDaily(ctx: Context): Promise<DailyRow[]> {
  const { range, values } = buildWhere(ctx, {});
  return query<DailyRow>(
    "billing_overview_daily",
    `SELECT day, sum(requests)::int AS requests, sum(failed)::int AS failed, sum(refused)::int AS refused,
            sum(cost_micros)::bigint AS cost_micros, max(p50_ms) AS p50_ms
       FROM (SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS requests,
                    count(*) FILTER (WHERE status >= 400) AS failed, 0 AS refused, sum(cost_micros) AS cost_micros,
                    percentile_cont(0.5) WITHIN GROUP (ORDER BY latency_ms)
                      FILTER (WHERE kind IN ('core', 'grounded') AND status < 400) AS p50_ms
               FROM usage_record WHERE ${range} GROUP BY 1
              UNION ALL
             SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), 0, 0, sum(1 + skipped), 0, NULL
               FROM refused_request WHERE ${range} GROUP BY 1) AS d
      GROUP BY day`,
    values,
  );
}

function trendOf(day: string, daily: readonly DailyRow[]): Overview["trend"][number] {
  const row = daily.find((each) => each.day === day);
  const { requests = 0, failed = 0, refused = 0, cost_micros = 0n, p50_ms = null } = row ?? {};
  return {
    day,
    requests: requests + refused,
    errors: failed + refused,
    cost_usd: microsToUsd(cost_micros),
    p50_ms: p50_ms === null ? null : Math.round(p50_ms),
  };
}

async function readLatency(ctx: Context): Promise<Overview["latency"]> {
  const { range, values } = buildWhere(ctx, {});
  const [row] = await query<{
    completions: number;
    latency: number[] | null;
    streamed: number;
    first_token: number[] | null;
  }>(
    "billing_overview_latency",
    `SELECT count(*)::int AS completions, count(first_token_ms)::int AS streamed,
            percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY latency_ms) AS latency,
            percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY first_token_ms) AS first_token
       FROM usage_record WHERE ${range} AND kind IN ('core', 'grounded') AND status < 400`,
    values,
  );
  const whole = (value: number | undefined) => (value === undefined ? null : Math.round(value));
  return {
    completions: row?.completions ?? 0,
    p50_ms: whole(row?.latency?.[0]),
    p95_ms: whole(row?.latency?.[1]),
    streamed: row?.streamed ?? 0,
    first_token_p50_ms: whole(row?.first_token?.[0]),
    first_token_p95_ms: whole(row?.first_token?.[1]),
  };
}

/** A completed step stays completed after a key is revoked, a document deleted or a payment refunded. */
async function readSteps({ account }: Context): Promise<OnboardingChecklist> {
  const [row] = await query<Record<keyof OnboardingChecklist, boolean>>(
    "billing_overview_steps",
    // Old records have no citation counts; then sources that were found count.
    `SELECT EXISTS (SELECT 1 FROM api_key WHERE account_id = $1 AND purpose = 'api') AS key,
            EXISTS (SELECT 1 FROM job WHERE account_id = $1 AND status = 'completed') AS document,
            EXISTS (SELECT 1 FROM usage_record
                     WHERE account_id = $1 AND kind = 'grounded' AND status < 400
                       AND coalesce((details->'verification'->>'cited')::int, passages, 0) > 0) AS cited_answer,
            EXISTS (SELECT 1 FROM payment WHERE account_id = $1) AS top_up`,
    [account.id],
  );
  if (!row) {
    throw new Error("the onboarding checklist was not read");
  }
  return { ...row, top_up: row.top_up || (paymentProviderName() ? false : null) };
}
