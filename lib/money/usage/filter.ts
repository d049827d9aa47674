import { isPostgresText } from "@/lib/platform/db/postgres-text";

export const USAGE_KINDS = [
  "core",
  "grounded",
  "search",
  "verification",
  "embedding",
  "ingest",
] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

/** What readers call each kind, in the console and on statements. */
export const KIND_NAMES: Record<UsageKind, string> = {
  grounded: "Cited chat",
  core: "Chat",
  search: "Search",
  verification: "Verification",
  embedding: "Embeddings",
  ingest: "Upload",
};

/** Kinds in the request log: also requests that failed before any work began. */
export const LOGGED_KINDS = [...USAGE_KINDS, "refused"] as const;
export type LoggedKind = (typeof LOGGED_KINDS)[number];

/** By name or by class of status; 499 means that the client disconnected. */
export const USAGE_OUTCOMES = ["succeeded", "failed", "4xx", "499", "5xx"] as const;
export type UsageOutcome = (typeof USAGE_OUTCOMES)[number];

/** What charts are grouped by. */
export const CHART_GROUPS = ["key", "model", "kind"] as const;
export type ChartGroup = (typeof CHART_GROUPS)[number];

/** Longer ranges are charted by day, shorter ones by hour. */
export const MAX_HOURLY_DAYS = 7;

export const DEFAULT_DAYS = 30;
export const MAX_DAYS = 366;

/** Requests per download: about sixteen megabytes of text. */
export const MAX_EXPORTED = 100_000;

/** Selects requests of the account. Days are UTC; absent: the last thirty. */
export interface UsageFilter {
  key?: string | undefined;
  model?: string | undefined;
  kind?: LoggedKind | undefined;
  status?: UsageOutcome | undefined;
  /** Up to and including today; not together with `from` or `to`. */
  days?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const NAMES = ["key", "model", "kind", "status", "days", "from", "to"] as const;
const LONGEST = 200;

/** The filter in a page's address. Invalid values are ignored. */
export function readFilter(params: URLSearchParams): UsageFilter {
  const text = (name: string) => {
    const value = params.get(name)?.slice(0, LONGEST) ?? "";
    return value !== "" && isPostgresText(value) ? value : undefined;
  };
  const kind = LOGGED_KINDS.find((each) => each === params.get("kind"));
  const status = USAGE_OUTCOMES.find((each) => each === params.get("status"));
  const range = readRange(params);
  return compact({ key: text("key"), model: text("model"), kind, status, ...range });
}

/** The filter as a query string, in a fixed order. */
export function filterQuery(filter: UsageFilter): string {
  const params = new URLSearchParams();
  for (const name of NAMES) {
    if (filter[name] !== undefined) {
      params.set(name, String(filter[name]));
    }
  }
  return params.toString();
}

/** Without absent and default values. */
function compact(filter: UsageFilter): UsageFilter {
  const present = Object.entries(filter).filter(
    ([name, value]) => value !== undefined && !(name === "days" && value === DEFAULT_DAYS),
  );
  return Object.fromEntries(present);
}

function readRange(params: URLSearchParams): Pick<UsageFilter, "days" | "from" | "to"> {
  const from = readDay(params.get("from"));
  const to = readDay(params.get("to"));
  if (from || to) {
    return isRange(from, to) ? { from, to } : {};
  }
  const days = Number(params.get("days"));
  return Number.isInteger(days) && days >= 1 && days <= MAX_DAYS ? { days } : {};
}

/** Whether the range is neither backwards nor too long. */
export function isRange(from: string | undefined, to: string | undefined): boolean {
  const days = lengthOf({ from: from ?? to ?? today(), to: to ?? today() });
  return days >= 1 && days <= MAX_DAYS;
}

export const DAY_MS = 86_400_000;

/** How many days a range has, both inclusive. */
export function lengthOf({ from, to }: { from: string; to: string }): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** In UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

function readDay(value: string | null): string | undefined {
  const isDay = value !== null && /^20\d\d-\d\d-\d\d$/.test(value);
  // A nonexistent day parses as another one.
  return isDay && new Date(value).toJSON()?.startsWith(value) ? value : undefined;
}
