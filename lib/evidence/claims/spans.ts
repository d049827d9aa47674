import { CodePoints } from "@/lib/text/code-points";
import type { Range } from "@/lib/text/sentences";
import type { PlacedMarker } from "../markers/output-buffer";
import { abstains } from "./abstention";
import { answerSentences, type Sentence } from "./answer-sentences";
import { coveredSentences } from "./covered";

/** The part of an answer that markers at one position cite. Offsets count Unicode code points. */
export interface CitedSpan {
  ids: number[];
  start: number;
  end: number;
  /** The answer from `start` to `end`: a sentence, or the part of it between two markers. */
  text: string;
  markers: PlacedMarker[];
  /** The index of its sentence in the answer. */
  sentence: number;
  /** Its markers are those of another sentence. */
  isExtended?: true;
  /** It is a quotation, which the line above it introduces. */
  isQuotation?: true;
  /** Of a value in a JSON answer, which stands for its markers. */
  path?: string;
}

/** What an answer claims. */
export interface ReadAnswer {
  spans: CitedSpan[];
  covered: CitedSpan[];
  sentences: number;
  abstained: boolean;
}

/**
 * The spans of a normalized answer, in marker order, and its number of sentences. Headings and code only count
 * when cited; sentences that say that the sources don't answer never do. Consecutive markers share one span. It
 * runs from the start of the sentence, or from the previous markers in it, to the marker, and contains no marker.
 * A full stop belongs to it when the marker follows the full stop. After a mere lead-in ("According to [1], …") it
 * is the text that follows, up to the next marker or the end of the sentence; after a line that introduces a quotation, it
 * is the quotation. `covered` are sentences without markers and the markers of other sentences that cover them.
 */
