"use client";

import { useSyncExternalStore } from "react";

const TICK_MS = 30_000;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** An ISO time relative to now; the exact time on hover. */
export function RelativeTime({ value }: { value: string }) {
  const now = useSyncExternalStore(tick, currentTick, currentTick);
  return (
    // The server rendered it a moment earlier.
    <time
      dateTime={value}
      title={useFormatted(value, EXACT)}
      suppressHydrationWarning
      className="inline-block first-letter:uppercase"
    >
      {formatRelative(Date.parse(value) - now)}
    </time>
  );
}

/** The day of an ISO time; the exact time on hover. */
export function Day({ value }: { value: string }) {
  return <FormattedTime value={value} options={{ dateStyle: "medium" }} />;
}

/** An ISO time to the minute; the exact time on hover. */
export function Moment({ value }: { value: string }) {
  return <FormattedTime value={value} options={{ dateStyle: "medium", timeStyle: "short" }} />;
}

/** An ISO time to the second, in the form of `Moment`. */
export function MomentWithSeconds({ value }: { value: string }) {
  return <FormattedTime value={value} options={{ dateStyle: "medium", timeStyle: "medium" }} />;
}

/** An ISO time to the second, with its time zone. */
export function ExactTime({ value }: { value: string }) {
  return <time dateTime={value}>{useFormatted(value, EXACT)}</time>;
}

const EXACT: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "long" };

function FormattedTime({ value, options }: { value: string; options: Intl.DateTimeFormatOptions }) {
  return (
    <time dateTime={value} title={useFormatted(value, EXACT)}>
      {useFormatted(value, options)}
    </time>
  );
}

/** In the viewer's time zone; in UTC until hydration, so that server and browser render the same text first. */
function useFormatted(value: string, options: Intl.DateTimeFormatOptions): string {
  const timeZone = useSyncExternalStore(
    () => () => undefined,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => "UTC",
  );
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(new Date(value));
}

/** `distanceMs` is negative for the past. */
export function formatRelative(distanceMs: number): string {
  const unit = UNITS.find(([, ms]) => Math.abs(distanceMs) >= ms);
  return unit ? relative.format(Math.trunc(distanceMs / unit[1]), unit[0]) : "just now";
}

/** Rounded, so that it is stable between ticks. */
function currentTick(): number {
  return Math.ceil(Date.now() / TICK_MS) * TICK_MS;
}

function tick(onChange: () => void): () => void {
  const timer = setInterval(onChange, TICK_MS);
  return () => clearInterval(timer);
}
