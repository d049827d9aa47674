import "server-only";

import type { Context } from "@/lib/auth/context";
import { DAY_MS, today, type UsageFilter, type UsageOutcome } from "../filter";
import { rangeOf } from "./report";

/** From the first status of an outcome up to the one after its last. */
const STATUSES: Record<UsageOutcome, [from: number, before: number]> = {
  succeeded: [0, 400],
  failed: [400, 1000],
  "4xx": [400, 500],
  "499": [499, 500],
  "5xx": [500, 1000],
};

/** The records of one account that a filter means, as a condition of SQL. */
export interface Condition {
  /** Names the parts that are filtered, so that each text has a statement of its own. */
  name: string;
  /** Of `account_id` and `created_at` alone; `$1` to `$3`. */
  range: string;
  /** All that is filtered besides, each beginning with AND. */
  rest: string;
  values: unknown[];
}

/** The days of a filter, both inclusive. Throws invalid_request. */
export function daysOf({ days, from, to }: UsageFilter): { from: string; to: string } {
  return days === undefined ? rangeOf({ from, to }) : rangeOf({ from: dayBefore(days - 1) });
}

/** Only what is filtered stands in the text, so that the planner sees how much each part leaves over. */
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
