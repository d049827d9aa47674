import { formatRoughUsd } from "@/components/ui/usd";

export const OVERVIEW_PAGE = {
  title: "Overview",
  description: "Balance, health and recent usage.",
};

const LONG_DAYS = 730;

/** How long the balance lasts, and at which rate. `days` is null when there was no recent spend. */
export function formatRunway(days: number | null, weekSpendUsd: string): string {
  return days === null
    ? "No spend in the last 7 days"
    : `Runway: ${formatDays(days)} at ${formatSpend(weekSpendUsd).toLowerCase()} a week`;
}

/** An amount that begins a phrase, such as "$4.99" or "Under $0.01". */
export function formatSpend(usd: string): string {
  return formatRoughUsd(usd).replace("<", "Under ");
}

function formatDays(days: number): string {
  if (days < 1) {
    return days === 0 ? "empty" : "less than a day";
  }
  const whole = Math.floor(days);
  if (whole >= LONG_DAYS) {
    return "more than 2 years";
  }
  return whole === 1 ? "about 1 day" : `about ${whole} days`;
}
