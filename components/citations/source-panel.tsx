"use client";

import { useEffect, useRef } from "react";
import { Badge } from "@/components/ui/badge";
import type { Citation, SourceQuote, UrlCitation, Verification } from "@/lib/citations/schema";
import { cn } from "@/lib/cn";
import { useSelection } from "./citation-scope";
import { formatCount } from "./labels";
import { QuotedExcerpt } from "./quoted-excerpt";
import { SourceHeading, SourceLinks, SourceWarning, SourceWarnings } from "./source";

interface AnswerSources {
  annotations?: readonly UrlCitation[] | undefined;
  verification?: Verification | undefined;
}

interface SourcePanelProps extends AnswerSources {
  citations: readonly Citation[];
  className?: string;
}

/** The numbered sources of an answer, with citations and quotes. */
export function SourcePanel({ citations, className, ...answer }: SourcePanelProps) {
  const selection = useSelection();
  const selected = selection?.selected ?? null;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    const item = box?.querySelector<HTMLElement>(`[data-source="${selected}"]`);
    if (box && item) {
      box.scrollTo({ top: item.offsetTop - (box.clientHeight - item.offsetHeight) / 2 });
    }
  }, [selected]);
  const cited = citations.map((citation) => isCited(citation, answer.annotations));
  return (
    <section
      aria-label={selection?.name ? `Sources of ${selection.name}` : "Sources"}
      className={cn("flex min-w-0 flex-col gap-2", className)}
    >
      <p className="text-muted text-xs">
        {citations.length === 0
          ? "Retrieval found no passages."
          : formatCount(citations.length, ["source", "sources"])}
        {cited.some((isKnown) => isKnown !== null) && `, ${cited.filter(Boolean).length} cited`}
      </p>
      {citations.length > 0 && (
        <ol
          ref={list}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll a long list.
          tabIndex={0}
          aria-label="Numbered sources"
          className="relative grid min-h-0 content-start gap-2 overflow-y-auto overscroll-contain"
        >
          {citations.map((citation) => (
            <Source key={citation.id} citation={citation} {...answer} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Source({ citation, annotations, verification }: AnswerSources & { citation: Citation }) {
  const { id } = citation;
  const selection = useSelection();
  const isSelected = selection?.selected === id;
  const cited = isCited(citation, annotations);
  const quotes = quotesFrom(annotations ?? [], id);
  const isDisputed = verification?.disagreements.some(({ values }) =>
    values.some(({ citation_id }) => citation_id === id),
  );
  return (
    <li
      id={selection?.elementId(id)}
      data-source={id}
      tabIndex={-1}
      aria-current={isSelected || undefined}
      className={cn(
        "grid min-w-0 gap-2 rounded-md border bg-surface p-3",
        isSelected && "border-accent bg-accent-soft",
      )}
    >
      <SourceHeading citation={citation} className={isSelected ? "text-ink" : undefined}>
        {cited !== null && (
          <Badge tone={cited ? "accent" : "neutral"}>{cited ? "Cited" : "Not cited"}</Badge>
        )}
      </SourceHeading>
      <details open={cited === true || isSelected || undefined}>
        <summary className="min-h-6 w-fit cursor-pointer text-accent text-xs leading-6">
          Passage
        </summary>
        <div className="grid gap-2 pt-1">
          <QuotedExcerpt excerpt={citation.excerpt} quotes={quotes.map(({ text }) => text)} />
          <SourceLinks citation={citation} quote={quotes[0]} />
        </div>
      </details>
      {isDisputed && <SourceWarning>Another cited source gives a different number.</SourceWarning>}
      <SourceWarnings citation={citation} />
    </li>
  );
}

/** The quotes from a source, without duplicates, in document order. */
function quotesFrom(annotations: readonly UrlCitation[], id: number): SourceQuote[] {
  const quotes = annotations.flatMap(({ url_citation: at }) =>
    at.citation_id === id && at.quote ? [at.quote] : [],
  );
  return [...new Map(quotes.map((quote) => [quote.permalink, quote])).values()].toSorted(
    (a, b) => a.char_start - b.char_start,
  );
}

/** Whether the answer cites a source; null until known. */
function isCited(
  { id, metadata }: Citation,
  annotations: readonly UrlCitation[] | undefined,
): boolean | null {
  if (typeof metadata.cited === "boolean") {
    return metadata.cited;
  }
  return annotations?.some(({ url_citation }) => url_citation.citation_id === id) ?? null;
}
