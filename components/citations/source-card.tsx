"use client";

import { Popover } from "radix-ui";
import { type RefObject, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import type { Citation } from "@/lib/citations/schema";
import { useSelection } from "./citation-scope";
import { formatWarning } from "./labels";
import type { PlacedMarker } from "./places";
import { QuotedExcerpt } from "./quoted-excerpt";
import { formatPlace, warningsOf } from "./source";
import { SourceLinks } from "./source-links";
import { VerdictLine } from "./verdict-mark";

interface SourceCardProps {
  id: string;
  marker: PlacedMarker;
  citation: Citation;
  anchor: HTMLElement;
  isPinned: boolean;
  onClose: () => void;
  onReturnFocus: (marker: HTMLElement) => void;
  onPointerEnter: () => void;
  onPointerLeave: () => void;
}

/** A marker's source, shown beside it. */
export function SourceCard(props: SourceCardProps) {
  const { id, anchor, isPinned, onClose, onReturnFocus, ...rest } = props;
  const anchorRef = useRef(anchor);
  anchorRef.current = anchor;
  const content = useRef<HTMLDivElement>(null);
  const selection = useSelection();
  const isRevealing = useRef(false);
  const reveal = () => {
    // Focus moves to the source after the card closes.
    isRevealing.current = true;
    onClose();
  };
  useFocusWhenPinned(content, isPinned);
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={anchorRef} />
      <Popover.Portal>
        <Popover.Content
          ref={content}
          id={id}
          tabIndex={-1}
          aria-label={`Source ${rest.marker.citationId}: ${rest.citation.title}`}
          side="top"
          sideOffset={6}
          collisionPadding={16}
          hideWhenDetached
          className="z-40 grid max-h-(--radix-popover-content-available-height) w-[min(24rem,calc(100vw-2rem))] animate-appear gap-3 overflow-y-auto rounded-lg border bg-raised p-4 text-ink text-sm shadow-lg"
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (isPinned) {
              content.current?.focus({ preventScroll: true });
            }
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (isRevealing.current) {
              selection?.reveal(rest.citation.id);
            } else if (isPinned) {
              onReturnFocus(anchorRef.current);
            }
          }}
          // Another marker opens its own card through its own events.
          onInteractOutside={(event) => isMarker(event.target) && event.preventDefault()}
          onPointerEnter={rest.onPointerEnter}
          onPointerLeave={rest.onPointerLeave}
        >
          <CardBody marker={rest.marker} citation={rest.citation} onReveal={selection && reveal} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface CardBodyProps {
  marker: PlacedMarker;
  citation: Citation;
  /** Null when there is no source panel. */
  onReveal: (() => void) | null;
}

function CardBody({ marker, citation, onReveal }: CardBodyProps) {
  const quote = marker.annotation?.quote;
  const judged = marker.annotation?.verification;
  return (
    <>
      <div className="grid gap-0.5">
        <p className="break-words font-medium">
          <span className="mr-1.5 font-mono text-accent text-xs">[{citation.id}]</span>
          {citation.title}
        </p>
        <p className="text-muted text-xs">{formatPlace(citation, quote)}</p>
      </div>
      {judged && <VerdictLine judged={judged} />}
      <QuotedExcerpt excerpt={citation.excerpt} quotes={quote ? [quote.text] : []} />
      {warningsOf(citation).map((code) => (
        <p key={code} className="rounded-md bg-warning-soft px-2 py-1 text-warning text-xs">
          {formatWarning(code)}
        </p>
      ))}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SourceLinks citation={citation} quote={quote} />
        {onReveal && (
          <Button size="sm" onClick={onReveal}>
            Show in sources
          </Button>
        )}
      </div>
    </>
  );
}

/** Pressing a marker whose card is open focuses the card. */
function useFocusWhenPinned(content: RefObject<HTMLDivElement | null>, isPinned: boolean): void {
  useEffect(() => {
    if (isPinned) {
      content.current?.focus({ preventScroll: true });
    }
  }, [content, isPinned]);
}

function isMarker(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-marker]") !== null;
}
