export const OVERVIEW_PAGE = {
  title: "Overview",
  description: "Balance, health and usage for the last 30 days.",
};

const LONG_DAYS = 730;

/** How long the balance lasts. `days` is null when there was no recent spend. */
export function formatDaysLeft(days: number | null): string {
  if (days === null) {
    return "Not enough data yet";
  }
  if (days < 1) {
    return days === 0 ? "Empty" : "Less than a day";
  }
  const whole = Math.floor(days);
  if (whole >= LONG_DAYS) {
    return "More than 2 years";
  }
  return whole === 1 ? "About 1 day" : `About ${whole} days`;
}
