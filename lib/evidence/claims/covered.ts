import type { PlacedMarker } from "../markers/output-buffer";
import { mayBeClaim, type Sentence } from "./answer-sentences";

/** Further sentences stay unchecked; bounds the work. */
const MAX_COVERED = 100;
const JSON_PART = /[{[]\s*["{]/;

/** A sentence of an answer and its markers, consecutive ones in one group. */
interface MarkedSentence extends Sentence {
  groups: readonly (readonly PlacedMarker[])[];
}

/** A sentence without markers, by its index in the answer, and the markers that cover it. */
interface CoveredSentence {
  at: number;
  range: Sentence;
  group: readonly PlacedMarker[];
}

/**
 * Models often write one marker for a whole paragraph. A marker that begins or ends a paragraph covers its other sentences
 * too, up to the next marker, unless they are no claims of the model's own. Runs in linear time.
 */
export function coveredSentences(
  text: string,
  sentences: readonly MarkedSentence[],
): CoveredSentence[] {
  const covered: CoveredSentence[] = [];
  for (let first = 0; first < sentences.length && covered.length < MAX_COVERED; ) {
    const { block } = sentences[first] ?? {};
    let next = first + 1;
    while (next < sentences.length && sentences[next]?.block === block) {
      next += 1;
    }
    covered.push(...coveredIn(text, sentences.slice(first, next), first));
    first = next;
  }
  return covered.slice(0, MAX_COVERED).filter(({ range }) => mayBeClaim(text, range));
}

/** Of the paragraph that begins with the answer's sentence `first`. */
function coveredIn(text: string, paragraph: readonly MarkedSentence[], first: number) {
  const [begin, end] = [paragraph[0], paragraph.at(-1)];
  const cited = [...paragraph.keys()].filter((at) => paragraph[at]?.groups.length);
  if (!begin || !end || cited.length === 0 || JSON_PART.test(text.slice(begin.start, end.end))) {
    return [];
  }
  const leading = onlyGroup(begin, (last) => last.end <= begin.start);
  const trailing = onlyGroup(end, (last) => !/[\p{L}\p{N}]/u.test(text.slice(last.end, end.end)));
  const second = cited[1] ?? paragraph.length;
  const lastButOne = cited.at(-2) ?? -1;
  return paragraph.flatMap((range, at) => {
    const group = [...(at < second ? leading : []), ...(at > lastButOne ? trailing : [])];
    return range.groups.length === 0 && group.length > 0 ? [{ at: first + at, range, group }] : [];
  });
}

/** The model's markers of a sentence that has them in one place only, and there. */
function onlyGroup(
  { groups: [group = [], ...others] }: MarkedSentence,
  isThere: (last: PlacedMarker) => boolean,
): readonly PlacedMarker[] {
  const last = group.at(-1);
  return last && !last.isAdded && others.length === 0 && isThere(last) ? group : [];
}
