import type { Range } from "@/lib/text/sentences";
import type { PlacedMarker } from "../markers/output-buffer";
import { answerSentences, mayBeClaim } from "./answer-sentences";
import { type Section, SentenceSegmenter, shiftMarker } from "./sentence-buffer/sentence-segmenter";

/** The number of the source that a sentence is clearly from; null if none is. */
export type FindSource = (sentence: string) => Promise<number | null>;

/** What may end a sentence: a marker goes before it. A point between digits doesn't. */
const END = /(?<!\d)\.|\.(?!\d)|[!?…。！？؟।\n]/u;
const CLOSING_POINTS = /[.!…。！।]+$/u;
/** What comes before the first word of a line. */
const LEAD = /^\s*(?:\d{1,3}[.)]\s+)?/;
/** A beginning that no sentence has. */
const DATA = /^\s*[[{]/;
/** Longer sentences are cut anywhere. */
const MAX_LENGTH = 1000;
const MAX_SENTENCES = 100;

/**
 * Adds markers to the sentences of an answer whose source is clear, up to the first marker that its model wrote. Text goes
 * on at once, except what follows a possible end of a sentence. The result doesn't depend on how the text was split.
 */
export class Attributor {
  readonly #segmenter = new SentenceSegmenter();
  readonly #added: PlacedMarker[] = [];
  #own: readonly PlacedMarker[] = [];
  #placed: PlacedMarker[] = [];
  /** Text that isn't in a section yet, and how much of it has been written. */
  #pending = "";
  #written = 0;
  #length = 0;
  #sentences = 0;
  #isOver = false;

  constructor(private readonly findSource: FindSource) {}

  /** All markers so far, as UTF-16 offsets into the output. */
  get markers(): readonly PlacedMarker[] {
    const by = this.#added.reduce((sum, { start, end }) => sum + end - start + 1, 0);
    const released = this.#isOver ? Number.POSITIVE_INFINITY : this.#length - by;
    for (const marker of this.#own.slice(this.#placed.length)) {
      if (marker.end <= released) {
        this.#placed.push(shiftMarker(marker, by));
      }
    }
    return [...this.#added, ...this.#placed];
  }

  /** Adds the next piece and returns the text that is ready. `markers` are all of the model's so far. Calls must not overlap. */
  async push(text: string, markers: readonly PlacedMarker[]): Promise<string> {
    this.#own = markers;
    if (this.#isOver) {
      return text;
    }
    this.#pending += text;
    this.#isOver = DATA.test(this.#pending);
    const written = this.#isOver ? "" : await this.#write(this.#segmenter.push(text, markers));
    return written + this.#release(this.#isOver ? this.#pending.length : this.#safeLength());
  }

  async end(): Promise<string> {
    if (this.#isOver) {
      return "";
    }
    const written = await this.#write(this.#segmenter.end());
    return written + this.#release(this.#pending.length);
  }

  async #write(sections: readonly Section[]): Promise<string> {
    let output = "";
    for (const section of sections) {
      for (const { at, id } of this.#isOver ? [] : await this.#sourcesIn(section)) {
        output += this.#release(at);
        const start = this.#length + 1;
        const end = start + `[${id}]`.length;
        this.#added.push({ id, start, end, isAdded: true });
        this.#length = end;
        output += ` [${id}]`;
      }
      const { length } = section.text;
      output += this.#release(length);
      this.#pending = this.#pending.slice(length);
      this.#written = Math.max(0, this.#written - length);
    }
    return output;
  }

  async #sourcesIn({ text, markers, start, isCode }: Section) {
    const own = markers.map((marker) => shiftMarker(marker, -start));
    const claims = isCode || text.length > MAX_LENGTH ? [] : claimsBefore(own, text);
    const sources: { at: number; id: number }[] = [];
    for (const claim of claims.slice(0, MAX_SENTENCES - this.#sentences)) {
      const sentence = text.slice(claim.start, claim.end);
      const id = await this.findSource(sentence);
      if (id !== null) {
        sources.push({ at: claim.start + sentence.replace(CLOSING_POINTS, "").length, id });
      }
    }
    this.#sentences += claims.length;
    this.#isOver = own.length > 0 || this.#sentences >= MAX_SENTENCES;
    return sources;
  }

  #release(to: number): string {
    const text = this.#pending.slice(this.#written, to);
    this.#written = Math.max(this.#written, to);
    this.#length += text.length;
    return text;
  }

  /** Up to where no marker can be added any more. */
  #safeLength(): number {
    const lead = LEAD.exec(this.#pending)?.[0].length ?? 0;
    const [text = ""] = this.#pending.slice(lead).split(END, 1);
    return lead + text.trimEnd().length;
  }
}

/** The sentences before the first marker that may be claims. */
function claimsBefore(markers: readonly PlacedMarker[], text: string): Range[] {
  const sentences = answerSentences(text, markers);
  const first = markers[0]?.start ?? text.length;
  return sentences.filter((sentence, index) => {
    const isBefore = (sentences[index + 1]?.from ?? text.length) <= first;
    return isBefore && mayBeClaim(text, sentence);
  });
}
