import { analyzeSentence, type SentenceAnalysis } from "./analyze-sentence";
import { findAbbreviations, type Phrases, phrasesIn } from "./concepts";
import { type FoldedText, fold } from "./fold";
import type { Quantity } from "./quantities";
import { splitSentences } from "./sentences";
import { tokenize } from "./tokens";

export interface AnalyzedPassage {
  passage: string;
  folded: FoldedText;
  analyses: readonly SentenceAnalysis[];
  /** Sentence indexes by match key, ascending. */
  sentencesByKey: ReadonlyMap<string, readonly number[]>;
  sentencesByNumber: ReadonlyMap<string, readonly number[]>;
  abbreviations: Phrases;
}

export function analyzePassage(passage: string): AnalyzedPassage {
  const folded = fold(passage);
  const tokens = tokenize(withoutMarkers(folded.text));
  const abbreviations = findAbbreviations(tokens);
  const analyses = splitSentences(folded.text, tokens)
    .map(analyzeSentence)
    .map((analysis) => withAbbreviations(analysis, abbreviations));
  const sentencesByKey = indexBy(analyses, ({ terms }) => terms.flatMap(({ keys }) => keys));
  const sentencesByNumber = indexBy(analyses, ({ quantities }) => quantities.map(numberKey));
  return {
    passage,
    folded,
    analyses,
    sentencesByKey,
    sentencesByNumber,
    abbreviations,
  };
}

/** Equal for every way to write the same quantity. */
export function numberKey({ key, value }: Quantity): string {
  return `${key} ${value.toPrecision(6)}`;
}

/** Replaces "[3]" and "[1, 2]" with blanks, keeping every offset. */
function withoutMarkers(text: string): string {
  return text.replace(/\[\d{1,3}(?:\s{0,3}[,;-]\s{0,3}\d{1,3}){0,20}\]/g, (marker) =>
    " ".repeat(marker.length),
  );
}

/** Adds the concepts of abbreviations that the passage defines. */
export function withAbbreviations(
  analysis: SentenceAnalysis,
  abbreviations: Phrases,
): SentenceAnalysis {
  if (abbreviations.size === 0) {
    return analysis;
  }
  const found = phrasesIn(
    analysis.terms.map(({ stem }) => stem),
    abbreviations,
  );
  const terms = analysis.terms.map((term, index) => {
    const concepts = found.get(index);
    return concepts ? { ...term, keys: [...term.keys, ...concepts] } : term;
  });
  return found.size === 0 ? analysis : { ...analysis, terms };
}

function indexBy(
  analyses: readonly SentenceAnalysis[],
  keysOf: (analysis: SentenceAnalysis) => readonly string[],
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, analysis] of analyses.entries()) {
    for (const key of keysOf(analysis)) {
      place(places, key, at);
    }
  }
  return places;
}

function place(places: Map<string, number[]>, key: string, at: number): void {
  const known = places.get(key);
  if (!known) {
    places.set(key, [at]);
  } else if (known.at(-1) !== at) {
    known.push(at);
  }
}

let last: { claim: string; analysis: SentenceAnalysis } | null = null;

/**
 * Analyzes a claim as one sentence, without its markers. Caches the last one, which is usually judged against
 * several passages.
 */
export function analyzeClaim(claim: string): SentenceAnalysis {
  if (last?.claim !== claim) {
    last = { claim, analysis: analyzeSentence(tokenize(withoutMarkers(fold(claim).text))) };
  }
  return last.analysis;
}
