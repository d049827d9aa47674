import { analyzeClaim } from "./analyze-passage";
import type { Judgement } from "./judge";
import type { Judged } from "./judged";
import { type Claim, type ClaimJudgement, VERDICT_RANKS } from "./rules-judge";

/** A number of a source that was recognized in an image and may be wrong: its place in the source's text, and its digits. */
export interface Misread {
  start: number;
  end: number;
  digits: string[];
}

interface RecognizedSource {
  text: string;
  /** Offset of its text in the document. */
  charStart: number;
  /** Ranges of the document, start and end of each in turn. */
  uncertain?: readonly number[] | null;
}

const UNJUDGED = { verdict: "unjudged", score: 0, reason: "ocr" } as const;

/** The numbers of a source's text that may have been misread. */
export function misreadNumbers({ text, charStart, uncertain }: RecognizedSource): Misread[] {
  const found: Misread[] = [];
  for (let at = 0; uncertain && at + 1 < uncertain.length; at += 2) {
    const start = Math.max(0, (uncertain[at] ?? 0) - charStart);
    const end = Math.min(text.length, (uncertain[at + 1] ?? 0) - charStart);
    const digits = digitsOf(text.slice(start, Math.max(start, end)));
    if (digits.length > 0) {
      found.push({ start, end, digits });
    }
  }
  return found;
}

/**
 * A judgement that doesn't rest on numbers that may have been misread: a claim with numbers is unjudged if its evidence
 * has such a number, or if it repeats one.
 */
export function withoutMisread(
  { text, ids }: Claim,
  judgement: ClaimJudgement,
  misreadOf: (id: number) => readonly Misread[],
): ClaimJudgement {
  const numbers = digitsOf(text);
  const hasMisread = ids.some((id) => misreadOf(id).length > 0);
  // A number may be spelled out.
  if (!hasMisread || (numbers.length === 0 && analyzeClaim(text).quantities.length === 0)) {
    return judgement;
  }
  const bySource = new Map(
    [...judgement.bySource].map(([id, one]) => [
      id,
      restsOn(one, misreadOf(id), numbers) ? { ...one, ...UNJUDGED } : one,
    ]),
  );
  return { bySource, combined: combine(judgement, bySource) };
}

/** What the sources that can be judged say, unless they say less than those that can't. */
function combine(
  { combined, bySource: before }: ClaimJudgement,
  after: ReadonlyMap<number, Judgement>,
): Judged {
  const isUnchanged = [...after].every(([id, one]) => one === before.get(id));
  if (isUnchanged || combined.verdict === "unsupported") {
    return combined;
  }
  const isKept = [...after.values()].some(
    ({ verdict }) =>
      verdict !== "unjudged" && VERDICT_RANKS[verdict] >= VERDICT_RANKS[combined.verdict],
  );
  return isKept ? combined : { ...combined, ...UNJUDGED };
}

/** Whether the evidence has a misread number; of evidence without a place, whether it may have the claim's. */
function restsOn(
  { verdict, quote }: Judgement,
  misread: readonly Misread[],
  numbers: readonly string[],
): boolean {
  return (
    verdict !== "unsupported" &&
    verdict !== "unjudged" &&
    misread.some(
      ({ start, end, digits }) =>
        (quote !== null && start < quote.end && end > quote.start) ||
        digits.some((one) => numbers.includes(one)),
    )
  );
}

/** The numbers of a text as their digits, so that "1,000" and "1000" are alike. */
function digitsOf(text: string): string[] {
  return (text.match(/\d+(?:[.,\u00a0\u202f]\d+)*/g) ?? []).map((number) =>
    number.replace(/\D/g, ""),
  );
}
