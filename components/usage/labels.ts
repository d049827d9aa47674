import type { SkeletonBlock } from "@/components/shell/page-skeleton";
import type { Tone } from "@/components/ui/badge";
import { KIND_NAMES, type LoggedKind, type UsageOutcome } from "@/lib/money/usage/filter";
import type { LoggedRequest } from "@/lib/money/usage/schema";

export const USAGE_PAGE = {
  title: "Usage",
  description: "Requests in your account, with status, tokens and cost.",
};

/** Spend, requests and tokens. */
export const CHARTS_SKELETON: SkeletonBlock = {
  grid: "gap-4 sm:grid-cols-2 xl:grid-cols-3 sm:max-xl:*:first:col-span-2",
  blocks: ["h-68.5", "h-68.5", "h-68.5"],
};

export const SUMMARY_SKELETON: SkeletonBlock[] = ["h-49.5 sm:h-30.5", CHARTS_SKELETON];

export const KIND_LABELS: Record<LoggedKind, string> = {
  ...KIND_NAMES,
  refused: "Refused",
};

export const OUTCOME_LABELS: Record<UsageOutcome, string> = {
  succeeded: "Succeeded",
  failed: "Failed (any code)",
  "4xx": "4xx (client error)",
  "499": "499 (client disconnected)",
  "5xx": "5xx (server error)",
};

export function formatKind(kind: string): string {
  return (KIND_LABELS as Record<string, string>)[kind] ?? kind;
}

/** A key's name. Names aren't unique. */
export function formatKey({ key_name }: Pick<LoggedRequest, "key_name">): string {
  return key_name ?? "Unknown key";
}

/** Such as "Succeeded" or "502 upstream_error". */
export function formatOutcome({
  status,
  error_code,
}: Pick<LoggedRequest, "status" | "error_code">) {
  if (status < 400) {
    return "Succeeded";
  }
  const reason = error_code ?? (status === CLIENT_DISCONNECTED ? "client disconnected" : "failed");
  return `${status} ${reason}`;
}

const CLIENT_DISCONNECTED = 499;

export function toneOf({ status }: Pick<LoggedRequest, "status">): Tone {
  if (status < 400) {
    return "success";
  }
  return status === CLIENT_DISCONNECTED ? "neutral" : "danger";
}

/** Formats milliseconds, such as "84 ms" or "1.28 s". */
export function formatDuration(ms: number): string {
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  return ms < 100_000
    ? `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
    : `${Math.round(ms / 1000)} s`;
}

export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Such as `12.3K`. */
export function formatShortNumber(value: number): string {
  return short.format(value);
}

/** An axis label of an amount, such as `$0.004`. The amounts themselves are decimal strings. */
export function formatAxisUsd(value: number): string {
  return `$${value.toLocaleString("en-US", { maximumSignificantDigits: 3 })}`;
}

const longDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** Such as `1 Nov 2026 to 30 Nov 2026`. */
export function formatRange({ from, to }: { from: string; to: string }): string {
  const [first, last] = [longDay.format(new Date(from)), longDay.format(new Date(to))];
  return first === last ? first : `${first} to ${last}`;
}

/** A percentage such as `0.4%`; 0 of 0 is 0%. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  if (percent > 0 && percent < 0.1) {
    return "<0.1%";
  }
  return `${percent.toLocaleString("en-US", { maximumFractionDigits: percent < 10 ? 1 : 0 })}%`;
}
