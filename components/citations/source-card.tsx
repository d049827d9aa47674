"use client";

import { Popover } from "radix-ui";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import type { Citation } from "@/lib/answers/citations/schema";
import { useSelection } from "./citation-scope";
import { QuotedExcerpt } from "./quoted-excerpt";
import { SourceHeading, SourceLinks, SourceWarnings } from "./source";
import type { OpenCard, useSourceCard } from "./use-source-card";
import { VerdictLine } from "./verdict-mark";

type CardEvents = ReturnType<typeof useSourceCard>["cardEvents"];

interface SourceCardProps extends OpenCard, CardEvents {
  id: string;
  citation: Citation;
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
  // Pressing a marker whose card is open focuses the card.
  useEffect(() => {
    if (isPinned) {
      content.current?.focus({ preventScroll: true });
    }
  }, [isPinned]);
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={anchorRef} />
      {/* Inside the frame, whose typefaces it uses. */}
      <Popover.Portal container={anchor.closest<HTMLElement>("[data-frame]")}>
        <Popover.Content
          ref={content}
          id={id}
          tabIndex={-1}
          aria-label={`Source ${rest.marker.citationId}: ${rest.citation.title}`}
          // Below, so that it never covers what stands before the answer.
          side="bottom"
          sideOffset={6}
          collisionBoundary={anchor.closest("main")}
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

interface CardBodyProps extends Pick<OpenCard, "marker"> {
  citation: Citation;
  /** Null when there is no source panel. */
  onReveal: (() => void) | null;
}

function CardBody({ marker, citation, onReveal }: CardBodyProps) {
  const quote = marker.annotation?.quote;
  const judged = marker.annotation?.verification;
  return (
    <>
      <SourceHeading citation={citation} quote={quote} />
      {judged && <VerdictLine judged={judged} />}
      <QuotedExcerpt excerpt={citation.excerpt} quotes={quote ? [quote] : []} />
      <SourceWarnings citation={citation} />
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

function isMarker(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-marker]") !== null;
}
