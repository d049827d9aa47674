"use client";

import type { Citation } from "@/lib/answers/citations/schema";
import { type AnswerSources, closestPassage, quotesFrom } from "./answer-sources";
import { QuotedExcerpt } from "./quoted-excerpt";
import { SourceHeading, SourceLinks, SourceWarnings } from "./source";

interface ClosestPassageProps extends AnswerSources {
  citations: readonly Citation[];
}

/** The passage that comes closest to a question that the answer doesn't address; nothing for any other answer. */
export function ClosestPassage(answer: ClosestPassageProps) {
  const closest = closestPassage(answer);
  if (!closest) {
    return null;
  }
  const quotes = quotesFrom(answer.annotations ?? [], closest.id);
  return (
    <section aria-label="Closest passage" className="grid gap-2 rounded-md border bg-surface p-3">
      <p className="text-muted text-xs">Closest passage found</p>
      <SourceHeading citation={closest} />
      <QuotedExcerpt excerpt={closest.excerpt} quotes={quotes} />
      <SourceLinks citation={closest} quote={quotes[0]} />
      <SourceWarnings citation={closest} />
    </section>
  );
}
