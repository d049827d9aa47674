"use client";

import { type PointerEvent, type SyntheticEvent, useEffect, useRef, useState } from "react";
import type { PlacedMarker } from "./places";

const OPEN_AFTER_MS = 80;
/** Long enough to move the pointer from the marker to its card. */
const CLOSE_AFTER_MS = 180;

export interface OpenCard {
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
  const show = (marker: PlacedMarker, anchor: HTMLElement, isPinned = false) =>
    setCard({ marker, anchor, isPinned });
  /** A marker's event handlers. */
  const events = {
    onEnter: (marker: PlacedMarker, { currentTarget, pointerType }: PointerEvent<HTMLElement>) => {
      if (pointerType !== "touch" && !card?.isPinned) {
        timer.start(() => show(marker, currentTarget), card ? 0 : OPEN_AFTER_MS);
      }
    },
    onLeave: () => {
      if (!card?.isPinned) {
        timer.start(() => setCard(null), CLOSE_AFTER_MS);
      }
    },
    onFocus: (marker: PlacedMarker, { currentTarget }: SyntheticEvent<HTMLElement>) => {
      // A press also focuses the marker, and opens the card itself.
      if (currentTarget.matches(":focus-visible") && !isReturning.current) {
        timer.stop();
        show(marker, currentTarget);
      }
    },
    onBlur: () => setCard((open) => (open?.isPinned ? open : null)),
    onPress: (marker: PlacedMarker, { currentTarget }: SyntheticEvent<HTMLElement>) => {
      timer.stop();
      onPress(marker.citationId);
      if (card?.isPinned && card.marker.start === marker.start) {
        setCard(null);
      } else {
        show(marker, currentTarget, true);
      }
    },
  };
  const cardEvents = {
    onClose: () => {
      timer.stop();
      setCard(null);
    },
    /** Returns focus to a marker without reopening its card. */
    onReturnFocus: (marker: HTMLElement) => {
      isReturning.current = true;
      marker.focus({ preventScroll: true });
      isReturning.current = false;
    },
    /** The pointer reached the card in time. */
    onPointerEnter: timer.stop,
    onPointerLeave: events.onLeave,
  };
  return { card, events, cardEvents };
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
