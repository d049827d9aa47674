export interface ChartSeries {
  name: string;
  /** A color, such as `var(--color-accent)`. */
  color: string;
}

export interface ChartDay {
  /** Such as `2026-11-30`. */
  day: string;
  /** The value of each series as a number. Rounded, for drawing only. */
  heights: number[];
  /** The exact value of each series, formatted. */
  values: string[];
}

const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Such as `30 Nov`. */
export function formatDay(day: string): string {
  return short.format(new Date(day));
}
