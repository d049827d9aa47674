import type { TextQuery } from "./library-schema";

/** The size of a window in UTF-16 units: a few screens. */
export const WINDOW = 24_000;
/** How far an edge may move to the end of a paragraph or word. */
const LEEWAY = 2000;

/** The requested range, with edges between paragraphs where possible. */
export function textWindow(text: string, look: TextQuery): { start: number; end: number } {
  if ("from" in look) {
    return forward(text, Math.min(look.from, text.length));
  }
  if ("to" in look) {
    const end = Math.min(look.to, text.length);
    return { start: edge(text, end - WINDOW, end), end };
  }
  // A third of the window before the place, because readers continue after it.
  const around = Math.min(look.around, text.length);
  return forward(text, edge(text, around - WINDOW / 3, around));
}

function forward(text: string, start: number): { start: number; end: number } {
  const end = start + WINDOW;
  return { start, end: end >= text.length ? text.length : edge(text, end, end) };
}

/** The best place to cut at or before `place`, but not after `last` or within a character. */
function edge(text: string, place: number, last: number): number {
  const wanted = Math.min(Math.floor(place), last);
  if (wanted <= 0) {
    return 0;
  }
  const near = text.slice(Math.max(0, wanted - LEEWAY), wanted);
  const paragraph = near.lastIndexOf("\n\n");
  if (paragraph >= 0) {
    return wanted - near.length + paragraph + 2;
  }
  const gap = /\s(?=\S*$)/.exec(near);
  if (gap) {
    return wanted - near.length + gap.index + 1;
  }
  return /[\uDC00-\uDFFF]/.test(text.charAt(wanted)) ? wanted - 1 : wanted;
}
