import type { DelimitedSource } from "@/lib/text/delimiters";

const OPENING = /<source id="(\d+)" nonce="([a-z0-9]+)">\nTitle: (.*)\n\n/g;
const CLOSING = /\n<\/source nonce="([a-z0-9]+)">/g;

/** Parses the sources that `delimitSource` wrote, in order. Runs in linear time on any input. */
export function parseDelimitedSources(prompt: string): DelimitedSource[] {
  // Of each nonce, the last first, so that passed ones can be popped.
  const closings = Map.groupBy([...prompt.matchAll(CLOSING)].reverse(), ([, nonce]) => nonce);
  const sources: DelimitedSource[] = [];
  let last = 0;
  for (const { 0: opening, 1: id, 2: nonce, 3: title = "", index } of prompt.matchAll(OPENING)) {
    const start = index + opening.length;
    const own = index < last ? [] : (closings.get(nonce) ?? []);
    while ((own.at(-1)?.index ?? start) < start) {
      own.pop();
    }
    const end = own.at(-1)?.index;
    if (end !== undefined) {
      sources.push({ number: Number(id), title, text: prompt.slice(start, end) });
      last = end;
    }
  }
  return sources;
}
