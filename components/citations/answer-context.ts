import {
  createContext,
  type FocusEvent,
  type PointerEvent,
  type SyntheticEvent,
  useContext,
} from "react";
import type { Citation } from "@/lib/citations/schema";
import type { PlacedMarker, Range } from "./places";
import type { Segment } from "./segments";

/** A marker's event handlers. */
export interface MarkerEvents {
  onEnter: (marker: PlacedMarker, event: PointerEvent<HTMLElement>) => void;
  onLeave: () => void;
  onFocus: (marker: PlacedMarker, event: FocusEvent<HTMLElement>) => void;
  onBlur: () => void;
  onPress: (marker: PlacedMarker, event: SyntheticEvent<HTMLElement>) => void;
}

/** State shared by all parts of an answer. */
interface AnswerParts {
  content: string;
  segments: readonly Segment[];
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
    throw new Error("Render this component inside an answer.");
  }
  return parts;
}
