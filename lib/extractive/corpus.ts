import { termsOf } from "@/lib/text/analyzer";
import type { DelimitedSource } from "@/lib/text/delimiters";
import synonymGroups from "./synonyms.json" with { type: "json" };
import { HEADING_SEPARATOR, splitUnits, type Unit } from "./units";

/** A unit with the terms of its text, of its headings and lead, and of its source's title. */
export interface Candidate extends Unit {
  source: DelimitedSource;
  rank: number;
  sequence: string[];
  own: Set<string>;
  context: Set<string>;
  title: Set<string>;
  /** Terms of the sentence that defines the document's subject. */
  about: Set<string>;
  /** Whether it is one of the first sentences of its source, which usually define the subject. */
  isOpening: boolean;
  /** Each name in the title: "Acetaminophen (paracetamol)" has two. */
  names: Set<string>[];
}

export interface Corpus {
  candidates: Candidate[];
  /** In how many candidates, with their context, a term occurs. */
  documentFrequency: Map<string, number>;
  topics: Set<string>;
}

const SYNONYM_STRENGTH = 0.8;
const FORM_STRENGTH = 0.9;
/** Minimum IDF, so that a question made of ubiquitous terms can still be answered. */
const IDF_FLOOR = 1;
const OPENING_UNITS = 3;
const DEFINES =
  /^(?:\S+\s+){1,12}?(?:is|are|was|were|means?|refers? to|happens?|describes?|occurs?|causes?|affects?)\b/;

export function readCorpus(sources: readonly DelimitedSource[]): Corpus {
  const candidates = sources.flatMap(readSource);
  const definitions = candidates.filter(({ isOpening, text }) => isOpening && DEFINES.test(text));
  // The first definition wins because it is inserted last.
  const abouts = new Map(definitions.toReversed().map(({ source, own }) => [source.title, own]));
  for (const candidate of candidates) {
    candidate.about = abouts.get(candidate.source.title) ?? candidate.about;
  }
  const documentFrequency = new Map<string, number>();
  for (const { own, context, title } of candidates) {
    for (const term of new Set([...own, ...context, ...title])) {
      documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1);
    }
  }
  return {
    candidates,
    documentFrequency,
    topics: new Set(sources.flatMap(({ title }) => foldedTermsOf(title))),
  };
}

/** The terms that match a term, each with its strength: itself, its forms and its synonyms. */
export function formsOf(corpus: Corpus, term: string): Map<string, number> {
  const known = [...corpus.documentFrequency.keys()];
  const synonyms = synonymsOf(term);
  const matching = (isMatch: (other: string) => boolean, strength: number) =>
    known.filter(isMatch).map((other) => [other, strength] as const);
  return new Map([
    ...matching((other) => synonyms.has(other), SYNONYM_STRENGTH),
    ...matching((other) => isSameWord(term, other), FORM_STRENGTH),
    [term, 1],
  ]);
}

/** Inverse document frequency over all forms of a term. */
export function idfOf(corpus: Corpus, forms: Iterable<string>): number {
  const count = corpus.candidates.length;
  const found = Math.max(0, ...[...forms].map((form) => corpus.documentFrequency.get(form) ?? 0));
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
    return {
      ...unit,
      source,
      rank,
      sequence,
      own: new Set(sequence),
      context: new Set(foldedTermsOf(`${unit.heading ?? ""}\n${unit.lead ?? ""}`)),
      title,
      about: new Set(),
      isOpening: opens(unit, sequence, title),
      names,
    };
  });
}

/** "Asthma is a …" at the start of a source, before a heading narrows its subject. */
function opens(
  { index, text, heading }: Unit,
  sequence: readonly string[],
  title: ReadonlySet<string>,
): boolean {
  const nearest = foldedTermsOf(heading?.split(HEADING_SEPARATOR).at(-1) ?? "");
  const isOutset = index < OPENING_UNITS && nearest.every((term) => title.has(term));
  const names = sequence.slice(0, 4).some((term) => title.has(term));
  return isOutset && names && (index > 0 || DEFINES.test(text));
}

/** Content terms, with British "anaemia" and "oesophagus" folded to "anemia" and "esophagus". */
export function foldedTermsOf(text: string): string[] {
  return termsOf(text).map((term) => term.replace(/[ao]e/g, "e"));
}

/** Everyday words and their technical synonyms, and forms that the stemmer doesn't unify. */
const SYNONYMS = synonymGroups.map((group) => new Set(foldedTermsOf(group.join(" "))));

export function synonymsOf(term: string): Set<string> {
  return new Set(SYNONYMS.filter((group) => group.has(term)).flatMap((group) => [...group]));
}

/** Endings that the stemmer leaves on forms of one word: "hypoglycem" and "hypoglycemia". */
const ENDINGS = new Set([
  "",
  ..."a ia ic i y is e s t tic al ial ical ism ist ous c ed ing".split(" "),
]);
const MIN_COMMON = 5;

export function isSameWord(one: string, other: string): boolean {
  let common = 0;
  while (common < one.length && one[common] === other[common]) {
    common += 1;
  }
  return common >= MIN_COMMON && ENDINGS.has(one.slice(common)) && ENDINGS.has(other.slice(common));
}