export function readSpans(text: string, markers: readonly PlacedMarker[]): ReadAnswer {
  const points = new CodePoints(text);
  const inCodePoints = ({ start, end }: Range) => ({
    start: points.toCodePoint(start),
    end: points.toCodePoint(end),
  });
  let next = 0;
  const sentences = answerSentences(text, markers).map((sentence, at, all) => {
    const first = next;
    const limit = all[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    while ((markers[next]?.start ?? limit) < limit) {
      next += 1;
    }
    const words = text.slice(sentence.start, sentence.end);
    const isCounted =
      (sentence.isStatement || next > first) && WORD.test(words.replaceAll(WRITTEN, ""));
    const isAbstaining = isCounted && abstains(words);
    const own = isAbstaining ? [] : markers.slice(first, next);
    const groups = groupMarkers(own, (from, to) => SEPARATOR_TEXT.test(text.slice(from, to)));
    return { ...sentence, groups, isAbstaining, isCounted };
  });
  const toSpan = (sentence: number, { start, end, group, isQuotation }: Cover): CitedSpan => ({
    ids: [...new Set(group.map(({ id }) => id))],
    ...inCodePoints({ start, end }),
    text: text.slice(start, end),
    markers: group.map((marker) => ({ ...marker, ...inCodePoints(marker) })),
    sentence,
    ...(isQuotation && { isQuotation }),
  });
  return {
    spans: sentences.flatMap((sentence, at) =>
      coverAll(text, sentence, sentence.groups).map((cover) => toSpan(at, cover)),
    ),
    covered: coveredSentences(text, sentences).map(({ at, range, group }): CitedSpan => {
      return { ...toSpan(at, { ...trim(text, range, false), group }), isExtended: true };
    }),
    sentences: sentences.filter((one) => one.isCounted && !one.isAbstaining).length,
    abstained: sentences.some(({ isAbstaining }) => isAbstaining),
  };
}

interface Cover extends Range {
  group: readonly PlacedMarker[];
  isQuotation?: true;
}

const WORD = /[\p{L}\p{N}]/u;
const WRITTEN = /\[\d+\]/g;
const MAX_SEPARATOR_LENGTH = 16;
const SEPARATOR_TEXT = /^[\s,;&]*(?:and|or|und|et|y|e)?[\s*]*$/;
const MAX_LEAD_IN_LENGTH = 60;

export function groupMarkers(
  markers: readonly PlacedMarker[],
  isSeparator: (from: number, to: number) => boolean,
): PlacedMarker[][] {
  const groups: PlacedMarker[][] = [];
  for (const marker of markers) {
    const last = groups.at(-1);
    const from = last?.at(-1)?.end ?? 0;
    if (last && marker.start - from <= MAX_SEPARATOR_LENGTH && isSeparator(from, marker.start)) {
      last.push(marker);
    } else {
      groups.push([marker]);
    }
  }
  return groups;
}

/** Lead-ins that claim nothing by themselves: "According to [1]", "As shown in [2]". */
const LEAD_IN =
  /^\W*(?:\p{L}+\s+){0,5}(?:in|to|by|of|on|from|per|see|source|study|reference|ref|segundo|com|según|laut|selon|nach)\s*$/iu;

/** Quoted lines below a line that ends with markers, as in "Guideline, section 2 [1]". */
const QUOTATION = /[^\S\n]*[:*_]*[^\S\n]*\n\s*?((?:[ \t]*>[^\n]*(?:\n|$))+)/y;

/** The quotation that begins at `from`, after the markers of an introduction. */
function quotationBelow(text: string, introduction: string, from: number): Range | null {
  QUOTATION.lastIndex = from;
  const [whole = "", quoted = ""] = QUOTATION.exec(text) ?? [];
  const isMere = !/[.!?…。！？]$/.test(introduction.trimEnd()) && WORD.test(introduction);
  const to = from + whole.length;
  return isMere && quoted && quoted.search(WRITTEN) < 0
    ? trim(text, { start: to - quoted.length, end: to }, false)
    : null;
}

function coverAll(text: string, sentence: Sentence, groups: readonly PlacedMarker[][]): Cover[] {
  const [only = [], ...others] = groups;
  const introduction = text.slice(sentence.start, only[0]?.start ?? sentence.start);
  const quotation =
    others.length === 0 ? quotationBelow(text, introduction, only.at(-1)?.end ?? 0) : null;
  if (quotation) {
    return [{ ...quotation, group: only, isQuotation: true }];
  }
  const covers: Cover[] = [];
  let from = sentence.start;
  for (const [at, group] of groups.entries()) {
    const start = group[0]?.start ?? 0;
    const end = group.at(-1)?.end ?? 0;
    const limit = Math.min(groups[at + 1]?.[0]?.start ?? sentence.end, sentence.end);
    const before = trim(text, { start: from, end: Math.min(start, sentence.end) }, at > 0);
    const after = trim(text, { start: Math.max(from, Math.min(end, limit)), end: limit }, true);
    const range = choose(text, before, after) ?? covers.at(-1) ?? { start, end: start };
    covers.push({ start: range.start, end: range.end, group });
    from = Math.max(from, end);
  }
  return covers;
}

/** The text before the markers, or after them if that has no words; null if neither does. */
function choose(text: string, before: Range, after: Range): Range | null {
  const hasBefore = hasWords(text, before);
  const isShort = before.end - before.start <= MAX_LEAD_IN_LENGTH;
  const isLeadIn = isShort && LEAD_IN.test(text.slice(before.start, before.end));
  if ((isLeadIn || !hasBefore) && hasWords(text, after)) {
    return after;
  }
  return hasBefore ? before : null;
}

function hasWords(text: string, { start, end }: Range): boolean {
  return WORD.test(text.slice(start, end));
}

/** Trims blanks and, after a marker, leading punctuation. */
function trim(text: string, { start, end }: Range, isPart: boolean): Range {
  const part = text.slice(start, Math.max(start, end));
  const lead = (isPart ? /^[\s>|,;:.!?)–—-]+/ : /^[\s>|]+/).exec(part)?.[0].length ?? 0;
  let last = part.length;
  while (last > lead && /[\s(|]/.test(part.charAt(last - 1))) {
    last -= 1;
  }
  return { start: start + lead, end: start + last };
}
