"use client";

import { lazy, Suspense, useId, useMemo } from "react";
import type { Citation, UrlCitation, Verification } from "@/lib/answers/citations/schema";
import { AnswerContext, PlainAnswer } from "./answer-text";
import { useSelection } from "./citation-scope";
import { guessMarkers, locateClaims } from "./places";
import { toSegments } from "./segments";
import { useSourceCard } from "./use-source-card";

// Loaded lazily: Markdown and card positioning are most of the code, and the first words need neither.
const MarkdownAnswer = lazy(async () => ({
  default: (await import("./markdown-answer")).MarkdownAnswer,
}));
const SourceCard = lazy(async () => ({ default: (await import("./source-card")).SourceCard }));

interface CitedAnswerProps {
  content: string;
  /** Absent while the answer streams and when retrieval didn't run. */
  annotations?: readonly UrlCitation[] | undefined;
  citations?: readonly Citation[] | undefined;
  verification?: Verification | undefined;
  isStreaming?: boolean;
}

/**
 * An answer with its citations. Hovering, focusing or pressing a marker opens its source's card, and each claim
 * is underlined according to its verdict. Inside a CitationScope, a press also selects the source.
 */
export function CitedAnswer({ content, isStreaming = false, ...props }: CitedAnswerProps) {
  const { annotations, verification } = props;
  const citations = useMemo(
    () => new Map((props.citations ?? []).map((citation) => [citation.id, citation])),
    [props.citations],
  );
  const segments = useMemo(() => {
    const places = locateClaims({ content, annotations, verification });
    const isGuess = isStreaming && !annotations;
    const markers = isGuess ? guessMarkers(content, new Set(citations.keys())) : places.markers;
    return toSegments(content.length, { ...places, markers });
  }, [content, annotations, verification, citations, isStreaming]);
  const cardId = useId();
  const selection = useSelection();
  const { card, events, cardEvents } = useSourceCard((id) => selection?.select(id));
  const citation = card && citations.get(card.marker.citationId);
  const open = card?.marker ?? null;
  return (
    <AnswerContext value={{ content, segments, citations, open, cardId, events }}>
      <div className="grid min-w-0 gap-3 leading-6 [overflow-wrap:anywhere]">
        <Suspense fallback={<PlainAnswer />}>
          <MarkdownAnswer />
        </Suspense>
      </div>
      <Suspense>
        {card && citation && (
          <SourceCard
            key={card.marker.start}
            {...card}
            {...cardEvents}
            id={cardId}
            citation={citation}
          />
        )}
      </Suspense>
    </AnswerContext>
  );
}

/** Preloads the answer's code while the user types. */
export function preloadAnswer(): void {
  void import("./markdown-answer");
  void import("./source-card");
}
