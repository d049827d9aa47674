"use client";

import { FileText } from "lucide-react";
import Link from "next/link";
import { lazy, type ReactNode, Suspense, useId, useMemo, useState } from "react";
import { AnswerContext, PlainAnswer } from "@/components/citations/answer-text";
import { formatReason, VERDICT_LABELS } from "@/components/citations/labels";
import { numberDifference } from "@/components/citations/number-difference";
import { locateClaims, type PlacedMarker } from "@/components/citations/places";
import { excerptParts } from "@/components/citations/quoted-excerpt";
import { QuotedWords } from "@/components/citations/quoted-words";
import { toSegments } from "@/components/citations/segments";
import { VerdictMark } from "@/components/citations/verdict-mark";
import { unbroken } from "@/components/ui/unbroken";
import type { Citation, UrlCitation, Verification } from "@/lib/answers/citations/schema";
import { cn } from "@/lib/cn";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import { sourcePath } from "./source-path";

// Loaded only for answers with Markdown.
const MarkdownAnswer = lazy(async () => ({
  default: (await import("@/components/citations/markdown-answer")).MarkdownAnswer,
}));

interface PublicAnswer {
  content: string;
  annotations: readonly UrlCitation[];
  verification: Verification | null;
  citations: readonly Citation[];
}

interface NotedAnswerProps {
  answer: PublicAnswer;
  isPlain?: boolean;
  /** Below the answer. */
  caption?: ReactNode;
}

/** With more, only the picked note is shown. */
const MOST_NOTES = 4;
/** A note without a verdict, beside an answer that says no source answers the question. */
const CLOSEST = { name: "Closest passage", color: "text-muted" };

/** An answer with its sources as notes in the margin. A marker that is hovered, focused or pressed picks its note. */
export function NotedAnswer({ answer, isPlain = false, caption }: NotedAnswerProps) {
  const { content, annotations } = answer;
  const verification = answer.verification ?? undefined;
  const citations = useMemo(() => new Map(answer.citations.map((one) => [one.id, one])), [answer]);
  const { segments, markers } = useMemo(() => {
    const places = locateClaims({ content, annotations, verification });
    return { segments: toSegments(content.length, places), markers: places.markers };
  }, [content, annotations, verification]);
  const [picked, pick] = useState<PlacedMarker | null>(() => worstOf(markers));
  const noteId = useId();
  const hasNotes = markers.length > 0;
  const choose = (marker: PlacedMarker) => pick(marker);
  const events = {
    onEnter: choose,
    onFocus: choose,
    onPress: choose,
    onLeave: () => undefined,
    onBlur: () => undefined,
  };
  return (
    <AnswerContext
      value={{ content, segments, citations, open: picked, cardId: noteId, isNoted: true, events }}
    >
      <div className={cn("grid", hasNotes && "xl:grid-cols-[minmax(0,1fr)_minmax(0,15.5rem)]")}>
        <div className="flex min-w-0 flex-col justify-between gap-6 p-5 sm:p-6">
          <div className="grid min-w-0 gap-3 font-serif text-[1.1875rem] leading-[1.7] xl:text-[1.3125rem] [overflow-wrap:anywhere] [&_[data-verdict]]:decoration-2">
            {isPlain ? (
              <PlainAnswer />
            ) : (
              <Suspense fallback={<PlainAnswer />}>
                <MarkdownAnswer />
              </Suspense>
            )}
          </div>
          {caption}
        </div>
        {hasNotes && (
          <ol
            aria-label="Sources"
            className="grid content-start gap-2.5 border-t bg-canvas p-4 xl:border-t-0 xl:border-l"
          >
            {markers.map((marker) => (
              <Note
                key={marker.start}
                id={picked?.start === marker.start ? noteId : undefined}
                marker={marker}
                citation={citations.get(marker.citationId)}
                isAlone={markers.length > MOST_NOTES}
                onPick={() => pick(marker)}
              />
            ))}
          </ol>
        )}
      </div>
    </AnswerContext>
  );
}

interface NoteProps {
  /** Of the picked note. */
  id: string | undefined;
  marker: PlacedMarker;
  citation: Citation | undefined;
  /** Whether the other notes are hidden on every screen. */
  isAlone: boolean;
  onPick: () => void;
}

/** The words of a source that a claim cites, and the verdict. On phones, only the picked one is shown. */
function Note({ id, marker: { annotation }, citation, isAlone, onPick }: NoteProps) {
  const verdict = annotation?.verification?.verdict;
  const isPicked = id !== undefined;
  if (!citation || !annotation) {
    return null;
  }
  const quote = annotation.quote;
  const { difference, reason } = explain(annotation);
  return (
    <li
      id={id}
      onPointerEnter={onPick}
      className={cn(
        "grid gap-1.5 rounded-lg border bg-surface p-3.5 transition-shadow",
        isPicked ? "shadow-md" : isAlone ? "hidden" : "max-xl:hidden",
        isPicked && (verdict === "contradicted" ? "border-danger" : "border-control"),
      )}
    >
      <VerdictName verdict={verdict} />
      <blockquote className="font-serif text-[0.9375rem] leading-[1.5] [overflow-wrap:anywhere]">
        {quote ? (
          <>
            “<QuotedWords text={quote.text} difference={difference} />”
          </>
        ) : (
          excerptParts(citation.excerpt, []).map(({ text }) => text)
        )}
      </blockquote>
      {reason && <p className="text-muted text-xs leading-5">{unbroken(reason)}</p>}
      <SourceLink citation={citation} permalink={quote?.permalink ?? null} />
    </li>
  );
}

/** What is wrong: the number, if it's just one. */
function explain({ claim, quote, verification }: UrlCitation["url_citation"]) {
  const difference =
    verification?.verdict === "contradicted" && quote
      ? numberDifference(claim.text, quote.text)
      : null;
  const reason = difference
    ? `The answer says ${difference.claim}, the passage ${difference.quote}.`
    : formatReason(verification?.reason ?? null);
  return { difference, reason };
}

function VerdictName({ verdict }: { verdict: Verdict | undefined }) {
  const { name, color } = verdict ? VERDICT_LABELS[verdict] : CLOSEST;
  return (
    <p className={cn("flex items-center gap-1.5 font-medium text-xs", color)}>
      {verdict && <VerdictMark verdict={verdict} className="size-3.5" />}
      {name}
    </p>
  );
}

function SourceLink({ citation, permalink }: { citation: Citation; permalink: string | null }) {
  const { section } = citation.metadata;
  const lastHeading = typeof section === "string" ? section.split(" › ").at(-1) : null;
  return (
    <Link
      href={sourcePath(citation.document_id, permalink)}
      prefetch={false}
      className="inline-flex min-h-6 min-w-0 items-start gap-1.5 rounded-sm pt-0.5 text-accent text-xs leading-5"
    >
      <FileText aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 underline underline-offset-4">
        {citation.title}
        {lastHeading && lastHeading !== citation.title && `, ${lastHeading}`}
      </span>
    </Link>
  );
}

/** What a reader should see first. */
function worstOf(markers: readonly PlacedMarker[]): PlacedMarker | null {
  const contradicted = markers.find(
    ({ annotation }) => annotation?.verification?.verdict === "contradicted",
  );
  return contradicted ?? markers[0] ?? null;
}
