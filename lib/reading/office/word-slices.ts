import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";

/** The parser's tree takes about a hundred times this much memory. */
const SLICE_CHARACTERS = 600_000;
const MAIN_PART = /^word\/document\d*\.xml$/;
const MEDIA = /^word\/(?:media|embeddings)\//;
const BODY = /<w:body(?:\s[^<>]*)?>/;
/** A quoted value may contain ">". */
const TAG = /<(\/?)[\w:]+(?:\s[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*)?>/g;

/** Splits a Word file with a long body into files that each have a part of it. They are made one at a time. */
export function* wordSlices(bytes: Uint8Array): Generator<Uint8Array> {
  let name = "";
  const parts = unzipSync(bytes, {
    filter: (part) => {
      name = MAIN_PART.test(part.name) && part.originalSize > SLICE_CHARACTERS ? part.name : name;
      return false;
    },
  });
  if (name === "") {
    yield bytes;
    return;
  }
  Object.assign(parts, unzipSync(bytes, { filter: (part) => !MEDIA.test(part.name) }));
  const xml = strFromU8(parts[name] ?? new Uint8Array());
  const cuts = cutsIn(xml);
  const [start = 0, ...ends] = cuts;
  const end = cuts.at(-1) ?? 0;
  for (const [at, to] of ends.entries()) {
    const body = xml.slice(cuts[at], to);
    const slice = strToU8(xml.slice(0, start) + body + xml.slice(end));
    yield zipSync({ ...parts, [name]: slice }, { level: 0 });
  }
}

/**
 * The start of the body, the ends of its slices, which fall between paragraphs and tables, and the end of the body. A body
 * that is cut off is a single slice.
 */
function cutsIn(xml: string): number[] {
  const body = BODY.exec(xml);
  const start = body ? body.index + body[0].length : 0;
  const cuts = [start];
  let depth = 0;
  TAG.lastIndex = start;
  for (const { 0: tag, 1: isEnd, index } of xml.matchAll(TAG)) {
    depth += isEnd ? -1 : Number(!tag.endsWith("/>"));
    if (depth < 0) {
      return [...cuts, index];
    }
    const end = index + tag.length;
    if (depth === 0 && end - (cuts.at(-1) ?? 0) >= SLICE_CHARACTERS) {
      cuts.push(end);
    }
  }
  return [start, start];
}
