export interface ChartSeries {
  /** Unique within its chart. */
  id: string;
  name: string;
  /** A color, such as `var(--color-accent)`. */
  color: string;
}

export interface ChartPoint {
  /** A day such as `2026-11-30`, or an hour such as `2026-11-30T05:00Z`. */
  at: string;
  /** The value of each series as a number. Rounded, for drawing only. */
  heights: number[];
  /** The exact value of each series, formatted. */
  values: string[];
}

/** What a click chooses: a column, and the series when it is on one of them. */
export type ChooseInChart = (choice: { at?: string; series?: string }) => void;

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Such as `30 Nov`, or `30 Nov, 05:00`. */
export function formatPoint(at: string): string {
  return at.includes("T") ? `${day.format(new Date(at))}, ${at.slice(11, 16)}` : formatDay(at);
}

/** Below the axis: `30 Nov` at midnight, `05:00` in between. */
export function formatTick(at: string): string {
  return at.includes("T") && !at.includes("T00") ? at.slice(11, 16) : formatDay(at);
}

/** As many labels as fit below a narrow chart. */
const MAX_TICKS = 5;
/** With fewer midnights, hours between them say more. */
const MIN_MIDNIGHTS = 3;
const HOURS_APART = 6;

/** What to mark below the axis. Depends on nothing but the times, so that charts next to each other mark the same ones. */
export function ticksOf(points: readonly Pick<ChartPoint, "at">[]): string[] {
  const times = points.map(({ at }) => at);
  const midnights = times.filter((at) => at.includes("T00"));
  // A time alone wouldn't say of which day it is.
  const marked =
    midnights.length >= MIN_MIDNIGHTS
      ? midnights
      : times.filter((at) => !at.includes("T") || Number(at.slice(11, 13)) % HOURS_APART === 0);
  const step = Math.ceil(marked.length / MAX_TICKS);
  const first = Math.floor(((marked.length - 1) % step) / 2);
  return marked.filter((_, index) => index >= first && (index - first) % step === 0);
}

function formatDay(at: string): string {
  return day.format(new Date(at));
}
