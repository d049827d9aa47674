import { wouldFuse } from "../../markers/disambiguate";
import { trimBlanks } from "../../markers/lookahead";
import { missingObject } from "../../markers/object-phrases";
import { LOOK_BACK, type PlacedMarker } from "../../markers/output-buffer";
import { groupMarkers } from "../spans";
import type { Section } from "./sentence-segmenter";

const SEPARATOR_TEXT = /^[ \t,;&]*(?:and|or|und|et|y|e)?[ \t]*$/;

/** Writes sections without the removed markers and tracks where the others end up. */
export class Stripper {
  readonly markers: PlacedMarker[] = [];
  /** Length and tail of the output before this section. */
  #length = 0;
  #tail = "";

  write(section: Section, removed: ReadonlySet<PlacedMarker>): string {
    const { text, start } = section;
    let output = "";
    let at = 0;
    const groups = groupMarkers(section.markers, (from, to) =>
      SEPARATOR_TEXT.test(text.slice(from - start, to - start)),
    );
    for (const group of groups) {
      output += text.slice(at, (group[0]?.start ?? start) - start);
      at = (group.at(-1)?.end ?? start) - start;
      if (group.every((marker) => removed.has(marker))) {
        const sides = { before: output, after: text.slice(at) };
        const around = { before: this.#tail, after: section.next };
        const closed = fillGap(sides, around) ?? closeGap(sides, around);
        output = closed.before;
        at += sides.after.length - closed.after.length;
      } else {
        output = this.#writeMarkers(output, section, { group, removed });
      }
    }
    output += text.slice(at);
    this.#length += output.length;
    this.#tail = (this.#tail + output).slice(-LOOK_BACK);
    return output;
  }

  /** Appends the kept markers; the text before the first of them is already written. */
  #writeMarkers(
    output: string,
    { text, start }: Section,
    { group, removed }: { group: readonly PlacedMarker[]; removed: ReadonlySet<PlacedMarker> },
  ): string {
    let written = output;
    let previous: number | undefined;
    for (const marker of group) {
      if (!removed.has(marker)) {
        written += text.slice((previous ?? marker.start) - start, marker.end - start);
        previous = marker.end;
        const end = this.#length + written.length;
        this.markers.push({ ...marker, start: end - marker.end + marker.start, end });
      }
      previous &&= marker.end;
    }
    return written;
  }
}

interface Sides {
  before: string;
  after: string;
}

/** A line before its first word: an indent, or the mark of a quote, list item or heading. */
const LEAD = /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)]|#{1,6})[ \t]+)?$/;
const MAX_LEAD_LENGTH = 64;
/** Characters that take no blank before them. */
const CLOSING = /[.,;:!?)\]}…。，、；：！？）]/;
const SEPARATOR = /[,;]/;
/** Brackets that are removed when empty. */
const EMPTY_BRACKETS = [
  ["(", ")"],
  ["（", "）"],
  ["<sup>", "</sup>"],
  ["<sub>", "</sub>"],
] as const;
const EMPHASIS = /(?:^|[\s(])([*_]{1,3})$/;

/** Puts a noun where the removed markers completed a phrase; null where they didn't. */
function fillGap({ before, after }: Sides, around: Sides): Sides | null {
  const left = trimBlanks(before);
  const noun = missingObject((around.before + left).slice(-LOOK_BACK));
  return noun && { before: `${left} ${noun.any}`, after };
}

/**
 * Closes the gap that removed markers leave: drops empty brackets, doubled blanks, blanks before a full stop,
 * and lines that contained nothing else, with their list mark. `around` is the text beyond both sides, which
 * doesn't change.
 */
function closeGap(sides: Sides, around: Sides): Sides {
  const peeled = peel(sides, around.before);
  const line = (around.before + peeled.before).slice(-MAX_LEAD_LENGTH).split("\n").at(-1) ?? "";
  return part(LEAD.test(line) ? closeLine(peeled, around, line) : join(peeled, around), around);
}

function peel({ before, after }: Sides, tail: string): Sides {
  const [left, right] = [trimBlanks(before), trimStart(after)];
  for (const [open, close] of EMPTY_BRACKETS) {
    if (left.endsWith(open) && right.startsWith(close)) {
      return peel({ before: left.slice(0, -open.length), after: right.slice(close.length) }, tail);
    }
  }
  const run = EMPHASIS.exec((tail + before).slice(-8))?.[1];
  return run && before.endsWith(run) && after.startsWith(run)
    ? peel({ before: before.slice(0, -run.length), after: after.slice(run.length) }, tail)
    : { before, after };
}

function closeLine({ before, after }: Sides, around: Sides, lead: string): Sides {
  const right = trimStart(after);
  if (!/^(?:\r?\n|$)/.test(right || around.after)) {
    return { before, after: right };
  }
  const above = before.slice(0, Math.max(0, before.length - lead.length));
  const isFirst = /(?:^|\n\r?\n)$/.test(around.before.slice(-3) + above);
  return isFirst
    ? { before: above, after: right.replace(/^[\r\n]+/, "") }
    : { before: above.replace(/\r?\n$/, ""), after: right };
}

function join({ before, after }: Sides, around: Sides): Sides {
  const [left, right] = [trimBlanks(before), trimStart(after)];
  const [last, next] = [left.slice(-1), (right || around.after).charAt(0)];
  if (last === "(" || last === "（") {
    return { before: left, after: SEPARATOR.test(next) ? trimStart(right.slice(1)) : right };
  }
  if (CLOSING.test(next)) {
    // "foo, [1], bar" and "Foo. [1]."
    const isDoubled = next === last || (SEPARATOR.test(next) && SEPARATOR.test(last));
    return { before: left, after: isDoubled ? right.slice(1) : right };
  }
  const isSpaced = /^(?:\s|$)/.test(after || around.after);
  return { before: isSpaced ? left : before, after };
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Inserts a blank where the two sides would form one word, code, or a marker. */
function part({ before, after }: Sides, around: Sides): Sides {
  const tail = (around.before + before).slice(-MAX_LEAD_LENGTH);
  const next = (after || around.after).charAt(0);
  const isWord = /[\p{L}\p{N}.!?]$/u.test(tail) && /[\p{L}\p{N}]/u.test(next);
  const isOneWord = isWord && !UNSPACED.test(next);
  const isOneSign = /[*_]/.test(next) && tail.endsWith(next);
  const isApart = next === "" || !(isOneWord || isOneSign || wouldFuse(tail, next));
  return isApart ? { before, after } : { before: `${before} `, after };
}

function trimStart(text: string): string {
  return text.replace(/^[ \t\u00a0]+/, "");
}
