import { Fence } from "../markers/fence";
import type { PlacedMarker } from "../markers/output-buffer";
import { answerSentences } from "../answer-sentences";

/** A run of an answer that is judged and let out by itself: mostly one sentence with its markers. */
export interface Section {
  text: string;
  /** The markers in it; their offsets are those of the whole answer. */
  markers: readonly PlacedMarker[];
  /** Where it begins in the whole answer. */
  start: number;
  /** The beginning of what follows it. */
  next: string;
  isCode: boolean;
}

/** No place is looked at before so much after it has come: what is decided there never depends on the pieces. */
const LOOK_AHEAD = 48;
/** Between two looks lies as much or, in a long sentence, this share of it: so the time stays linear. */
const GAP_SHARE = 0.25;

/** What may end a sentence, and what may begin the next. */
const END = /[\p{STerm}…\n]/u;
const BEGINNING = /[\p{L}\p{N}\n]/u;
const OPEN_FENCE = /^[ \t>]*(`{3,}(?=[^`]*$)|~{3,})/;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Cuts an answer into sections while it comes. Where it cuts is a function of the whole text: each look is
 * taken at a place that the text alone names, and sees a fixed length beyond it. All places are UTF-16
 * offsets of the whole answer.
 */
export class SentenceSegmenter {
  /** What has come and waits; it begins at `#start`. */
  #text = "";
  #start = 0;
  #isWhole = false;
  /** Read up to here, and where the line begins that is being read. */
  #at = 0;
  #line = 0;
  /** Whether a mark was read that may have ended a sentence, and no word since. */
  #hasEnded = false;
  /** Where to look next whether a sentence is over, and where that was done last. */
  #due = NEVER;
  #looked = -LOOK_AHEAD;
  #fence: Fence | null = null;
  #markers: readonly PlacedMarker[] = [];
  /** The first marker that is not behind `#at`, and the first that is in no section yet. */
  #ahead = 0;
  #held = 0;

  /** The sections that a piece completes. No piece ends inside a marker. */
  push(text: string, markers: readonly PlacedMarker[]): Section[] {
    this.#text += text;
    this.#markers = markers;
    const sections: Section[] = [];
    for (let turn = this.#turn(); turn; turn = this.#turn()) {
      sections.push(...turn);
    }
    return sections.filter((section) => section.text !== "");
  }

  /** The sections of all that is left. */
  end(): Section[] {
    this.#isWhole = true;
    return this.push("", this.#markers);
  }

  get #end(): number {
    return this.#start + this.#text.length;
  }

