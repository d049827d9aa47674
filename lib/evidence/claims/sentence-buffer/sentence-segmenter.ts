import { Fence } from "../../markers/fence";
import type { PlacedMarker } from "../../markers/output-buffer";
import { answerSentences } from "../answer-sentences";

/** A part of an answer that is judged and released by itself, usually one sentence. */
export interface Section {
  text: string;
  /** Offsets are those of the whole answer. */
  markers: readonly PlacedMarker[];
  start: number;
  next: string;
  isCode: boolean;
}

/** Wait for this much lookahead so that boundaries don't depend on how the stream is chunked. */
const LOOK_AHEAD = 48;
/** Longer sentences are cut and judged in parts. */
const MAX_LENGTH = 2000;
const MAX_WORD_LENGTH = 256;
/** Minimum distance between checks as a share of the sentence so far; keeps the time linear. */
const GAP_SHARE = 0.25;

const END = /[\p{STerm}…\n]/u;
const BEGINNING = /[\p{L}\p{N}\n]/u;
const OPEN_FENCE = /^[ \t>]*(`{3,}(?=[^`]*$)|~{3,})/;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Splits a streamed answer into sections. Each check happens at an offset that depends on the text alone, with a
 * fixed lookahead. All offsets are UTF-16 offsets into the whole answer.
 */
export class SentenceSegmenter {
  /** Text that isn't in a section yet; it begins at `#start`. */
  #text = "";
  #start = 0;
  #isComplete = false;
  #readTo = 0;
  #lineStart = 0;
  /** Whether the last sign could end a sentence and no word has followed. */
  #hasEnded = false;
  #nextCheck = NEVER;
  #lastCheck = -LOOK_AHEAD;
  #fence: Fence | null = null;
  #markers: readonly PlacedMarker[] = [];
  /** Indexes into `#markers`: the first after `#readTo`, and the first without a section. */
  #firstUnread = 0;
  #firstPending = 0;

  /** Returns the sections that a piece completes. No piece ends inside a marker. */
  push(text: string, markers: readonly PlacedMarker[]): Section[] {
    this.#text += text;
    this.#markers = markers;
    const sections: Section[] = [];
    for (let next = this.#nextSections(); next; next = this.#nextSections()) {
      sections.push(...next);
    }
    return sections.filter((section) => section.text !== "");
  }

  /** Returns the remaining sections. */
  end(): Section[] {
    this.#isComplete = true;
    return this.push("", this.#markers);
  }

  get #end(): number {
    return this.#start + this.#text.length;
  }

