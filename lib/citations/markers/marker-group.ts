import type { Marker, Separator } from "./parse-marker";

/** What a guard found, over the whole text. */
export interface MarkerReport {
  /** Numbers left out because no source has them, ascending, each with how often it stood in the text. */
  dropped: { number: number; count: number }[];
  /** Markers written in another form than they came, or without brackets around them. */
  repaired: number;
  /** Markers in the text that goes out. */
  kept: number;
}

/** Counts while the text passes. */
export class MarkerCount {
  kept = 0;
  repaired = 0;
  readonly dropped = new Map<number, number>();

  report(): MarkerReport {
    const dropped = [...this.dropped].map(([number, count]) => ({ number, count }));
    return {
      dropped: dropped.sort((one, other) => one.number - other.number),
      repaired: this.repaired,
      kept: this.kept,
    };
  }
}

interface Wrap {
  opener: string;
  /** The joint before it, as it came. */
  lead: string;
  /** Where in what is held its content begins. */
  start: number;
  /** What is held before it. */
  before: string;
  /** The last number kept before it. */
  last: number | null;
}

/** No range is written out longer. */
const LONGEST_RANGE = 50;
/** Around markers, deeper brackets than these are text. */
export const MOST_WRAPS = 4;
/** Brackets around more than this are text, so that little is ever held back. */
const MOST_HELD = 32;

/**
 * Markers that follow each other, and the brackets around nothing but them, which are left out once they
 * close. What is decided can be taken at any time; `held` is what waits for a closing bracket.
 */
export class MarkerGroup {
  held = "";
  /** Whether anything was kept, here or in what was taken. */
  hasKept = false;
  /** The last number left out since anything was kept or opened. */
  dropped: number | null = null;
  #wraps: Wrap[] = [];
  #seen = new Set<number>();
  #last: number | null = null;

  constructor(
    private readonly sourceCount: number,
    private readonly count: MarkerCount,
  ) {}

  get depth(): number {
    return this.#wraps.length;
  }

  /** What may go out now. */
  take(): string {
    if (this.held.length > MOST_HELD) {
      this.#wraps = [];
    }
    if (this.#wraps.length > 0) {
      return "";
    }
    const text = this.held;
    this.held = "";
    return text;
  }

  /** What waited for brackets that do not close. */
  release(): string {
    this.#wraps = [];
    return this.take();
  }

  open(opener: string, lead: string): void {
    const before = this.held;
    const joint = this.hasKept || before !== "" ? lead : "";
    this.held += joint + opener;
    this.#wraps.push({ opener, lead: joint, start: this.held.length, before, last: this.#last });
    this.dropped = null;
    this.#last = null;
  }

  /** Whether this closes the innermost bracket; its content stays without it. */
  close(closer: string): boolean {
    const wrap = this.#wraps.at(-1);
    if (!wrap || closer !== (wrap.opener === "(" ? ")" : "]")) {
      return false;
    }
    this.#wraps.pop();
    const content = this.held.slice(wrap.start);
    this.held = wrap.before + (content && (/\p{L}|&/u.test(wrap.lead) ? wrap.lead : "") + content);
    this.count.repaired += content ? 1 : 0;
    this.#last = content ? this.#last : wrap.last;
    return true;
  }

  /** Whether a joint before this marker can be what it looks like: a range goes up from the number before. */
  canJoin(marker: Marker, joint: Separator): boolean {
    const first = marker.ranges[0]?.[0] ?? 0;
    return !joint.isRange || (this.#last !== null && first > this.#last);
  }

  add(marker: Marker, joint: Separator | null, jointText: string): void {
    const numbers = this.#rangesOf(marker, joint).flatMap(([from, to]) => this.#expand(from, to));
    const kept = [...new Set(numbers)].filter((number) => !this.#seen.has(number));
    const last = kept.at(-1);
    if (last === undefined) {
      return;
    }
    for (const number of kept) {
      this.#seen.add(number);
    }
    this.count.kept += kept.length;
    this.count.repaired += marker.isPlain && (joint === null || joint.hasWord) ? 0 : 1;
    const isNext = this.hasKept && (this.depth === 0 || this.#content() !== "");
    this.held += (isNext && joint?.hasWord ? jointText : "") + kept.map((id) => `[${id}]`).join("");
    this.hasKept = true;
    this.dropped = null;
    this.#last = last;
  }

  #rangesOf({ ranges }: Marker, joint: Separator | null): Marker["ranges"] {
    const [first, ...others] = ranges;
    return joint?.isRange && first && this.#last !== null
      ? [[this.#last + 1, Math.max(...first)], ...others]
      : ranges;
  }

  #content(): string {
    return this.held.slice(this.#wraps.at(-1)?.start ?? 0);
  }

  /** The numbers of a range that are sources; the others are counted as left out. */
  #expand(first: number, end: number): number[] {
    if (end < first) {
      return [...this.#expand(first, first), ...this.#expand(end, end)];
    }
    const numbers: number[] = [];
    for (let number = first; number <= end && number - first < LONGEST_RANGE; number += 1) {
      if (this.#isSource(number)) {
        numbers.push(number);
      } else {
        this.count.dropped.set(number, (this.count.dropped.get(number) ?? 0) + 1);
        this.dropped = number;
      }
    }
    return numbers;
  }

  #isSource(number: number): boolean {
    return number >= 1 && number <= this.sourceCount;
  }
}
