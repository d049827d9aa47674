import { isOpener, type Marker, readMarker, readSeparator, type Separator } from "./parse-marker";
import { type MarkerGroup, MOST_WRAPS } from "./marker-group";
import type { OutputBuffer } from "./output-buffer";
import { isOther, wouldJoin } from "./disambiguate";
import type { VerbatimScanner } from "./verbatim-scanner";
import type { Window } from "./lookahead";

/** No marker is longer, with what must be seen after it. */
const LONGEST_MARKER = 64;
const LONGEST_JOINT = 16;
const MOST_BLANKS = 8;
/** What no blank stands before. */
const CLOSING = /^(?:$|[\s.,;:!?)\]}…。，、；：！？）])/;

/** A marker, or a bracket around some. */
type Unit = Marker | { opener: string };

/** Whether the reader went on, waits for more text, or came to the end of the markers. */
export type Turn = "on" | "wait" | "end";

/** Reads the markers that stand at one place of a text, with the blanks before them. */
export class MarkerRun {
  /** Whether any marker was read. */
  isMarked = false;
  #mayJoin = false;

  constructor(
    private readonly at: { tape: OutputBuffer; quiet: VerbatimScanner; lead: string },
    private readonly group: MarkerGroup,
  ) {}

  turn(): Turn {
    const { group } = this;
    const { tape } = this.at;
    if (tape.lacks(tape.at)) {
      return "wait";
    }
    if (group.close(tape.next)) {
      tape.skip(tape.at + 1);
      this.#emit();
      return "on";
    }
    const unit = this.#read(tape.at);
    if (unit) {
      return this.#take(unit, null);
    }
    return unit === undefined ? "wait" : this.#turnAfterJoint();
  }

  #turnAfterJoint(): Turn {
    const { tape } = this.at;
    const window = tape.window(tape.at, LONGEST_JOINT);
    const joint = this.#mayJoin ? readSeparator(window, tape.at) : null;
    if (window.wantsMore) {
      return "wait";
    }
    const unit = joint && this.#read(joint.end);
    if (joint && unit && ("opener" in unit || this.group.canJoin(unit, joint))) {
      return this.#take(unit, joint);
    }
    return unit === undefined ? "wait" : this.#finish();
  }

  #take(unit: Unit, joint: Separator | null): Turn {
    const { group } = this;
    const { tape } = this.at;
    const jointText = joint ? tape.text.slice(tape.at, joint.end) : "";
    if ("opener" in unit) {
      group.open(unit.opener, jointText);
      tape.skip((joint?.end ?? tape.at) + 1);
    } else {
      group.add(unit, joint, jointText);
      tape.skip(unit.end);
    }
    this.isMarked = true;
    this.#mayJoin = !("opener" in unit);
    this.#emit();
    return "on";
  }

  #emit(): void {
    const text = this.group.take();
    if (text !== "") {
      this.at.tape.writeMarkers(this.at.lead + text);
      this.at.lead = "";
    }
  }

  /** The unit that stands here; undefined when too little of the text has come to tell. */
  #read(at: number): Unit | null | undefined {
    const { tape, quiet } = this.at;
    const window = tape.window(at, LONGEST_MARKER);
    const first = this.#skipWraps(window, at);
    const marker = readMarker(window, first);
    if (!marker || window.wantsMore) {
      return window.wantsMore ? undefined : null;
    }
    const outside = tape.tail + this.at.lead + this.group.held;
    const isFlood = first > at && this.group.depth === 0 && /[([]$/.test(outside);
    const before = first > at ? outside + tape.text.slice(at, first) : outside;
    const isNone = isFlood || isOther(marker, before, window) || quiet.holds(first);
    if (window.wantsMore || isNone === undefined) {
      return undefined;
    }
    return isNone ? null : first > at ? { opener: tape.text.charAt(at) } : marker;
  }

  #skipWraps(window: Window, at: number): number {
    const most = MOST_WRAPS - this.group.depth;
    let first = at;
    while (first - at < most && isWrap(window, first)) {
      first += 1;
    }
    return first;
  }

  #finish(): Turn {
    const { group } = this;
    const { tape } = this.at;
    if (!this.isMarked) {
      tape.write(this.at.lead);
      return "end";
    }
    const held = group.release();
    if (held !== "" || group.hasKept) {
      tape.writeMarkers((held && this.at.lead) + held);
      this.#part();
      return "end";
    }
    return this.#leaveOut();
  }

  /** Nothing was kept: the blanks before go too where nothing stands that needs them. */
  #leaveOut(): Turn {
    const { tape } = this.at;
    const window = tape.window(tape.at, MOST_BLANKS);
    const isFirst = tape.isLineBlank;
    const end = isFirst ? window.skipBlanks(tape.at) : tape.at;
    if (window.wantsMore) {
      return "wait";
    }
    tape.write(isFirst || !CLOSING.test(tape.next) ? this.at.lead : "");
    tape.skip(end);
    this.#part();
    return "end";
  }

  /** Keeps a number in parentheses where leaving it out would make code or a marker of what is around it. */
  #part(): void {
    const { group } = this;
    const { tape } = this.at;
    if (group.dropped !== null && wouldJoin(tape.tail, tape.next)) {
      tape.write(tape.tail.endsWith("\\") ? ` (${group.dropped})` : `(${group.dropped})`);
    }
  }
}

/** What the character after a bracket must be for markers to begin there. */
const BEGINNING = /[[［【〔〖⟦(\p{L}\p{N}\s^#]/u;
/** A bracket and digits before another bracket. */
const BROKEN = /.\d{1,4}[[(]/y;

/** Whether the bracket here begins no markers, as far as a look tells: most brackets end here. */
export function isPlainBracket(tape: OutputBuffer, at: number): boolean {
  BROKEN.lastIndex = at;
  return (
    !tape.lacks(at + 1) && (!BEGINNING.test(tape.text.charAt(at + 1)) || BROKEN.test(tape.text))
  );
}

/** Whether a bracket stands here directly around another. */
function isWrap(window: Window, at: number): boolean {
  const opener = window.at(at);
  const inner = window.at(at + 1);
  return (opener === "(" || opener === "[") && (inner === "(" || isOpener(inner));
}