  #slice(start: number, end: number): string {
    return this.#text.slice(start - this.#start, end - this.#start);
  }

  /** Returns null when more text is needed. */
  #nextSections(): Section[] | null {
    if (this.#fence) {
      return this.#emitCode(this.#fence);
    }
    const known = this.#isComplete ? this.#end : this.#end - LOOK_AHEAD;
    const fence = this.#read(known);
    if (fence) {
      return this.#openFence(fence);
    }
    if (this.#stop <= known) {
      return this.#checkBoundary(this.#stop);
    }
    return this.#isComplete && this.#start < this.#end ? [this.#cut(this.#end)] : null;
  }

  get #stop(): number {
    return Math.min(this.#nextCheck, this.#start + MAX_LENGTH);
  }

  /** Reads up to the next check; returns the fence if a line opens one. */
  #read(known: number): Fence | null {
    for (let limit = this.#limit(known); this.#readTo < limit; limit = this.#limit(known)) {
      const sign = this.#hasEnded ? BEGINNING : END;
      const part = this.#slice(this.#readTo, limit);
      const index = part.search(sign);
      const at = index < 0 ? limit : this.#readTo + index;
      const marker = this.#markerAt(at);
      if (index < 0 || marker) {
        this.#readTo = marker?.end ?? limit;
        continue;
      }
      const character = String.fromCodePoint(part.codePointAt(index) ?? 0);
      this.#readTo = at + character.length;
      const fence = this.#readSign(character, at);
      if (fence) {
        return fence;
      }
    }
    return null;
  }

  #limit(known: number): number {
    const limit = Math.min(this.#stop, known);
    return /[\ud800-\udbff]$/.test(this.#slice(limit - 1, limit)) ? limit + 1 : limit;
  }

  #markerAt(at: number): PlacedMarker | null {
    let marker = this.#markers[this.#firstUnread];
    while (marker && marker.end <= at) {
      this.#firstUnread += 1;
      marker = this.#markers[this.#firstUnread];
    }
    return marker && marker.start <= at ? marker : null;
  }

  #readSign(character: string, at: number): Fence | null {
    if (character === "\n") {
      this.#hasEnded = true;
      const line = this.#lineStart < this.#start ? "" : this.#slice(this.#lineStart, at);
      const run = OPEN_FENCE.exec(line)?.[1];
      this.#lineStart = run ? this.#lineStart : at + 1;
      return run ? new Fence(run.charAt(0), run.length) : null;
    }
    if (this.#hasEnded) {
      const gap = Math.max(LOOK_AHEAD, Math.ceil((this.#lastCheck - this.#start) * GAP_SHARE));
      this.#nextCheck = Math.min(this.#nextCheck, Math.max(at, this.#lastCheck + gap));
    }
    this.#hasEnded = !this.#hasEnded;
    return null;
  }

  /** Cuts before the last sentence that begins by this offset; the text before it is complete. */
  #checkBoundary(stop: number): Section[] {
    this.#nextCheck = NEVER;
    this.#lastCheck = stop;
    const text = this.#slice(this.#start, stop + LOOK_AHEAD);
    const markers = this.#pendingMarkers(stop + LOOK_AHEAD);
    const sentences = answerSentences(text, markers);
    const limit = stop - this.#start;
    const begins = sentences.map(({ start, from }) => Math.min(start, from));
    const begun = begins.findLastIndex((begin) => begin <= limit);
    if (begun > 0) {
      const place = { begin: begins[begun] ?? 0, end: sentences[begun - 1]?.end ?? 0 };
      return [this.#cut(this.#start + beforeLine(text, place, markers))];
    }
    return limit < MAX_LENGTH ? [] : [this.#cut(this.#start + forcedBreak(text, markers))];
  }

  /** Pending markers that end by this offset, relative to `#start`. */
  #pendingMarkers(end: number): PlacedMarker[] {
    const pending = this.#markers.slice(this.#firstPending, this.#pendingUntil(end));
    return pending.map((marker) => shiftMarker(marker, -this.#start));
  }

  /** The index of the first pending marker that ends after this offset. */
  #pendingUntil(end: number): number {
    let at = this.#firstPending;
    while ((this.#markers[at]?.end ?? NEVER) <= end) {
      at += 1;
    }
    return at;
  }

  #cut(end: number): Section {
    const start = this.#start;
    const text = this.#slice(start, end);
    const next = this.#slice(end, end + LOOK_AHEAD);
    const until = this.#pendingUntil(end);
    const markers = this.#markers.slice(this.#firstPending, until);
    this.#firstPending = until;
    this.#text = this.#text.slice(text.length);
    this.#start = end;
    return { text, markers, start, next, isCode: false };
  }

  #openFence(fence: Fence): Section[] {
    const section = this.#cut(this.#lineStart);
    this.#fence = fence;
    this.#nextCheck = NEVER;
    // The fence is read from the end of its opening line.
    const line = this.#cut(this.#readTo - 1);
    return [section, { ...line, isCode: true }];
  }

  /** Releases code at once. Markers in code don't normally occur; they are judged alone. */
  #emitCode(fence: Fence): Section[] | null {
    const closed = fence.read(this.#text, 0);
    const end = closed === null ? this.#end : this.#start + closed;
    if (end === this.#start && closed === null) {
      return null;
    }
    this.#fence = closed === null ? fence : null;
    this.#readTo = end;
    this.#lineStart = end;
    const sections: Section[] = [];
    for (let marker = this.#markers[this.#firstPending]; marker && marker.end <= end; ) {
      sections.push(this.#cut(marker.start), this.#cut(marker.end));
      marker = this.#markers[this.#firstPending];
    }
    sections.push(this.#cut(end));
    return sections.map((section) => ({ ...section, next: "", isCode: true }));
  }
}

/** Cuts at the start of the line if only an indent or list mark precedes the sentence. */
function beforeLine(
  text: string,
  { begin, end }: { begin: number; end: number },
  markers: readonly PlacedMarker[],
): number {
  const line = text.lastIndexOf("\n", begin - 1) + 1;
  const isCited = markers.some(({ start }) => start >= line && start < begin);
  return line > end && !isCited ? line : begin;
}

export function shiftMarker(marker: PlacedMarker, by: number): PlacedMarker {
  return { ...marker, start: marker.start + by, end: marker.end + by };
}

/** Where to cut a sentence that is too long: after the last marker that fits, otherwise after the last word. */
function forcedBreak(text: string, markers: readonly PlacedMarker[]): number {
  const marker = markers.findLast(({ end }) => end <= MAX_LENGTH);
  if (marker) {
    // The separator stays with the part before it.
    const rest = text.slice(marker.end, MAX_LENGTH);
    return marker.end + (/^[\s,;:.!?)–—-]*/.exec(rest)?.[0].length ?? 0);
  }
  const limit = markers.find(({ start }) => start < MAX_LENGTH)?.start ?? MAX_LENGTH;
  for (let at = limit; at > limit - MAX_WORD_LENGTH; at -= 1) {
    if (/\s/.test(text.charAt(at - 1))) {
      return at;
    }
  }
  return /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
}
