import { readDataClaims } from "@/lib/evidence/claims/data-claims";
import type { CitedSpan, ReadAnswer } from "@/lib/evidence/claims/spans";
import { CodePoints } from "@/lib/text/code-points";
import { isQuoted } from "./extended";

const FENCED = /^\s*```\w*\n([\s\S]*)\n\s*```\s*$/;
/** A list of numbers alone may be markers. */
const JSON_START = /^\s*(?:\{|\[\s*[{"])/;
/** Longer sentences are cited only where they have a marker. */
const MAX_UNMARKED_LENGTH = 1000;
/** The name of a record may be the only word of a claim. */
const MIN_WEIGHT = 1;

/** An answer that is JSON for a program, and where that begins. */
export interface DataAnswer {
  json: string;
  start: number;
}

/** JSON alone or in a code block; null for other text. */
export function findJson(text: string): DataAnswer | null {
  const json = FENCED.exec(text)?.[1] ?? text;
  if (!JSON_START.test(json)) {
    return null;
  }
  try {
    JSON.parse(json);
    return { json, start: text.indexOf(json) };
  } catch {
    return null;
  }
}

interface DataSources {
  sourceCount: number;
  /** What was searched with: repeating it claims nothing. */
  question: string;
  /** Whether values without a marker are cited, too. */
  isAttributed: boolean;
  knows: (word: string) => boolean;
  findSource: (claim: string, minWeight: number) => Promise<number | null>;
}

/** The claims of a JSON answer, each cited by its markers or, without any, to the source that it is clearly from. */
export async function readData(
  { json, start }: DataAnswer,
  text: string,
  { sourceCount, question, isAttributed, knows, findSource }: DataSources,
): Promise<ReadAnswer> {
  const points = new CodePoints(text);
  const spans: CitedSpan[] = [];
  const claims = readDataClaims(json, { sourceCount, isKnown: knows });
  for (const [sentence, claim] of claims.entries()) {
    const place = {
      start: points.toCodePoint(start + claim.start),
      end: points.toCodePoint(start + claim.end),
    };
    const isSearched =
      isAttributed &&
      claim.ids.length === 0 &&
      claim.text.length <= MAX_UNMARKED_LENGTH &&
      !isQuoted(claim.text, question);
    const found = isSearched ? await findSource(claim.text, MIN_WEIGHT) : null;
    const ids = found === null ? [...claim.ids] : [found];
    if (ids.length > 0) {
      const added = found !== null && { isAdded: true as const };
      const markers = ids.map((id) => ({ id, ...place, ...added }));
      spans.push({ ids, ...place, text: claim.text, markers, sentence, path: claim.path });
    }
  }
  return { spans, covered: [], sentences: claims.length, abstained: false };
}
