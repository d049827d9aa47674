/** How much of a page's text agrees with its reference, each from 0 to 1. */
export interface Agreement {
  /** Words of the reference in the text, and words of the text in the reference, each as often as it occurs. */
  recall: number;
  precision: number;
  /** Runs of three words that follow each other in both; null for a page with too few. */
  order: number | null;
}

/** Pages with fewer runs say nothing about order. */
const MIN_RUNS = 15;
const RUN = 3;
/** A word, or a character of a script without spaces between words. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

export function agreementOf(text: string, reference: string): Agreement | null {
  const [ours, theirs] = [wordsOf(text), wordsOf(reference)];
  if (theirs.length === 0) {
    return null;
  }
  const shared = sharedOf(ours, theirs);
  const [runs, referenceRuns] = [runsOf(ours), runsOf(theirs)];
  return {
    recall: shared / theirs.length,
    precision: ours.length > 0 ? shared / ours.length : 0,
    order:
      referenceRuns.length < MIN_RUNS ? null : sharedOf(runs, referenceRuns) / referenceRuns.length,
  };
}

/** The least number of characters to insert, remove or replace, as a share of the reference's. */
export function characterErrors(text: string, reference: string): number {
  const [ours, theirs] = [plain(text), plain(reference)];
  return theirs.length === 0 ? 0 : editDistance(ours, theirs) / theirs.length;
}

function editDistance(ours: string, theirs: string): number {
  let row = Uint16Array.from({ length: ours.length + 1 }, (_, at) => at);
  for (const [line, character] of [...theirs].entries()) {
    const next = new Uint16Array(row.length);
    next[0] = line + 1;
    for (let at = 1; at < row.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (ours.charAt(at - 1) === character ? 0 : 1);
      next[at] = Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** As `characterErrors`, but each word is compared with the likest one that isn't in both, wherever it is. */
export function misreadCharacters(text: string, reference: string): number {
  const [ours, theirs] = [plain(text).split(" "), plain(reference).split(" ")];
  const extra = without(ours, theirs);
  let errors = 0;
  for (const word of without(theirs, ours)) {
    const distances = extra.map((other) => editDistance(other, word));
    const least = Math.min(word.length, ...distances);
    errors += least;
    if (least < word.length) {
      extra.splice(distances.indexOf(least), 1);
    }
  }
  const rest = extra.reduce((sum, { length }) => sum + length, 0);
  return (errors + rest) / Math.max(1, theirs.join("").length);
}

/** Without the marks of Markdown's tables, and without the headers that full passages repeat. */
function plain(text: string): string {
  const headers = new Set<string>();
  return text
    .normalize("NFKC")
    .replace(/^\|.*\|\n\|(?: --- \|)+$/gm, (header) =>
      headers.has(header) ? "" : headers.add(header) && header,
    )
    .replace(/^\|(?: --- \|)+$/gm, " ")
    .replace(/(?:\\\||[\s|])+/g, " ")
    .trim();
}

function wordsOf(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(WORDS) ?? [];
}

function runsOf(words: readonly string[]): string[] {
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(" "));
}

function sharedOf(some: readonly string[], others: readonly string[]): number {
  return some.length - without(some, others).length;
}

/** The words that aren't among the others, each as often as it is missing there. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of others) {
    counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return words.filter((word) => {
    const left = counts.get(word) ?? 0;
    counts.set(word, left - 1);
    return left <= 0;
  });
}
