import { type Range, sentenceRanges } from "./sentences";

// Words that a document shows without saying them: struck out, or an option that isn't checked.

/** The signs of boxes that are checked and that aren't; the others of that kind count as one of them. */
export const CHECKED = "☑";
export const UNCHECKED = "☐";

/** Around each run of struck-out words. */
export const STRUCK_MARK = "~~";
/** None spans the start of another, which keeps the time linear. */
const STRUCK = /(?<![~\\])~~(?![~\s])(?:(?!~~)[^\n])+~~(?!~)/g;
const BOX = /[☐□❏❑▢☑☒■✓✔✗✘]|\[[ xX]\](?!\()/g;
const EMPTY_BOX = /^(?:[☐□❏❑▢]|\[ \])/;
const MAY_HAVE_BOX = /[☐□❏❑▢]|\[ \]/;
/** A line of a text, or a cell of its table's row. */
const PART = /(?:\\\||[^\n|])+/g;
const BULLET = /^\s*(?:[-*•]|\d{1,3}[.)])?\s*$/;
const SENTENCE_END = /[.!?](?=\s)/;

/** A text with its sentences marked as struck out, each alone, because passages may be cut between them. */
export function strike(text: string): string {
  return text.replaceAll(STRUCK_MARK, "").replace(/[^\n]+/g, (line) => {
    let struck = "";
    let at = 0;
    for (const { start, end } of sentenceRanges(line).filter((range) => range.end > range.start)) {
      struck += `${line.slice(at, start)}${STRUCK_MARK}${line.slice(start, end)}${STRUCK_MARK}`;
      at = end;
    }
    // Sentences without a space between them stay one run.
    return struck.replaceAll(STRUCK_MARK + STRUCK_MARK, "") + line.slice(at);
  });
}

/** Adds struck-out text, as one run with what was struck out right before it. */
export function appendStruck(before: string, text: string): string {
  const struck = strike(text);
  return before.endsWith(STRUCK_MARK) && struck.startsWith(STRUCK_MARK)
    ? before.slice(0, -STRUCK_MARK.length) + struck.slice(STRUCK_MARK.length)
    : before + struck;
}

/** How many words of a text are struck out. */
export function countStruck(text: string): number {
  return (text.match(STRUCK) ?? []).reduce((sum, run) => sum + run.split(/\s+/).length, 0);
}

/** A text in which blanks take the place of what it shows without saying it, so that every offset is kept. */
export function withoutUnasserted(text: string): string {
  const asserted = text.includes(STRUCK_MARK) ? text.replace(STRUCK, blank) : text;
  if (!MAY_HAVE_BOX.test(asserted)) {
    return asserted;
  }
  return asserted.replace(PART, (part) => {
    let kept = "";
    for (const { start, end } of MAY_HAVE_BOX.test(part) ? uncheckedIn(part) : []) {
      kept += part.slice(kept.length, start) + blank(part.slice(start, end));
    }
    return kept + part.slice(kept.length);
  });
}

/** The mark that ends a sentence still does. */
function blank(text: string): string {
  const end = /[.!?](?=~~$)/.exec(text);
  const blanks = text.replace(/\S/g, " ");
  return end
    ? blanks.slice(0, end.index) + text.charAt(end.index) + blanks.slice(end.index + 1)
    : blanks;
}

/** The options of a line or a cell whose boxes are empty. A box stands before its option, or behind it if one ends the line. */
function uncheckedIn(part: string): Range[] {
  const boxes = [...part.matchAll(BOX)].map(({ 0: sign, index }) => ({
    start: index,
    end: index + sign.length,
    isEmpty: EMPTY_BOX.test(sign),
  }));
  const isFirst = BULLET.test(part.slice(0, boxes[0]?.start));
  const isBehind = !isFirst && part.slice(boxes.at(-1)?.end).trim() === "";
  return boxes.flatMap(({ start, end, isEmpty }, at) => {
    if (!isEmpty) {
      return [];
    }
    if (isBehind) {
      const from = boxes[at - 1]?.end ?? part.lastIndexOf(":", start) + 1;
      return [{ start: from, end }];
    }
    const next = boxes[at + 1]?.start ?? part.length;
    const sentence = isFirst ? -1 : part.slice(end, next).search(SENTENCE_END);
    return [{ start, end: sentence < 0 ? next : end + sentence }];
  });
}
