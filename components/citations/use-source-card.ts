"use client";

import { useEffect, useRef, useState } from "react";
import type { MarkerEvents } from "./answer-context";
import type { PlacedMarker } from "./places";

const OPEN_AFTER_MS = 80;
/** Long enough to move the pointer from the marker to its card. */
const CLOSE_AFTER_MS = 180;

interface OpenCard {
  marker: PlacedMarker;
  anchor: HTMLElement;
  /** Pressed: the card has focus and stays open until closed. */
  isPinned: boolean;
}

/**
 * Which marker's card is open. Hovering over a marker or focusing it shows the card without moving focus;
 * pressing it (tap, Enter, Space) moves focus into the card, and Escape moves it back.
 */
export function useSourceCard(onPress: (citationId: number) => void) {
  const [card, setCard] = useState<OpenCard | null>(null);
  const timer = useTimer();
  const isReturning = useRef(false);
  const events: MarkerEvents = {
    onEnter: (marker, { currentTarget, pointerType }) => {
      if (pointerType !== "touch" && !card?.isPinned) {
        timer.start(
          () => setCard({ marker, anchor: currentTarget, isPinned: false }),
          card ? 0 : OPEN_AFTER_MS,
        );
      }
    },
    onLeave: () => {
      if (!card?.isPinned) {
        timer.start(() => setCard(null), CLOSE_AFTER_MS);
      }
    },
    onFocus: (marker, { currentTarget }) => {
      // A press also focuses the marker, and opens the card itself.
      if (currentTarget.matches(":focus-visible") && !isReturning.current) {
        timer.stop();
        setCard({ marker, anchor: currentTarget, isPinned: false });
      }
    },
    onBlur: () => setCard((open) => (open?.isPinned ? open : null)),
    onPress: (marker, { currentTarget }) => {
      timer.stop();
      onPress(marker.citationId);
      const isAgain = card?.isPinned && card.marker.start === marker.start;
      setCard(isAgain ? null : { marker, anchor: currentTarget, isPinned: true });
    },
  };
  return {
    card,
    events,
    close: () => {
      timer.stop();
      setCard(null);
    },
    /** Returns focus to a marker without reopening its card. */
    returnFocus: (marker: HTMLElement) => {
      isReturning.current = true;
      marker.focus({ preventScroll: true });
      isReturning.current = false;
    },
    /** The pointer reached the card in time. */
    keep: timer.stop,
    leave: events.onLeave,
  };
}

/** One timer, cleared on unmount. */
function useTimer() {
  const running = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(running.current), []);
  return {
    start: (work: () => void, ms: number) => {
      clearTimeout(running.current);
      running.current = setTimeout(work, ms);
    },
    stop: () => clearTimeout(running.current),
  };
}
