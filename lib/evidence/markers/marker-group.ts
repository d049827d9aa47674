import type { Marker, Separator } from "./parse-marker";

export interface MarkerCounts {
  kept: number;
  /** Markers that were rewritten, or lost the brackets around them. */
  repaired: number;
  /** How often each number occurred that no source has. */
  dropped: Map<number, number>;
  /** Brackets that look like markers and were left as they are, and where the last of them is. */
  unknown: { count: number; last: number };
}

interface OpenBracket {
  opener: string;
  /** The separator before it, as written. */
  lead: string;
  /** Where its content begins in `pending`. */
  start: number;
  before: string;
  last: number | null;
}

const MAX_RANGE = 50;
/** Brackets nested deeper than this are treated as text. */
export const MAX_BRACKET_DEPTH = 4;
/** Brackets around more characters than this are treated as text, which bounds the buffer. */
const MAX_PENDING = 32;

/** Consecutive markers, and brackets around nothing else. Those are dropped when they close. */
export class MarkerGroup {
  /** The content of open brackets. */
  pending = "";
  /** Whether any marker was kept, including ones already taken. */
  hasKept = false;
  /** The last number dropped since a marker was kept or a bracket opened. */
  dropped: number | null = null;
  #brackets: OpenBracket[] = [];
  #last: number | null = null;

  /** Not `isClaim`: after a sentence that says that the sources don't answer, markers are removed. */
  constructor(
    private readonly place: { sourceCount: number; isClaim: boolean },
    private readonly count: MarkerCounts,
    /** The blanks before the markers, until they are written. */
    public lead: string,
  ) {}

  get depth(): number {
    return this.#brackets.length;
  }

  /** Whether each of its numbers is a source's. */
  hasSources({ ranges }: Marker): boolean {
    return ranges.flat().every((number) => this.#isSource(number));
  }

  #isSource(number: number): boolean {
    return number >= 1 && number <= this.place.sourceCount;
  }

  /** Counts what looks like a marker and is left, once however often it is read. */
  countUnknown(at: number): void {
    const { unknown } = this.count;
    unknown.count += at > unknown.last ? 1 : 0;
    unknown.last = Math.max(at, unknown.last);
  }

  /** Returns the text that no open bracket holds back. */
  takeReady(): string {
    if (this.pending.length > MAX_PENDING) {
      this.#brackets = [];
    }
    if (this.#brackets.length > 0) {
      return "";
    }
    const text = this.pending;
    this.pending = "";
    return text;
  }

  /** Treats open brackets as text and returns everything. */
  release(): string {
    this.#brackets = [];
    return this.takeReady();
  }

  open(opener: string, separator: string): void {
    const before = this.pending;
    const lead = this.hasKept || before !== "" ? separator : "";
    this.pending += lead + opener;
    this.#brackets.push({ opener, lead, start: this.pending.length, before, last: this.#last });
    this.dropped = null;
    this.#last = null;
  }

  /** Closes the innermost bracket if this is its closer, and drops it from the output. */
  close(closer: string): boolean {
    const bracket = this.#brackets.at(-1);
    if (!bracket || closer !== (bracket.opener === "(" ? ")" : "]")) {
      return false;
    }
    this.#brackets.pop();
    const content = this.pending.slice(bracket.start);
    const lead = content && /\p{L}|&/u.test(bracket.lead) ? bracket.lead : "";
    this.pending = bracket.before + lead + content;
    this.count.repaired += content ? 1 : 0;
    this.#last = content ? this.#last : bracket.last;
    return true;
  }

  /** A dash is only a range separator when the number after it is greater than the one before. */
  canJoin(unit: Marker | { opener: string }, separator: Separator): boolean {
    if ("opener" in unit) {
      return true;
    }
    const first = unit.ranges[0]?.[0];
    return first !== undefined && (!separator.isRange || first > (this.#last ?? first));
  }

  add(marker: Marker, separator: Separator | null, separatorText: string): void {
    const [first, ...others] = marker.ranges;
    const ranges: Marker["ranges"] =
      separator?.isRange && first && this.#last !== null
        ? [[this.#last + 1, Math.max(...first)], ...others]
        : marker.ranges;
    const kept = ranges.flatMap(([from, to]) => this.#expand(from, to));
    const last = kept.at(-1);
    if (last === undefined) {
      return;
    }
    this.count.kept += kept.length;
    this.count.repaired += marker.isPlain && (separator === null || separator.hasWord) ? 0 : 1;
    const start = this.#brackets.at(-1)?.start;
    const isNext = this.hasKept && (start === undefined || this.pending.length > start);
    this.pending +=
      (isNext && separator?.hasWord ? separatorText : "") + kept.map((id) => `[${id}]`).join("");
    this.hasKept = true;
    this.dropped = null;
    this.#last = last;
  }

  /** Expands a range to its sources and counts the numbers that no source has. */
  #expand(first: number, end: number): number[] {
    if (end < first) {
      return [...this.#expand(first, first), ...this.#expand(end, end)];
    }
    const numbers: number[] = [];
    for (let number = first; number <= end && number - first < MAX_RANGE; number += 1) {
      if (this.#isSource(number)) {
        if (this.place.isClaim) {
          numbers.push(number);
        } else {
          this.dropped = number;
        }
      } else {
        this.count.dropped.set(number, (this.count.dropped.get(number) ?? 0) + 1);
        this.dropped = number;
      }
    }
    return numbers;
  }
}
