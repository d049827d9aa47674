import type { PlacedMarker } from "../markers/output-buffer";
import { LOOK_BACK, wouldJoin } from "../markers/disambiguate";
import type { Section } from "./sentence-segmenter";

const LONGEST_JOINT = 16;
const JOINT = /^[ \t,;&]*(?:and|or|und|et|y|e)?[ \t]*$/;

/** Lets sections out without the markers that are taken away, and keeps account of the others. */
export class Stripper {
  readonly markers: PlacedMarker[] = [];
  /** The length and the end of what went out before this section. */
  #length = 0;
  #tail = "";

  pass(section: Section, taken: ReadonlySet<PlacedMarker>): string {
    const { text, start } = section;
    let output = "";
    let at = 0;
    for (const group of groupsOf(section)) {
      output += text.slice(at, (group[0]?.start ?? start) - start);
      at = (group.at(-1)?.end ?? start) - start;
      if (group.every((marker) => taken.has(marker))) {
        const sides = { before: output, after: text.slice(at) };
        const closed = closeGap(sides, { before: this.#tail, after: section.next });
        output = closed.before;
        at += sides.after.length - closed.after.length;
      } else {
        output = this.#write(output, section, keptOf(group, taken));
      }
    }
    output += text.slice(at);
    this.#length += output.length;
    this.#tail = (this.#tail + output).slice(-LOOK_BACK);
    return output;
  }

  /** The output with the markers that stay behind it; what stood before the first of them stands there already. */
  #write(output: string, { text, start }: Section, kept: readonly Kept[]): string {
    let written = output;
    for (const [at, { marker, from }] of kept.entries()) {
      written += text.slice((at === 0 ? marker.start : from) - start, marker.end - start);
      const end = this.#length + written.length;
      this.markers.push({ id: marker.id, start: end - marker.end + marker.start, end });
    }
    return written;
  }
}

/** A marker that stays, and where what joins it to the one before begins. */
interface Kept {
  marker: PlacedMarker;
  from: number;
}

function keptOf(group: readonly PlacedMarker[], taken: ReadonlySet<PlacedMarker>): Kept[] {
  return group.flatMap((marker, at) =>
    taken.has(marker) ? [] : [{ marker, from: group[at - 1]?.end ?? marker.start }],
  );
}

/** Markers with nothing between them but blanks, commas and "and". */
function groupsOf({ text, markers, start }: Section): PlacedMarker[][] {
  const groups: PlacedMarker[][] = [];
  for (const marker of markers) {
    const last = groups.at(-1);
    const from = last?.at(-1)?.end ?? 0;
    const isNear = marker.start - from <= LONGEST_JOINT;
    if (last && isNear && JOINT.test(text.slice(from - start, marker.start - start))) {
      last.push(marker);
    } else {
      groups.push([marker]);
    }
  }
  return groups;
}

/** A text on both sides of a place. */
interface Sides {
  before: string;
  after: string;
}

/** What a line may have before its first word: an indent, a mark of a quote, a list or a heading. */
const LEAD = /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)]|#{1,6})[ \t]+)?$/;
const LONGEST_LEAD = 64;
/** What no blank stands before. */
const CLOSING = /[.,;:!?)\]}…。，、；：！？）]/;
const SEPARATOR = /[,;]/;
/** What says nothing when nothing is in it. */
const WRAPS = [
  ["(", ")"],
  ["（", "）"],
  ["<sup>", "</sup>"],
  ["<sub>", "</sub>"],
] as const;
const EMPHASIS = /(?:^|[\s(])([*_]{1,3})$/;

/**
 * Closes the gap that markers leave: brackets left empty go, blanks are not doubled, none stands before a full
 * stop, and a line that held nothing else goes with its list mark. `around` is what stands beyond both sides
 * and stays as it is.
 */
function closeGap(sides: Sides, around: Sides): Sides {
  const peeled = peel(sides, around.before);
  const lead = leadOf(peeled.before, around.before);
  const closed = lead === null ? join(peeled, around) : closeLine(peeled, around, lead);
  return part(closed, around);
}

/** Without the brackets that are left empty. */
function peel({ before, after }: Sides, tail: string): Sides {
  const [left, right] = [trimEnd(before), trimStart(after)];
  const wrap = WRAPS.find(([open, close]) => left.endsWith(open) && right.startsWith(close));
  const run = EMPHASIS.exec((tail + before).slice(-8))?.[1] ?? "";
  if (wrap) {
    const [open, close] = wrap;
    return peel({ before: left.slice(0, -open.length), after: right.slice(close.length) }, tail);
  }
  return run !== "" && before.endsWith(run) && after.startsWith(run)
    ? peel({ before: before.slice(0, -run.length), after: after.slice(run.length) }, tail)
    : { before, after };
}

/** What stands before the gap on its line when that says nothing; null when it does. */
function leadOf(before: string, tail: string): string | null {
  const line = (tail + before).slice(-LONGEST_LEAD).split("\n").at(-1) ?? "";
  return LEAD.test(line) ? line : null;
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
  const [left, right] = [trimEnd(before), trimStart(after)];
  const [last, next] = [left.slice(-1), (right || around.after).charAt(0)];
  if (last === "(" || last === "（") {
    return { before: left, after: SEPARATOR.test(next) ? trimStart(right.slice(1)) : right };
  }
  if (CLOSING.test(next)) {
    return { before: left, after: isDoubled(last, next) ? right.slice(1) : right };
  }
  const isSpaced = /^(?:\s|$)/.test(after || around.after);
  return { before: isSpaced ? left : before, after };
}

/** "foo, [1], bar" and "Foo. [1]." */
function isDoubled(last: string, next: string): boolean {
  return next === last || (SEPARATOR.test(next) && SEPARATOR.test(last));
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Keeps apart what would become one word, or code, or a marker. */
function part({ before, after }: Sides, around: Sides): Sides {
  const tail = (around.before + before).slice(-LONGEST_LEAD);
  const next = (after || around.after).charAt(0);
  const isWord = /[\p{L}\p{N}.!?]$/u.test(tail) && /[\p{L}\p{N}]/u.test(next);
  const isOneWord = isWord && !UNSPACED.test(next);
  const isOneSign = /[*_]/.test(next) && tail.endsWith(next);
  const isApart = next === "" || !(isOneWord || isOneSign || wouldJoin(tail, next));
  return isApart ? { before, after } : { before: `${before} `, after };
}

function trimEnd(text: string): string {
  let end = text.length;
  while (isBlank(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(0, end);
}

function trimStart(text: string): string {
  let start = 0;
  while (isBlank(text.charAt(start))) {
    start += 1;
  }
  return text.slice(start);
}

function isBlank(character: string): boolean {
  return character === " " || character === "\t" || character === "\u00a0";
}
