"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Citation } from "@/lib/answers/citations/schema";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format-count";
import { type AnswerSources, closestPassage, isCited, quotesFrom } from "./answer-sources";
import { useSelection } from "./citation-scope";
import { QuotedExcerpt } from "./quoted-excerpt";
import { SourceHeading, SourceLinks, SourceWarning, SourceWarnings } from "./source";

interface SourcePanelProps extends AnswerSources {
  citations: readonly Citation[];
  className?: string;
}

/** The numbered sources of an answer: cited ones open, and the others folded once it is known which they are. */
export function SourcePanel({ citations, className, ...answer }: SourcePanelProps) {
  const selection = useSelection();
  const selected = selection?.selected ?? null;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const item = box.current?.querySelector<HTMLElement>(`[data-source="${selected}"]`);
    if (box.current && item) {
      const { clientHeight } = box.current;
      box.current.scrollTo({ top: item.offsetTop - (clientHeight - item.offsetHeight) / 2 });
    }
  }, [selected]);
  const hasNoAnswer = closestPassage({ citations, ...answer }) !== null;
  const isFolded = (citation: Citation) =>
    hasNoAnswer || isCited(citation, answer.annotations) === false;
  const folded = citations.filter(isFolded);
  const shown = citations.filter((citation) => !isFolded(citation));
  const sources = (list: readonly Citation[]) =>
    list.map((citation) => <Source key={citation.id} citation={citation} {...answer} />);
  return (
    <section
      aria-label={selection?.name ? `Sources of ${selection.name}` : "Sources"}
      className={cn("flex min-w-0 flex-col gap-2", className)}
    >
      <p className="text-muted text-xs">
        {formatFound(
          citations.length,
          citations.map((citation) => isCited(citation, answer.annotations)),
        )}
      </p>
      {citations.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form.
        <div
          ref={box}
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll a long list.
          tabIndex={0}
          aria-label="Numbered sources"
          className="scroll-fade-y relative grid min-h-0 content-start gap-2 overflow-y-auto outline-offset-[-2px] [scrollbar-width:thin] print:overflow-visible"
        >
          {shown.length > 0 && <ol className="grid gap-2">{sources(shown)}</ol>}
          {folded.length > 0 && (
            <Folded
              label={formatFolded(folded.length, shown.length)}
              isSelected={folded.some(({ id }) => id === selected)}
            >
              {sources(folded)}
            </Folded>
          )}
        </div>
      )}
    </section>
  );
}

function formatFound(count: number, cited: readonly (boolean | null)[]): string {
  if (count === 0) {
    return "The answer has no sources.";
  }
  const found = formatCount(count, "source");
  return cited.some((isKnown) => isKnown !== null)
    ? `${found}, ${cited.filter(Boolean).length} cited`
    : found;
}

function formatFolded(count: number, shown: number): string {
  const passages = count === 1 ? "passage was" : "passages were";
  return `${count} ${shown > 0 ? "more " : ""}${passages} searched`;
}

interface FoldedProps {
  label: string;
  /** Whether it contains the selected source, which is then shown. */
  isSelected: boolean;
  children: ReactNode;
}

function Folded({ label, isSelected, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen || isSelected}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-md border border-dashed px-3 py-1.5 open:pb-3"
    >
      <summary className="min-h-6 cursor-pointer text-muted text-xs leading-6 hover:text-ink">
        {label}
      </summary>
      <ol className="grid gap-2 pt-2">{children}</ol>
    </details>
  );
}

function Source({ citation, annotations, verification }: AnswerSources & { citation: Citation }) {
  const { id } = citation;
  const selection = useSelection();
  const isSelected = selection?.selected === id;
  const isOpen = isSelected || isCited(citation, annotations) === true;
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
      <SourceHeading citation={citation} className={isSelected ? "text-ink" : undefined} />
      <details open={isOpen || undefined}>
        <summary className="min-h-6 w-fit cursor-pointer text-accent text-xs leading-6">
          Passage
        </summary>
        <div className="grid gap-2 pt-1">
          <QuotedExcerpt excerpt={citation.excerpt} quotes={quotes} />
          <SourceLinks citation={citation} quote={quotes[0]} />
        </div>
      </details>
      {isDisputed && <SourceWarning>Another cited source gives a different number.</SourceWarning>}
      <SourceWarnings citation={citation} />
    </li>
  );
}
