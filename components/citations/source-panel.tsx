"use client";

import { type RefObject, useEffect, useRef } from "react";
import { Badge } from "@/components/ui/badge";
import type { Citation, SourceQuote, UrlCitation, Verification } from "@/lib/citations/schema";
import { cn } from "@/lib/cn";
import { useSelection } from "./citation-scope";
import { formatCount, formatWarning } from "./labels";
import { QuotedExcerpt } from "./quoted-excerpt";
import { formatPlace, isCited, quotesBySource, warningsOf } from "./source";
import { SourceLinks } from "./source-links";

interface SourcePanelProps {
  citations: readonly Citation[];
  annotations?: readonly UrlCitation[] | undefined;
  verification?: Verification | undefined;
  className?: string;
}

/** The numbered sources of an answer, with citations and quotes. */
export function SourcePanel({ citations, annotations, className, ...props }: SourcePanelProps) {
  const selection = useSelection();
  const list = useRef<HTMLOListElement>(null);
  useScrollTo(list, selection?.selected ?? null);
  const quotes = quotesBySource(annotations ?? []);
  const disputed = disputedIds(props.verification);
  const cited = citations.filter((citation) => isCited(citation, annotations));
  const isKnown = citations.some((citation) => isCited(citation, annotations) !== null);
  return (
    <section
      aria-label={selection?.name ? `Sources of ${selection.name}` : "Sources"}
      className={cn("flex min-w-0 flex-col gap-2", className)}
    >
      <p className="text-muted text-xs">
        {citations.length === 0
          ? "Retrieval found no passages."
          : formatCount(citations.length, ["source", "sources"])}
        {isKnown && `, ${cited.length} cited`}
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
            <Source
              key={citation.id}
              citation={citation}
              quotes={quotes.get(citation.id) ?? []}
              cited={isCited(citation, annotations)}
              isDisputed={disputed.has(citation.id)}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

interface SourceProps {
  citation: Citation;
  quotes: SourceQuote[];
  /** Null until known. */
  cited: boolean | null;
  isDisputed: boolean;
}

function Source({ citation, quotes, cited, isDisputed }: SourceProps) {
  const selection = useSelection();
  const isSelected = selection?.selected === citation.id;
  return (
    <li
      id={selection?.elementId(citation.id)}
      data-source={citation.id}
      tabIndex={-1}
      aria-current={isSelected || undefined}
      className={cn(
        "grid min-w-0 gap-2 rounded-md border bg-surface p-3",
        isSelected && "border-accent bg-accent-soft",
      )}
    >
      <div className="grid gap-0.5">
        <div className="flex items-start justify-between gap-2">
          <p className="min-w-0 break-words font-medium">
            <span className="mr-1.5 font-mono text-accent text-xs">[{citation.id}]</span>
            {citation.title}
          </p>
          {cited !== null && (
            <Badge tone={cited ? "accent" : "neutral"}>{cited ? "Cited" : "Not cited"}</Badge>
          )}
        </div>
        <p className={cn("text-xs", isSelected ? "text-ink" : "text-muted")}>
          {formatPlace(citation)}
        </p>
      </div>
      <details open={cited === true || isSelected || undefined}>
        <summary className="min-h-6 w-fit cursor-pointer text-accent text-xs leading-6">
          Passage
        </summary>
        <div className="grid gap-2 pt-1">
          <QuotedExcerpt excerpt={citation.excerpt} quotes={quotes.map(({ text }) => text)} />
          <SourceLinks citation={citation} quote={quotes[0]} />
        </div>
      </details>
      {isDisputed && (
        <p className="rounded-md bg-warning-soft px-2 py-1 text-warning text-xs">
          Another cited source gives a different number.
        </p>
      )}
      {warningsOf(citation).map((code) => (
        <p key={code} className="rounded-md bg-warning-soft px-2 py-1 text-warning text-xs">
          {formatWarning(code)}
        </p>
      ))}
    </li>
  );
}

function disputedIds(verification: Verification | undefined): ReadonlySet<number> {
  const values = verification?.disagreements.flatMap((disagreement) => disagreement.values) ?? [];
  return new Set(values.map(({ citation_id }) => citation_id));
}

/** Scrolls the selected source into view within the list. */
function useScrollTo(list: RefObject<HTMLOListElement | null>, selected: number | null): void {
  useEffect(() => {
    const box = list.current;
    const item = box?.querySelector<HTMLElement>(`[data-source="${selected}"]`);
    if (box && item) {
      box.scrollTo({ top: item.offsetTop - (box.clientHeight - item.offsetHeight) / 2 });
    }
  }, [list, selected]);
}
