"use client";

import { createContext, Fragment, useContext } from "react";
import { unbroken } from "@/components/ui/unbroken";
import type { Citation } from "@/lib/answers/citations/schema";
import { cn } from "@/lib/cn";
import { bindMarkers } from "./bind-markers";
import { VERDICT_LABELS } from "./labels";
import type { PlacedMarker, Range } from "./places";
import { cut, type Segment } from "./segments";
import type { useSourceCard } from "./use-source-card";
import { VerdictMark } from "./verdict-mark";

/** State shared by all parts of an answer. */
interface AnswerParts {
  content: string;
  segments: readonly Segment[];
  citations: ReadonlyMap<number, Citation>;
  /** The marker whose card is open. */
  open: PlacedMarker | null;
  cardId: string;
  /** Whether sources are shown as notes beside the answer instead of in a card. */
  isNoted?: boolean;
  events: ReturnType<typeof useSourceCard>["events"];
}

export const AnswerContext = createContext<AnswerParts | null>(null);

export function useAnswer(): AnswerParts {
  const parts = useContext(AnswerContext);
  if (!parts) {
    throw new Error("Render this component inside an answer.");
  }
  return parts;
}

/** The answer as plain text, with its markers. */
export function PlainAnswer() {
  const { content } = useAnswer();
  return (
    // Unlike pre-wrap, without the space at a line's end, which would be underlined too.
    <p className="whitespace-pre-line">
      <AnswerText range={{ start: 0, end: content.length }} />
    </p>
  );
}

/** Part of the answer with its markers and verdicts. `shown` is the visible text when it differs from the source. */
export function AnswerText({ range, shown }: { range: Range; shown?: string | undefined }) {
  const { content, segments } = useAnswer();
  const pieces = cut(segments, range);
  if (shown !== undefined) {
    return <ClaimText segment={pieces[0]}>{shown}</ClaimText>;
  }
  const markers = pieces.flatMap(({ marker }) => marker ?? []);
  return bindMarkers(content, range, markers).map(({ isBound, ...part }) => {
    const texts = cut(pieces, part).map((piece) =>
      piece.marker ? (
        <Marker key={piece.start} marker={piece.marker} />
      ) : (
        <ClaimText key={piece.start} segment={piece}>
          {content.slice(piece.start, piece.end)}
        </ClaimText>
      ),
    );
    return isBound ? (
      <span key={part.start} className="whitespace-nowrap">
        {texts}
      </span>
    ) : (
      <Fragment key={part.start}>{texts}</Fragment>
    );
  });
}

function ClaimText({ segment, children }: { segment: Segment | undefined; children: string }) {
  const active = useAnswer().open?.claim;
  const isActive = Boolean(
    segment && active && active.start <= segment.start && segment.end <= active.end,
  );
  const text = unbroken(children);
  if (!segment?.claim && !isActive) {
    return text;
  }
  const verdict = segment?.claim?.verdict;
  return (
    <span
      data-verdict={verdict}
      className={cn(
        verdict &&
          "animate-draw bg-[image:linear-gradient(currentColor,currentColor)] bg-[length:0%_1px] bg-[position:0_94%] bg-no-repeat underline decoration-1 underline-offset-4 box-decoration-clone",
        verdict && VERDICT_LABELS[verdict].style,
        // A contradiction keeps its own background.
        isActive && verdict !== "contradicted" && "rounded-sm bg-accent-soft",
      )}
    >
      {text}
    </span>
  );
}

/** A marker. Hovering, focusing or pressing it opens its source's card. */
function Marker({ marker }: { marker: PlacedMarker }) {
  const { content, citations, open, cardId, isNoted, events } = useAnswer();
  const text = content.slice(marker.start, marker.end);
  const verdict = marker.annotation?.verification?.verdict;
  const title = citations.get(marker.citationId)?.title ?? marker.annotation?.title;
  const isOpen = open?.start === marker.start;
  return (
    <button
      type="button"
      data-marker
      aria-haspopup={isNoted ? undefined : "dialog"}
      aria-expanded={isNoted ? undefined : isOpen}
      aria-pressed={isNoted ? isOpen : undefined}
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
