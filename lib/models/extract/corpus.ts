import type { FencedSource } from "@/lib/models/source-fence";
import { splitUnits, type Unit } from "./sentences";
import { areForms, foldedTermsOf, synonymsOf } from "./terms";

/** A unit with the terms that it, the headings and lead above it, and its source's title speak of. */
export interface Candidate extends Unit {
  source: FencedSource;
  /** The rank of its source in the prompt, from 0. */
  rank: number;
  sequence: string[];
  own: Set<string>;
  context: Set<string>;
  title: Set<string>;
  /** The title's names, each by itself: outside and inside its brackets. */
  titles: Set<string>[];
}

/** Everything the sources say, ready to be asked. */
export interface Corpus {
  candidates: Candidate[];
  /** In how many candidates, with their context, a term occurs. */
  spread: Map<string, number>;
}

export function readCorpus(sources: readonly FencedSource[]): Corpus {
  const candidates = sources.flatMap(readSource);
  const spread = new Map<string, number>();
  for (const { own, context, title } of candidates) {
    for (const term of new Set([...own, ...context, ...title])) {
      spread.set(term, (spread.get(term) ?? 0) + 1);
    }
  }
  return { candidates, spread };
}

/** The words of the sources that stand for a term, and how well: itself, its forms and its synonyms. */
export function formsOf(corpus: Corpus, term: string): Map<string, number> {
  const synonyms = synonymsOf(term).filter((other) => corpus.spread.has(other));
  const forms = [...corpus.spread.keys()].filter((other) => areForms(term, other));
  return new Map([
    ...synonyms.map((other) => [other, SYNONYM_STRENGTH] as const),
    ...forms.map((other) => [other, FORM_STRENGTH] as const),
    [term, 1],
  ]);
}
const SYNONYM_STRENGTH = 0.8;
const FORM_STRENGTH = 0.9;

/** How much a term tells: high when few candidates have a form of it, highest when none has. */
export function idfOf(corpus: Corpus, forms: Iterable<string>): number {
  const count = corpus.candidates.length;
  const found = Math.max(0, ...[...forms].map((form) => corpus.spread.get(form) ?? 0));
  return IDF_FLOOR + Math.log(1 + (count - found + 0.5) / (found + 0.5));
}
const IDF_FLOOR = 0.5;

function readSource(source: FencedSource, rank: number): Candidate[] {
  const title = new Set(foldedTermsOf(source.title));
  const titles = source.title.split(/[()]/).map((name) => new Set(foldedTermsOf(name))).filter(({ size }) => size > 0);
  const contexts = new Map<string, Set<string>>();
  return splitUnits(source.text).map((unit) => {
    const above = `${unit.heading ?? ""}\n${unit.lead ?? ""}`;
    const context = contexts.get(above) ?? new Set(foldedTermsOf(above));
    contexts.set(above, context);
    const sequence = foldedTermsOf(unit.text);
    return { ...unit, source, rank, sequence, own: new Set(sequence), context, title, titles };
  });
}
