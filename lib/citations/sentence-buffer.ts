import type { PlacedMarker } from "./markers/output-buffer";
import { moved, type Section, SentenceSegmenter } from "./sentence-buffer/sentence-segmenter";
import { Stripper } from "./sentence-buffer/stripper";
import { spansOf } from "./spans";
import { answerSentences } from "./answer-sentences";

/** Says which markers of a sentence's claims to take away; of the markers it was given, by identity. */
export type Decide = (claims: HeldClaim[]) => Promise<ReadonlySet<PlacedMarker>>;

/**
 * Holds a guarded answer back, sentence by sentence, until it is decided which of its markers stay, and lets it
 * out without the others. The text may come in any pieces that end outside of markers, as a guard's do: the
 * text that goes out, its markers and the calls to `decide` are the same. Sentences without markers go out as
 * soon as they are over, code at once. Its time is linear, and little more than 2,000 characters are ever held.
 */
export class SentenceBuffer {
  #reader = new SentenceSegmenter();
  #claims = new ClaimReader();
  #stripper = new Stripper();
  #stripped: { id: number; claim: string }[] = [];

  constructor(private readonly decide: Decide) {}

  /** The markers that are left; their UTF-16 offsets are those of the text that went out. */
  get markers(): readonly PlacedMarker[] {
    return this.#stripper.markers;
  }

  /** The markers that were taken away, each with the words it stood for. */
  get stripped(): readonly { id: number; claim: string }[] {
    return this.#stripped;
  }

  /**
   * Takes the next piece, with all markers the guard has placed so far (UTF-16 offsets of the whole guarded
   * text), and gives what can go out. One call at a time; it fails when `decide` does.
   */
  push(text: string, markers: readonly PlacedMarker[]): Promise<string> {
    return this.#pass(this.#reader.push(text, markers));
  }

  /** Gives all that was held back. */
  end(): Promise<string> {
    return this.#pass(this.#reader.end());
  }

  /** Where sentences end does not depend on what is decided, so all of them are decided at once. */
  async #pass(sections: Section[]): Promise<string> {
    const read = sections.map((section) => ({ section, claims: this.#claims.read(section) }));
    const decided = await Promise.all(
      read.map(async ({ section, claims }) => {
        const taken = claims.length > 0 ? await this.decide(claims) : new Set<PlacedMarker>();
        return { section, claims, taken };
      }),
    );
    return decided.map((each) => this.#letOut(each)).join("");
  }

  #letOut({ section, claims, taken }: Decided): string {
    for (const { text, markers } of claims) {
      const gone = markers.filter((marker) => taken.has(marker));
      this.#stripped.push(...gone.map(({ id }) => ({ id, claim: text })));
    }
    return this.#stripper.pass(section, taken);
  }
}

interface Decided {
  section: Section;
  claims: HeldClaim[];
  taken: ReadonlySet<PlacedMarker>;
}

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
class ClaimReader {
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
