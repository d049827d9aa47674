import { microsToUsd } from "@/lib/money/billing/money";
import { addDays } from "../filter";
import type { UsageSummary } from "../schema";

/** The cost is text: it may exceed the integers of JSON. */
export type BucketSums = Omit<UsageSummary["total"], "cost_usd"> & { cost_micros: string };

/** The sums of one group in one bucket. */
export interface GroupRow {
  id: string;
  at: string;
  requests: number;
  tokens: number;
  cost_micros: string;
}

const HOURS = 24;
/** More than these can't be told apart by color. */
const MAX_GROUPS = 5;

interface Range {
  /** Days, both inclusive. */
  from: string;
  to: string;
  interval: "hour" | "day";
}

/** The start of every bucket: `2026-11-30`, or `2026-11-30T05:00Z` without the hours to come. */
export function bucketStarts({ from, to, interval }: Range, now = new Date()): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    days.push(day);
  }
  const limit = `${now.toISOString().slice(0, 13)}:00Z`;
  return interval === "day"
    ? days
    : days
        .flatMap((day) =>
          Array.from({ length: HOURS }, (_, hour) => `${day}T${String(hour).padStart(2, "0")}:00Z`),
        )
        .filter((at) => at <= limit || days.every((day) => day > limit));
}

type Counted = Exclude<keyof UsageSummary["total"], "cost_usd">;

export function sumUp(rows: readonly BucketSums[]): UsageSummary["total"] {
  const sum = (name: Counted) => rows.reduce((total, row) => total + row[name], 0);
  return {
    requests: sum("requests"),
    failed_requests: sum("failed_requests"),
    refused_requests: sum("refused_requests"),
    prompt_tokens: sum("prompt_tokens"),
    completion_tokens: sum("completion_tokens"),
    cost_usd: sumUsd(rows),
  };
}

function sumUsd(rows: readonly { cost_micros: string }[]): string {
  return microsToUsd(rows.reduce((total, row) => total + BigInt(row.cost_micros), 0n));
}

type Group = Omit<UsageSummary["groups"][number], "name">;

/** The groups with the most requests, then all others as one with the id null. */
export function rankGroups(rows: readonly GroupRow[], starts: readonly string[]): Group[] {
  const groups = [...Map.groupBy(rows, ({ id }) => id)]
    .map(([id, own]) => ({ id, rows: own, requests: count(own, "requests") }))
    .toSorted((a, b) => b.requests - a.requests || (a.id < b.id ? -1 : 1));
  const others = groups.slice(MAX_GROUPS).flatMap((group) => group.rows);
  return [
    ...groups.slice(0, MAX_GROUPS),
    ...(others.length > 0 ? [{ id: null, rows: others }] : []),
  ].map((group) => ({ id: group.id, points: pointsOf(group.rows, starts) }));
}

function pointsOf(rows: readonly GroupRow[], starts: readonly string[]): Group["points"] {
  const byStart = Map.groupBy(rows, ({ at }) => at);
  return starts.map((at) => {
    const own = byStart.get(at) ?? [];
    return {
      requests: count(own, "requests"),
      tokens: count(own, "tokens"),
      cost_usd: sumUsd(own),
    };
  });
}

function count(rows: readonly GroupRow[], name: "requests" | "tokens"): number {
  return rows.reduce((total, row) => total + row[name], 0);
}
