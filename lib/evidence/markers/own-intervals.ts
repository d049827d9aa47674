import { lowestBound, MEASURE_LENGTH } from "@/lib/text/intervals";

const BRACKETS = /\[[\d\s,;‐‑‒–—−-]{3,12}\]/g;
const DASHES = /[‐‑‒–—−]/g;
/** How many characters before an interval must agree, too. */
const CONTEXT = 6;

/**
 * The reference intervals in the sources of an answer: "[40-75]" after "59.6%". An answer that repeats one with the
 * characters before it repeats the source's words. Only bounds that can't be mistaken for a source's number count.
 */
export class OwnIntervals {
  #known: Set<string> | null = null;
  readonly #marks = new Map<string, boolean>();

  constructor(
    private readonly texts: readonly string[],
    private readonly sourceCount: number,
  ) {}

  /** Whether a bracket, with the text before it, is in one of the sources. */
  has(before: string, bracket: string): boolean {
    return (
      lowestBound(before.slice(-MEASURE_LENGTH), bracket) > this.sourceCount &&
      this.#read().has(keyOf(before, bracket))
    );
  }

  /** Whether another system's mark is in one of the sources, such as the raised number of a note. */
  contains(mark: string): boolean {
    const known = this.#marks.get(mark) ?? this.texts.some((text) => text.includes(mark));
    this.#marks.set(mark, known);
    return known;
  }

  #read(): ReadonlySet<string> {
    this.#known ??= new Set(
      this.texts.flatMap((text) =>
        [...text.matchAll(BRACKETS)].map(({ 0: bracket, index }) =>
          keyOf(text.slice(Math.max(0, index - 2 * MEASURE_LENGTH), index), bracket),
        ),
      ),
    );
    return this.#known;
  }
}

/** Blanks and the kind of dash don't matter. */
function keyOf(before: string, bracket: string): string {
  const context = before
    .slice(-2 * MEASURE_LENGTH)
    .replace(/\s+/g, "")
    .slice(-CONTEXT);
  return `${context}${bracket.replace(/\s+/g, "").replace(DASHES, "-")}`;
}
