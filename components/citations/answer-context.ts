import {
  createContext,
  type FocusEvent,
  type PointerEvent,
  type SyntheticEvent,
  useContext,
} from "react";
import type { Citation } from "@/lib/citations/schema";
import type { PlacedMarker, Range } from "./places";
import type { Stretch } from "./segments";

/** What a marker does when it is pointed at, focused or pressed. */
export interface MarkerEvents {
  onEnter: (marker: PlacedMarker, event: PointerEvent<HTMLElement>) => void;
  onLeave: () => void;
  onFocus: (marker: PlacedMarker, event: FocusEvent<HTMLElement>) => void;
  onBlur: () => void;
  onPress: (marker: PlacedMarker, event: SyntheticEvent<HTMLElement>) => void;
}

/** What every part of one answer knows. */
interface AnswerParts {
  content: string;
  stretches: readonly Stretch[];
  citations: ReadonlyMap<number, Citation>;
  /** The marker whose card is open. */
  open: PlacedMarker | null;
  /** The claim that marker cites. */
  active: Range | null;
  cardId: string;
  events: MarkerEvents;
}

export const AnswerContext = createContext<AnswerParts | null>(null);

export function useAnswer(): AnswerParts {
  const parts = useContext(AnswerContext);
  if (!parts) {
    throw new Error("This part of an answer stands outside of one.");
  }
  return parts;
}
