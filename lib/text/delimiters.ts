import { escapeDelimiters } from "./escape-delimiters";

/** Replaces the sources in the prompt when the search found nothing. */
export const NO_SOURCES = "The search found no source for this question.";

/** A passage as the model sees it. */
export interface DelimitedSource {
  number: number;
  title: string;
  text: string;
}

/**
 * Wraps a numbered source in delimiters with the request's random nonce. A source can't close its own
 * delimiter: it was written before the nonce was drawn, and anything resembling a delimiter is escaped in the
 * title, in the text and where they meet.
 */
export function delimitSource(source: DelimitedSource, nonce: string): string {
  return [
    `<source id="${source.number}" nonce="${nonce}">`,
    escapeDelimiters(`Title: ${oneLine(source.title)}\n\n${source.text}`),
    `</source nonce="${nonce}">`,
  ].join("\n");
}

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

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
