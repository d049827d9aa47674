import { isNotCitation, wouldFuse } from "./disambiguate";
import {
  canFollow,
  FOREIGN_SIGNS,
  type ForeignMark,
  MAX_FOREIGN_LENGTH,
  parseForeign,
} from "./foreign-forms";
import type { Lookahead } from "./lookahead";
import {
  type BracketStyle,
  MAX_LINKED_LENGTH,
  parseAnchored,
  parseLinked,
  parseParenthesized,
} from "./loose-forms";
import { MAX_BRACKET_DEPTH, type MarkerGroup } from "./marker-group";
import { MAX_CONTRAST, missingContrast, missingObject } from "./object-phrases";
import type { OutputBuffer } from "./output-buffer";
import type { OwnIntervals } from "./own-intervals";
import { isOpener, type Marker, parseMarker, parseSeparator, type Separator } from "./parse-marker";
import { canStand } from "./place";
import type { VerbatimScanner } from "./verbatim-scanner";

/** Longer than any marker with its brackets. */
export const MAX_MARKER_LENGTH = 64;
const MAX_SEPARATOR_LENGTH = 16;
const MAX_BLANKS = 8;
/** Characters that take no blank before them. */
const CLOSING = /^(?:$|[\s.,;:!?)\]}…。，、；：！？）])/;

type Unit = Marker | { opener: string };

export type Step = "continue" | "wait" | "done";

/** Reads consecutive markers at one position, with the blanks before them. */
export class MarkerRun {
  isMarked = false;
  #canContinue = false;

  private readonly verbatim: VerbatimScanner;
  private readonly group: MarkerGroup;
  private readonly own: OwnIntervals;
  private readonly style: BracketStyle;

  constructor(
    private readonly buffer: OutputBuffer,
    parts: {
      verbatim: VerbatimScanner;
      group: MarkerGroup;
      own: OwnIntervals;
      style: BracketStyle;
    },
  ) {
    this.style = parts.style;
    this.verbatim = parts.verbatim;
    this.group = parts.group;
    this.own = parts.own;
  }

  /** The blanks before it that aren't written yet, and the brackets that are open. */
  get held(): string {
    return this.group.lead + this.group.pending;
  }

  /** Forgets the blanks before a run of which nothing is left. */
  dropLead(): void {
    this.group.lead = this.isMarked ? this.group.lead : "";
  }

  step(): Step {
    const { buffer, group } = this;
    if (buffer.needsMore(buffer.position)) {
      return "wait";
    }
    if (group.close(buffer.nextChar)) {
      buffer.skipTo(buffer.position + 1);
      this.#emit();
      return "continue";
    }
    const unit = this.#read(buffer.position);
    if (unit) {
      return this.#accept(unit, null);
    }
    return unit === undefined ? "wait" : this.#stepAfterSeparator();
  }

