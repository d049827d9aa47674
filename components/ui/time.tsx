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

/** How long ago or from now an ISO time is; the exact time in the viewer's zone on hover. */
export function RelativeTime({ value }: { value: string }) {
  const now = useSyncExternalStore(tick, currentTick, currentTick);
  return (
    // The server's "now" is a moment older than the browser's.
    <time
      dateTime={value}
      title={useExact(value)}
      suppressHydrationWarning
      className="inline-block first-letter:uppercase"
    >
      {formatRelative(Date.parse(value) - now)}
    </time>
  );
}

/** The day of an ISO time; the exact time on hover. Both in the viewer's zone. */
export function Day({ value }: { value: string }) {
  const timeZone = useTimeZone();
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone });
  return (
    <time dateTime={value} title={useExact(value)}>
      {day.format(new Date(value))}
    </time>
  );
}

/** An ISO time to the minute; to the second, and with its zone, on hover. Both in the viewer's zone. */
export function Moment({ value }: { value: string }) {
  const timeZone = useTimeZone();
  const moment = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  });
  return (
    <time dateTime={value} title={useExact(value)}>
      {moment.format(new Date(value))}
    </time>
  );
}

/** An ISO time to the second, in the viewer's zone. */
export function ExactTime({ value }: { value: string }) {
  return <time dateTime={value}>{useExact(value)}</time>;
}

function useExact(value: string): string {
  const timeZone = useTimeZone();
  return new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "long",
    timeZone,
  }).format(new Date(value));
}

/** `distanceMs` is negative for the past. */
export function formatRelative(distanceMs: number): string {
  const unit = UNITS.find(([, ms]) => Math.abs(distanceMs) >= ms);
  return unit ? relative.format(Math.trunc(distanceMs / unit[1]), unit[0]) : "just now";
}

/** UTC until the browser has taken over, so that both render the same text first. */
function useTimeZone(): string {
  return useSyncExternalStore(
    () => () => undefined,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => "UTC",
  );
}

/** Rounded, so that it stays the same between two ticks. */
function currentTick(): number {
  return Math.ceil(Date.now() / TICK_MS) * TICK_MS;
}

function tick(onChange: () => void): () => void {
  const timer = setInterval(onChange, TICK_MS);
  return () => clearInterval(timer);
}
