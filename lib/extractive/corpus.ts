import type { DelimitedSource } from "@/lib/text/delimiters";
import { HEADING_JOINT, splitUnits, type Unit } from "./units";
import { areForms, foldedTermsOf, synonymsOf } from "./terms";

/** A unit with the terms that it, the headings and lead above it, and its source's title speak of. */
export interface Candidate extends Unit {
  source: DelimitedSource;
  /** The rank of its source in the prompt, from 0. */
  rank: number;
  sequence: string[];
  own: Set<string>;
  context: Set<string>;
  title: Set<string>;
  /** What the sentence that defines the document's subject says of it. */
  about: Set<string>;
  /** Whether it is one of the first sentences of its source, which say what its subject is. */
  isOpening: boolean;
  /** The names that the title gives, each by itself: of "Acetaminophen (paracetamol)", two. */
  names: Set<string>[];
}

/** Everything the sources say, ready to be asked. */
export interface Corpus {
  candidates: Candidate[];
  /** In how many candidates, with their context, a term occurs. */
  spread: Map<string, number>;
  /** The terms of all titles. */
  topics: Set<string>;
}

const SYNONYM_STRENGTH = 0.8;
const FORM_STRENGTH = 0.9;
/** What a term counts that stands everywhere, so that a question of such terms can still be answered. */
const IDF_FLOOR = 1;
const OPENING_UNITS = 3;
const SAYS_WHAT_IT_IS =
  /^(?:\S+\s+){1,12}?(?:is|are|was|were|means?|refers? to|happens?|describes?|occurs?|causes?|affects?)\b/;

export function readCorpus(sources: readonly DelimitedSource[]): Corpus {
  const candidates = sources.flatMap(readSource);
  const definitions = candidates.filter(
    ({ isOpening, text }) => isOpening && SAYS_WHAT_IT_IS.test(text),
  );
  // Of several the first counts, which comes last here.
  const abouts = new Map(definitions.toReversed().map(({ source, own }) => [source.title, own]));
  for (const candidate of candidates) {
    candidate.about = abouts.get(candidate.source.title) ?? candidate.about;
  }
  const spread = new Map<string, number>();
  for (const { own, context, title } of candidates) {
    for (const term of new Set([...own, ...context, ...title])) {
      spread.set(term, (spread.get(term) ?? 0) + 1);
    }
  }
  return {
    candidates,
    spread,
    topics: new Set(sources.flatMap(({ title }) => foldedTermsOf(title))),
  };
}

/** The terms that stand for a term, each with how well it does: itself, its forms and its synonyms. */
export function formsOf(corpus: Corpus, term: string): Map<string, number> {
  const known = [...corpus.spread.keys()];
  const synonyms = synonymsOf(term);
  return new Map([
    ...known
      .filter((other) => synonyms.has(other))
      .map((other) => [other, SYNONYM_STRENGTH] as const),
    ...known
      .filter((other) => areForms(term, other))
      .map((other) => [other, FORM_STRENGTH] as const),
    [term, 1],
  ]);
}

/** How much a term tells: little when most candidates have a form of it, most when none has. */
export function idfOf(corpus: Corpus, forms: Iterable<string>): number {
  const count = corpus.candidates.length;
  const found = Math.max(0, ...[...forms].map((form) => corpus.spread.get(form) ?? 0));
  return IDF_FLOOR + Math.log(1 + (count - found + 0.5) / (found + 0.5));
}

function readSource(source: DelimitedSource, rank: number): Candidate[] {
  const title = new Set(foldedTermsOf(source.title));
  const names = source.title
    .split(/[()–—|›:]/)
    .map((name) => new Set(foldedTermsOf(name)))
    .filter(({ size }) => size > 0);
  return splitUnits(source.text).map((unit) => {
    const sequence = foldedTermsOf(unit.text);
    const context = new Set(foldedTermsOf(`${unit.heading ?? ""}\n${unit.lead ?? ""}`));
    const isOpening = opens(unit, sequence, title);
    return {
      ...unit,
      source,
      rank,
      sequence,
      own: new Set(sequence),
      context,
      title,
      about: new Set(),
      isOpening,
      names,
    };
  });
}

/** "Asthma is a …": at the outset of a source, before any heading that narrows its subject. */
function opens(
  { index, text, heading }: Unit,
  sequence: readonly string[],
  title: ReadonlySet<string>,
): boolean {
  const nearest = foldedTermsOf(heading?.split(HEADING_JOINT).at(-1) ?? "");
  const isOutset = index < OPENING_UNITS && nearest.every((term) => title.has(term));
  const names = sequence.slice(0, 4).some((term) => title.has(term));
  return isOutset && names && (index > 0 || SAYS_WHAT_IT_IS.test(text));
}
