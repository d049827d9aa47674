import { yieldIfLong } from "@/lib/event-loop";
import type { PlacedMarker } from "../markers/output-buffer";
import { answerSentences } from "./answer-sentences";
import { type Section, SentenceSegmenter, shiftMarker } from "./sentence-buffer/sentence-segmenter";
import { Stripper } from "./sentence-buffer/stripper";
import { readSpans } from "./spans";

/** Decides which of a sentence's markers to remove, by identity. */
export type Decide = (claims: BufferedClaim[]) => Promise<ReadonlySet<PlacedMarker>>;

/**
 * Buffers a normalized answer sentence by sentence until it is decided which markers stay, then writes it
 * without the others. Pieces may be split anywhere outside of markers; output, markers and calls to `decide`
 * don't depend on it. Sentences without markers are released when they end, code at once. Runs in linear time
 * and buffers little more than 2,000 characters.
 */
export class SentenceBuffer {
  #segmenter = new SentenceSegmenter();
  #lastText = "";
  #stripper = new Stripper();
  readonly stripped: { id: number; claim: string }[] = [];

  constructor(private readonly decide: Decide) {}

  /** The remaining markers, as UTF-16 offsets into the output. */
  get markers(): readonly PlacedMarker[] {
    return this.#stripper.markers;
  }

  /**
   * Adds the next piece and returns the text that is ready. `markers` are all markers placed so far, as UTF-16
   * offsets into the whole normalized text. Calls must not overlap. Rejects when `decide` does.
   */
  push(text: string, markers: readonly PlacedMarker[]): Promise<string> {
    return this.#release(this.#segmenter.push(text, markers));
  }

  end(): Promise<string> {
    return this.#release(this.#segmenter.end());
  }

  /** Boundaries don't depend on the decisions, so all sections are decided concurrently. */
  async #release(sections: Section[]): Promise<string> {
    const read: { section: Section; claims: BufferedClaim[] }[] = [];
    for (const section of sections) {
      await yieldIfLong();
      read.push({ section, claims: this.#readClaims(section) });
    }
    const decided = await Promise.all(
      read.map(async ({ section, claims }) => {
        const removed = claims.length > 0 ? await this.decide(claims) : new Set<PlacedMarker>();
        return { section, claims, removed };
      }),
    );
    return decided
      .map(({ section, claims, removed }) => {
        for (const { text, markers } of claims) {
          const stripped = markers.filter((marker) => removed.has(marker));
          this.stripped.push(...stripped.map(({ id }) => ({ id, claim: text })));
        }
        return this.#stripper.write(section, removed);
      })
      .join("");
  }

  #readClaims({ text, markers, start, isCode }: Section): BufferedClaim[] {
    const own = markers.map((marker) => shiftMarker(marker, -start));
    const head = this.#lastText === "" ? 0 : headOf(text, own);
    const spans = [
      ...spansIn(text.slice(0, head), own, 0),
      ...spansIn(text.slice(head), own, head),
    ];
    let next = 0;
    const claims = spans.map((span): BufferedClaim => {
      const first = next;
      next += span.markers.length;
      const claim = span.text || this.#lastSentence();
      return { text: claim, ids: span.ids, markers: markers.slice(first, next) };
    });
    this.#lastText = !isCode && /\p{L}/u.test(text) ? text : this.#lastText;
    return claims;
  }

  #lastSentence(): string {
    const last = answerSentences(this.#lastText, []).at(-1);
    return last ? this.#lastText.slice(last.start, last.end) : "";
  }
}

export interface BufferedClaim {
  /** The claim as an annotation shows it; "" if there is no text before or after the markers. */
  text: string;
  ids: number[];
  /** The normalizer's own objects. */
  markers: PlacedMarker[];
}

/** The end of the markers that follow code and cite the sentence before it. */
function headOf(text: string, markers: readonly PlacedMarker[]): number {
  const [first] = markers.length > 0 ? answerSentences(text, markers) : [];
  const begin = first && first.end > 0 ? Math.min(first.start, first.from) : text.length;
  return markers.findLast(({ end }) => end <= begin)?.end ?? 0;
}

function spansIn(text: string, markers: readonly PlacedMarker[], from: number) {
  const own = markers.filter(({ start }) => start >= from && start < from + text.length);
  const placed = own.map((marker) => shiftMarker(marker, -from));
  return own.length > 0 ? readSpans(text, placed).spans : [];
}