  #stepAfterSeparator(): Step {
    const { buffer } = this;
    const ahead = buffer.lookahead(buffer.position, MAX_SEPARATOR_LENGTH);
    const separator = this.#canContinue ? parseSeparator(ahead, buffer.position) : null;
    if (ahead.needsMore) {
      return "wait";
    }
    const unit = separator && this.#read(separator.end);
    if (separator && unit && this.group.canJoin(unit, separator)) {
      return this.#accept(unit, separator);
    }
    return unit === undefined ? "wait" : this.#finish();
  }

  #accept(unit: Unit, separator: Separator | null): Step {
    const { buffer, group } = this;
    const separatorText = separator ? buffer.text.slice(buffer.position, separator.end) : "";
    if ("opener" in unit) {
      group.open(unit.opener, separatorText);
      buffer.skipTo((separator?.end ?? buffer.position) + 1);
    } else {
      group.add(unit, separator, separatorText);
      const sign = buffer.text.charAt(separator?.end ?? buffer.position);
      this.style.isSquare ||= sign !== "(" && group.hasKept;
      buffer.skipTo(unit.end);
    }
    this.isMarked = true;
    this.#canContinue = "ranges" in unit && unit.ranges.length > 0;
    this.#emit();
    return "continue";
  }

  #emit(): void {
    const { buffer, group } = this;
    const text = group.takeReady();
    if (text !== "") {
      buffer.writeMarkers(group.lead + text);
      group.lead = "";
    }
  }

  /** The unit at an offset; undefined when more text is needed. */
  #read(at: number): Unit | null | undefined {
    const { buffer } = this;
    if (FOREIGN_SIGNS.includes(buffer.text.charAt(at) || " ")) {
      return this.#readForeign(at);
    }
    const ahead = buffer.lookahead(at, MAX_MARKER_LENGTH);
    const far = buffer.lookahead(at, MAX_LINKED_LENGTH);
    const first = this.#skipBrackets(ahead, far, at);
    const outside = buffer.tail + this.held;
    const before = outside + buffer.text.slice(at, first);
    const marker = this.#parse(ahead, far, { at: first, before });
    if (ahead.needsMore || far.needsMore) {
      return undefined;
    }
    const isFlood = first > at && this.group.depth === 0 && /[([]$/.test(outside);
    const place = { at, first, before };
    return marker && !isFlood ? this.#decide(marker, ahead, place) : this.#readForeign(at);
  }

  /** A bracket of numbers as a unit; what stands where no citation can is left and counted. */
  #decide(
    marker: Marker,
    ahead: Lookahead,
    { at, first, before }: { at: number; first: number; before: string },
  ): Unit | null | undefined {
    const isNone =
      this.#isNumbers(marker, first, before) ||
      isNotCitation(marker, before, ahead) ||
      this.verbatim.contains(first);
    if (isNone !== false || ahead.needsMore) {
      return isNone === undefined || ahead.needsMore ? undefined : null;
    }
    const stands = marker.isLabeled || this.#stands(marker, first, before);
    if (stands === false) {
      this.group.countUnknown(this.buffer.taken + first);
      return null;
    }
    return stands && (first > at ? { opener: this.buffer.text.charAt(at) } : marker);
  }

  #parse(
    ahead: Lookahead,
    far: Lookahead,
    { at, before }: { at: number; before: string },
  ): Marker | null {
    const bare = parseMarker(ahead, at);
    const linked = bare
      ? this.group.hasSources(bare) && parseAnchored(far, bare)
      : parseLinked(far, at);
    return linked || (bare ?? this.#readParentheses(ahead, at, before));
  }

  /** Whether bare numbers stand where a citation can; undefined when more text is needed. */
  #stands(
    marker: Marker & { isWeak?: boolean },
    start: number,
    before: string,
  ): boolean | undefined {
    const { buffer, group } = this;
    const ahead = buffer.lookahead(start, MAX_MARKER_LENGTH + MAX_SEPARATOR_LENGTH);
    const place = {
      before,
      ahead,
      hasSources: group.hasSources(marker),
      isNext: this.isMarked,
      isWeak: marker.isWeak === true,
    };
    const stands = canStand(marker, place);
    return ahead.needsMore ? undefined : stands;
  }

  #readForeign(at: number): Unit | null | undefined {
    const text = this.buffer.text.slice(at, at + MAX_FOREIGN_LENGTH);
    const mark = parseForeign(text, this.buffer.isComplete);
    const isCode = mark && this.verbatim.contains(at);
    if (!mark || isCode !== false) {
      return mark === undefined || (mark && isCode === undefined) ? undefined : null;
    }
    if (mark === "unknown") {
      this.group.countUnknown(this.buffer.taken + at);
      return null;
    }
    if (this.own.contains(text.slice(0, mark.end))) {
      return null;
    }
    const found = { ...mark, end: at + mark.end };
    return mark.isWeak ? this.#readWeak(found, at, text.charAt(0)) : found;
  }

  #readWeak(mark: ForeignMark, at: number, sign: string): Unit | null | undefined {
    const { group, style } = this;
    const before = this.buffer.tail + this.held;
    const follows = canFollow(sign, mark, { before, isRaised: style.isRaised });
    const stands = follows && group.hasSources(mark) && this.#stands(mark, at, before);
    style.isRaised ||= stands === true;
    return stands === undefined ? undefined : stands ? mark : null;
  }

  /** Whether it is an interval of the sources, or a row such as "[10 20 30]", which may be anything. */
  #isNumbers(marker: Marker, start: number, before: string): boolean {
    const text = this.buffer.text.slice(start, marker.end);
    return this.own.has(before, text) || (marker.isSpaced && !this.group.hasSources(marker));
  }

  #readParentheses(ahead: Lookahead, at: number, before: string): Marker | null {
    const { group, style } = this;
    const found = parseParenthesized(ahead, at, { before, isNext: group.hasKept, style });
    if (ahead.needsMore || found === null) {
      return null;
    }
    const isSource = found !== "other" && (found.isLabeled || group.hasSources(found));
    style.isOther ||= !isSource;
    return isSource ? found : null;
  }

  #skipBrackets(ahead: Lookahead, far: Lookahead, at: number): number {
    const most = MAX_BRACKET_DEPTH - this.group.depth;
    let first = at;
    while (first - at < most && wrapsAnother(ahead, first) && !parseLinked(far, first)) {
      first += 1;
    }
    return first;
  }

  #finish(): Step {
    const { buffer, group } = this;
    if (!this.isMarked) {
      buffer.write(this.group.lead);
      return "done";
    }
    const pending = group.release();
    if (pending !== "" || group.hasKept) {
      buffer.writeMarkers((pending && this.group.lead) + pending);
      this.#keepApart();
      return "done";
    }
    return this.#dropRun();
  }

  /** Drops a run without valid markers, and the blanks before it where they would be left over. */
  #dropRun(): Step {
    const { buffer } = this;
    const ahead = buffer.lookahead(buffer.position, MAX_BLANKS + MAX_CONTRAST);
    const isFirst = buffer.isLineBlank;
    const end = isFirst ? ahead.skipBlanks(buffer.position) : buffer.position;
    const noun = missingObject(buffer.tail) ?? missingContrast(buffer.tail, ahead, buffer.position);
    if (ahead.needsMore) {
      return "wait";
    }
    const { lead, dropped } = this.group;
    const rest = isFirst || !CLOSING.test(buffer.nextChar) ? lead : "";
    buffer.write(noun && dropped !== null ? `${lead || " "}${noun.unlisted}` : rest);
    buffer.skipTo(end);
    this.#keepApart();
    return "done";
  }

  /** Writes the dropped number in parentheses when removing it would create code or a marker. */
  #keepApart(): void {
    const { buffer, group } = this;
    if (group.dropped !== null && wouldFuse(buffer.tail, buffer.nextChar)) {
      buffer.write(buffer.tail.endsWith("\\") ? ` (${group.dropped})` : `(${group.dropped})`);
    }
  }
}

function wrapsAnother(ahead: Lookahead, at: number): boolean {
  const opener = ahead.charAt(at);
  const inner = ahead.charAt(at + 1);
  return (opener === "(" || opener === "[") && (inner === "(" || isOpener(inner));
}
