import type { PlacedMarker } from "../markers/output-buffer";
import { LOOK_BACK } from "../markers/surroundings";
import { closeGap } from "./gap";
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
