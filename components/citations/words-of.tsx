"use client";

import { cn } from "@/lib/cn";
import { useAnswer } from "./answer-context";
import { VERDICT_LABELS } from "./labels";
import type { PlacedMarker, Range } from "./places";
import { cut, type Stretch } from "./segments";
import { claimLook, VerdictMark } from "./verdict-mark";

/** Part of the answer with its markers and verdicts. `shown` is the visible text when it differs from the source. */
export function WordsOf({ range, shown }: { range: Range; shown?: string | undefined }) {
  const { content, stretches } = useAnswer();
  const pieces = cut(stretches, range);
  if (shown !== undefined) {
    return <Claimed stretch={pieces[0]}>{shown}</Claimed>;
  }
  return pieces.map((piece) =>
    piece.marker ? (
      <Marker key={piece.start} marker={piece.marker} />
    ) : (
      <Claimed key={piece.start} stretch={piece}>
        {content.slice(piece.start, piece.end)}
      </Claimed>
    ),
  );
}

function Claimed({ stretch, children }: { stretch: Stretch | undefined; children: string }) {
  const { active } = useAnswer();
  const isActive = Boolean(
    stretch && active && active.start <= stretch.start && stretch.end <= active.end,
  );
  if (!stretch?.claim && !isActive) {
    return children;
  }
  const verdict = stretch?.claim?.verdict;
  return (
    <span
      data-verdict={verdict}
      className={cn(verdict && claimLook(verdict), isActive && "rounded-sm bg-accent-soft")}
    >
      {children}
    </span>
  );
}

/** A marker of the answer: the card of its source opens by pointer, focus or press. */
function Marker({ marker }: { marker: PlacedMarker }) {
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
