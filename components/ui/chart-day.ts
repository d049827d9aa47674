export interface ChartSeries {
  name: string;
  /** A colour, such as `var(--color-accent)`. */
  color: string;
}

export interface ChartDay {
  /** Such as `2026-11-30`. */
  day: string;
  /** How high each series stands; rounded, for drawing alone. */
  heights: number[];
  /** What each series is, in words. */
  said: string[];
}

const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Such as `30 Nov`. */
export function formatDay(day: string): string {
  return short.format(new Date(day));
}
