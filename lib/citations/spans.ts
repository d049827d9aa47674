import type { Range } from "@/lib/text/sentences";
import { normalizeMarkers } from "./markers";
import type { PlacedMarker } from "./markers/output-buffer";
import type { Citation, UrlCitation } from "./schema";
import { CodePoints } from "@/lib/text/code-points";
import { answerSentences, type Sentence } from "./answer-sentences";

/** What the markers at one place stand for. All offsets count Unicode code points of the answer. */
export interface CitedSpan {
  /** The sources that the markers name, in their order. */
  ids: number[];
  start: number;
  end: number;
  /** The answer from `start` to `end`: a sentence, or the part of it between two markers. */
  text: string;
  markers: PlacedMarker[];
  /** Its sentence, by its place among those of the answer. */
  sentence: number;
}

/** What an answer's markers stand for, and how many sentences it has that say something or have a marker. */
export interface AnswerReading {
  spans: CitedSpan[];
  sentences: number;
}

/** More sources than any answer has: the guard of an answer already dropped the unknown. */
const ANY_SOURCE = 999;

/**
 * The spans of an answer that a guard has passed, in the order of its markers; the guard knows them,
 * or they are found once more. Markers that
 * follow each other share one; it runs from the beginning of their sentence, or from the markers before
 * them in it, to the marker, and holds no marker itself. A full stop belongs to it when the
 * marker stands behind it. Where nothing but a lead-in stands before ("According to [1], …") it is what
 * follows, up to the next marker or the end of the sentence.
 */
export function spansOf(text: string, markers?: readonly PlacedMarker[]): CitedSpan[] {
  return readAnswer(text, markers).spans;
}

/** As `spansOf`, with a count of the sentences; headings and code are none of themselves. */
export function readAnswer(
  text: string,
  markers: readonly PlacedMarker[] = normalizeMarkers(text, ANY_SOURCE).markers,
): AnswerReading {
  const sentences = answerSentences(text, markers);
  const points = new CodePoints(text);
  let next = 0;
  const spans = sentences.flatMap((sentence, at) => {
    const first = next;
    const limit = sentences[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    while ((markers[next]?.start ?? limit) < limit) {
      next += 1;
    }
    const groups = groupsOf(text, markers.slice(first, next));
    return coverAll(text, sentence, groups).map((cover) => ({ ...cover, sentence: at }));
  });
  const cited = new Set(spans.map(({ sentence }) => sentence));
  return {
    spans: spans.map((span) => toSpan(text, span, points)),
    sentences: sentences.filter(({ isStatement }, at) => isStatement || cited.has(at)).length,
  };
}

function toSpan(
  text: string,
  { start, end, group, sentence }: Cover & { sentence: number },
  points: CodePoints,
): CitedSpan {
  return {
    ids: [...new Set(group.map(({ id }) => id))],
    start: points.toCodePoint(start),
    end: points.toCodePoint(end),
    text: text.slice(start, end),
    markers: group.map((marker) => ({
      id: marker.id,
      start: points.toCodePoint(marker.start),
      end: points.toCodePoint(marker.end),
    })),
    sentence,
  };
}

type Group = PlacedMarker[];

interface Cover extends Range {
  group: Group;
}

const LONGEST_JOINT = 16;
const LONGEST_LEAD_IN = 60;

/** Markers with nothing between them but blanks, commas and "and". */
function groupsOf(text: string, markers: readonly PlacedMarker[]): Group[] {
  const groups: Group[] = [];
  for (const marker of markers) {
    const last = groups.at(-1);
    const from = last?.at(-1)?.end ?? 0;
    const isNear = marker.start - from <= LONGEST_JOINT;
    if (
      last &&
      isNear &&
      /^[\s,;&]*(?:and|or|und|et|y|e)?[\s*]*$/.test(text.slice(from, marker.start))
    ) {
      last.push(marker);
    } else {
      groups.push([marker]);
    }
  }
  return groups;
}

/** What ends with one of these says nothing before its marker: "According to [1]", "As shown in [2]". */
const LEAD_IN =
  /^\W*(?:\p{L}+\s+){0,5}(?:in|to|by|of|on|from|per|see|source|study|reference|ref|segundo|com|según|laut|selon|nach)\s*$/iu;

function coverAll(text: string, sentence: Sentence, groups: readonly Group[]): Cover[] {
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

/** What stands before the markers or, when that says nothing, what follows them; null when neither does. */
function choose(text: string, before: Range, after: Range): Range | null {
  const isBeforeSaid = isSaid(text, before);
  const isShort = before.end - before.start <= LONGEST_LEAD_IN;
  const isLeadIn = isShort && LEAD_IN.test(text.slice(before.start, before.end));
  if ((isLeadIn || !isBeforeSaid) && isSaid(text, after)) {
    return after;
  }
  return isBeforeSaid ? before : null;
}

function isSaid(text: string, { start, end }: Range): boolean {
  return /[\p{L}\p{N}]/u.test(text.slice(start, end));
}

/** Without blanks around it and, where it goes on after a marker, without what joins it to that. */
function trim(text: string, { start, end }: Range, isPart: boolean): Range {
  const part = text.slice(start, Math.max(start, end));
  const lead = (isPart ? /^[\s>|,;:.!?)–—-]+/ : /^[\s>|]+/).exec(part)?.[0].length ?? 0;
  let last = part.length;
  while (last > lead && /[\s(|]/.test(part.charAt(last - 1))) {
    last -= 1;
  }
  return { start: start + lead, end: start + last };
}

/** What an annotation says beyond where its marker stands and what it names. */
type Evidence = Pick<UrlCitation["url_citation"], "verification" | "quote">;

interface AnnotationNeeds {
  urlOf: (citation: Citation) => string;
  evidenceOf?: (span: CitedSpan, citation: Citation) => Evidence;
}

/**
 * The annotations of an answer, one a marker whose citation exists, in the order of the text. `start_index`
 * and `end_index` are those of the marker itself, as in OpenAI's answers; `claim` is what it stands for.
 */
export function toAnnotations(
  spans: readonly CitedSpan[],
  citations: readonly Citation[],
  { urlOf, evidenceOf }: AnnotationNeeds,
): UrlCitation[] {
  const byId = new Map(citations.map((citation) => [citation.id, citation]));
  return spans.flatMap((span) =>
    span.markers.flatMap(({ id, start, end }) => {
      const citation = byId.get(id);
      return citation
        ? [
            {
              type: "url_citation" as const,
              url_citation: {
                start_index: start,
                end_index: end,
                title: citation.title,
                url: urlOf(citation),
                citation_id: id,
                claim: { start_index: span.start, end_index: span.end, text: span.text },
                ...evidenceOf?.(span, citation),
              },
            },
          ]
        : [];
    }),
  );
}
