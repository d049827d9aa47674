import { type Phrases, phrasesIn, readAbbreviations } from "./concepts";
import { type Folded, fold } from "./fold";
import type { Quantity } from "./quantity";
import { analyzeSentence, type SentenceAnalysis } from "./analyze-sentence";
import { splitSentences } from "./sentences";
import { tokenize } from "./tokens";

/** A passage read once, for as many claims as there are. */
export interface AnalyzedPassage {
  passage: string;
  folded: Folded;
  readings: readonly SentenceAnalysis[];
  /** The sentences that have a key, in their order. */
  places: ReadonlyMap<string, readonly number[]>;
  /** The sentences that have a number, by `figureKey`. */
  figures: ReadonlyMap<string, readonly number[]>;
  shortForms: Phrases;
}

/** Reads a passage: all that costs time and does not depend on the claim. */
export function analyzePassage(passage: string): AnalyzedPassage {
  const folded = fold(passage);
  const tokens = tokenize(withoutMarkers(folded.text));
  const shortForms = readAbbreviations(tokens);
  const readings = splitSentences(folded.text, tokens)
    .map(analyzeSentence)
    .map((reading) => withAbbreviations(reading, shortForms));
  const places = indexBy(readings, ({ items }) => items.flatMap(({ keys }) => keys));
  const figures = indexBy(readings, ({ quantities }) => quantities.map(figureKey));
  return { passage, folded, readings, places, figures, shortForms };
}

/** One text for all ways to write a number of one measure. */
export function figureKey({ key, value }: Quantity): string {
  return `${key} ${value.toPrecision(6)}`;
}

/** Blanks "[3]" and "[1, 2]" out, which count nothing; every offset stays. */
export function withoutMarkers(text: string): string {
  return text.replace(/\[\d{1,3}(?:\s{0,3}[,;-]\s{0,3}\d{1,3}){0,20}\]/g, (marker) =>
    " ".repeat(marker.length),
  );
}

/** The reading with the concepts of a passage's own short forms added. */
export function withAbbreviations(
  reading: SentenceAnalysis,
  shortForms: Phrases,
): SentenceAnalysis {
  if (shortForms.size === 0) {
    return reading;
  }
  const found = phrasesIn(
    reading.items.map(({ stem }) => stem),
    shortForms,
  );
  const items = reading.items.map((item, index) => {
    const concepts = found.get(index);
    return concepts ? { ...item, keys: [...item.keys, ...concepts] } : item;
  });
  return found.size === 0 ? reading : { ...reading, items };
}

function indexBy(
  readings: readonly SentenceAnalysis[],
  keysOf: (reading: SentenceAnalysis) => readonly string[],
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, reading] of readings.entries()) {
    for (const key of keysOf(reading)) {
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

let last: { claim: string; reading: SentenceAnalysis } | null = null;

/** A claim as one sentence, without its citation markers. The last one is kept: it is held against many passages. */
export function readClaim(claim: string): SentenceAnalysis {
  if (last?.claim !== claim) {
    last = { claim, reading: analyzeSentence(tokenize(withoutMarkers(fold(claim).text))) };
  }
  return last.reading;
}