  #slice(start: number, end: number): string {
    return this.#text.slice(start - this.#start, end - this.#start);
  }

  /** Null when more must come. */
  #turn(): Section[] | null {
    if (this.#fence) {
      return this.#passCode(this.#fence);
    }
    const known = this.#isWhole ? this.#end : this.#end - LOOK_AHEAD;
    const fence = this.#read(known);
    if (fence) {
      return this.#openFence(fence);
    }
    if (this.#stop <= known) {
      return this.#look(this.#stop);
    }
    return this.#isWhole && this.#start < this.#end ? [this.#cut(this.#end)] : null;
  }

  get #stop(): number {
    return Math.min(this.#due, this.#start + MOST_HELD);
  }

  /** Reads on up to where to look next, or as far as is known; gives the fence that a line opened. */
  #read(known: number): Fence | null {
    for (let limit = this.#limit(known); this.#at < limit; limit = this.#limit(known)) {
      const sign = this.#hasEnded ? BEGINNING : END;
      const part = this.#slice(this.#at, limit);
      const index = part.search(sign);
      const at = index < 0 ? limit : this.#at + index;
      const marker = this.#markerAt(at);
      if (index < 0 || marker) {
        this.#at = marker?.end ?? limit;
        continue;
      }
      const character = String.fromCodePoint(part.codePointAt(index) ?? 0);
      this.#at = at + character.length;
      const fence = this.#take(character, at);
      if (fence) {
        return fence;
      }
    }
    return null;
  }

  /** Half of a character is never read. */
  #limit(known: number): number {
    const limit = Math.min(this.#stop, known);
    return /[\ud800-\udbff]$/.test(this.#slice(limit - 1, limit)) ? limit + 1 : limit;
  }

  #markerAt(at: number): PlacedMarker | null {
    let marker = this.#markers[this.#ahead];
    while (marker && marker.end <= at) {
      this.#ahead += 1;
      marker = this.#markers[this.#ahead];
    }
    return marker && marker.start <= at ? marker : null;
  }

  #take(character: string, at: number): Fence | null {
    if (character === "\n") {
      this.#hasEnded = true;
      const mark = this.#line < this.#start ? null : OPEN_FENCE.exec(this.#slice(this.#line, at));
      const run = mark?.[1];
      this.#line = run ? this.#line : at + 1;
      return run ? new Fence(run.charAt(0), run.length) : null;
    }
    if (this.#hasEnded) {
      const gap = Math.max(LOOK_AHEAD, Math.ceil((this.#looked - this.#start) * GAP_SHARE));
      this.#due = Math.min(this.#due, Math.max(at, this.#looked + gap));
    }
    this.#hasEnded = !this.#hasEnded;
    return null;
  }

  /** Cuts before the last sentence that has begun by this place: what stands before it is over. */
  #look(stop: number): Section[] {
    this.#due = NEVER;
    this.#looked = stop;
    const text = this.#slice(this.#start, stop + LOOK_AHEAD);
    const markers = this.#relative(stop + LOOK_AHEAD);
    const sentences = answerSentences(text, markers);
    const limit = stop - this.#start;
    const begins = sentences.map(({ start, from }) => Math.min(start, from));
    const begun = begins.findLastIndex((begin) => begin <= limit);
    if (begun > 0) {
      const place = { begin: begins[begun] ?? 0, end: sentences[begun - 1]?.end ?? 0 };
      return [this.#cut(this.#start + beforeLine(text, place, markers))];
    }
    return limit < MOST_HELD ? [] : [this.#cut(this.#start + forcedBreak(text, markers))];
  }

  /** The markers that wait and end by this place, with their offsets in what waits. */
  #relative(end: number): PlacedMarker[] {
    const markers: PlacedMarker[] = [];
    for (let at = this.#held; at < this.#markers.length; at += 1) {
      const marker = this.#markers[at];
      if (!marker || marker.end > end) {
        break;
      }
      markers.push(moved(marker, -this.#start));
    }
    return markers;
  }

  #cut(end: number): Section {
    const text = this.#slice(this.#start, end);
    const next = this.#slice(end, end + LOOK_AHEAD);
    const first = this.#held;
    while ((this.#markers[this.#held]?.end ?? NEVER) <= end) {
      this.#held += 1;
    }
    const section = {
      text,
      markers: this.#markers.slice(first, this.#held),
      start: this.#start,
      next,
      isCode: false,
    };
    this.#text = this.#text.slice(text.length);
    this.#start = end;
    return section;
  }

  /** What stands before code is over, whatever it is. */
  #openFence(fence: Fence): Section[] {
    const section = this.#cut(this.#line);
    this.#fence = fence;
    this.#due = NEVER;
    // The fence is read from the end of the line that opens it.
    const line = this.#cut(this.#at - 1);
    return [section, { ...line, isCode: true }];
  }

  /** Code goes out as it comes. A guard places no marker in it; one that stands there is judged by itself. */
  #passCode(fence: Fence): Section[] | null {
    const closed = fence.read(this.#text, 0);
    const end = closed === null ? this.#end : this.#start + closed;
    if (end === this.#start && closed === null) {
      return null;
    }
    this.#fence = closed === null ? fence : null;
    this.#at = end;
    this.#line = end;
    const sections: Section[] = [];
    for (let marker = this.#markers[this.#held]; marker && marker.end <= end; ) {
      sections.push(this.#cut(marker.start), this.#cut(marker.end));
      marker = this.#markers[this.#held];
    }
    return [...sections, this.#cut(end)].map((section) => ({
      ...section,
      next: "",
      isCode: true,
    }));
  }
}

/** Before the line where nothing but its indent or its list mark stands before the sentence. */
function beforeLine(
  text: string,
  { begin, end }: { begin: number; end: number },
  markers: readonly PlacedMarker[],
): number {
  const line = text.lastIndexOf("\n", begin - 1) + 1;
  const isCited = markers.some(({ start }) => start >= line && start < begin);
  return line > end && !isCited ? line : begin;
}

export function moved({ id, start, end }: PlacedMarker, by: number): PlacedMarker {
  return { id, start: start + by, end: end + by };
}

/** A sentence is judged as far as it goes after so many characters. */
const MOST_HELD = 2000;
/** A sentence without markers is cut after a word, where one ends within so much. */
const LONGEST_WORD = 256;

/** Where a sentence that is too long is cut: behind the last marker it may hold, or else behind its last word. */
function forcedBreak(text: string, markers: readonly PlacedMarker[]): number {
  const marker = markers.findLast(({ end }) => end <= MOST_HELD);
  if (marker) {
    return skipJoint(text, marker.end);
  }
  const limit = markers.find(({ start }) => start < MOST_HELD)?.start ?? MOST_HELD;
  for (let at = limit; at > limit - LONGEST_WORD; at -= 1) {
    if (/\s/.test(text.charAt(at - 1))) {
      return at;
    }
  }
  return /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
}

/** What joins a sentence's next part to this one belongs to neither; it stays here. */
function skipJoint(text: string, start: number): number {
  let end = start;
  while (end < MOST_HELD && /[\s,;:.!?)–—-]/.test(text.charAt(end))) {
    end += 1;
  }
  return end;
}
