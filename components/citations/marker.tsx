"use client";

import { cn } from "@/lib/cn";
import { useAnswer } from "./answer-context";
import { VERDICT_LABELS } from "./labels";
import type { PlacedMarker } from "./places";
import { VerdictMark } from "./verdict-mark";

/** A marker of the answer: the card of its source opens by pointer, focus or press. */
export function Marker({ marker }: { marker: PlacedMarker }) {
  const { content, citations, open, cardId, events } = useAnswer();
  const text = content.slice(marker.start, marker.end);
  const verdict = marker.annotation?.verification?.verdict;
  const title = citations.get(marker.citationId)?.title ?? marker.annotation?.title;
  const isOpen = open?.start === marker.start;
  return (
    <button
      type="button"
      data-marker
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-controls={isOpen ? cardId : undefined}
      aria-label={[text, title, verdict && VERDICT_LABELS[verdict].name].filter(Boolean).join(", ")}
      className={cn(
        "inline-flex min-h-6 min-w-6 cursor-pointer select-text items-center justify-center gap-0.5 rounded px-0.5 align-baseline font-mono text-accent text-xs hover:bg-accent-soft",
        isOpen && "bg-accent-soft",
      )}
      onPointerEnter={(event) => events.onEnter(marker, event)}
      onPointerLeave={events.onLeave}
      onFocus={(event) => events.onFocus(marker, event)}
      onBlur={events.onBlur}
      onClick={(event) => events.onPress(marker, event)}
    >
      {text}
      {verdict && <VerdictMark verdict={verdict} />}
    </button>
  );
}
