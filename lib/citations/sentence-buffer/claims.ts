import type { PlacedMarker } from "../markers/output-buffer";
import { spansOf } from "../spans";
import { answerSentences } from "../spans/sentences";
import type { Section } from "./sentence-segmenter";

/** What the markers at one place of an answer stand for. */
export interface HeldClaim {
  /** The words, as an annotation of them has it; "" when no words stand before or behind the markers. */
  text: string;
  /** The sources that the markers name, in their order. */
  ids: number[];
  /** The guard's own markers. */
  markers: PlacedMarker[];
}

/** Reads the claims of the sections of one answer, in their order. */
export class ClaimReader {
  /** The last section that says something. */
  #said = "";

  read({ text, markers, start, isCode }: Section): HeldClaim[] {
    const own = markers.map((marker) => moved(marker, -start));
    const head = this.#said === "" ? 0 : headOf(text, own);
    const parts = [
      { text: text.slice(0, head), from: 0 },
      { text: text.slice(head), from: head },
    ];
    let next = 0;
    const claims = parts
      .flatMap((part) => spansIn(part, own))
      .map((span): HeldClaim => {
        const first = next;
        next += span.markers.length;
        const own = markers.slice(first, next);
        return { text: span.text || this.#lastSentence(), ids: span.ids, markers: own };
      });
    this.#said = !isCode && /\p{L}/u.test(text) ? text : this.#said;
    return claims;
  }

  #lastSentence(): string {
    const last = answerSentences(this.#said, []).at(-1);
    return last ? this.#said.slice(last.start, last.end) : "";
  }
}

/** Markers that stand alone behind code belong to what was said before it: how far they go. */
function headOf(text: string, markers: readonly PlacedMarker[]): number {
  const [first] = markers.length > 0 ? answerSentences(text, markers) : [];
  const begin = first && first.end > 0 ? Math.min(first.start, first.from) : text.length;
  return markers.findLast(({ end }) => end <= begin)?.end ?? 0;
}

function spansIn({ text, from }: { text: string; from: number }, markers: readonly PlacedMarker[]) {
  const own = markers.filter(({ start }) => start >= from && start < from + text.length);
  const placed = own.map((marker) => moved(marker, -from));
  return own.length > 0 ? spansOf(text, placed) : [];
}

function moved({ id, start, end }: PlacedMarker, by: number): PlacedMarker {
  return { id, start: start + by, end: end + by };
}
