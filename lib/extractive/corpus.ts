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
  /** What its nearest heading adds to the title, or else the title. */
  place: string;
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
/** Bounds on the work, whatever the sources contain. Retrieval with default settings stays below them. */
const SOURCES = 50;
const SOURCE_CHARACTERS = 20_000;
const CORPUS_CHARACTERS = 400_000;
const UNITS = 6000;
/** Longer ones have no sentences to quote. */
const UNIT_CHARACTERS = 4000;
/** Terms of the headings and the lead that count, and the part of a lead that is read for them. */
const CONTEXT_TERMS = 100;
export const LEAD_CHARACTERS = 500;
const DEFINES =
  /^(?:\S+\s+){1,12}?(?:is|are|was|were|means?|refers? to|happens?|describes?|occurs?|causes?|affects?)\b/;

/** Reads as much of the sources as the bounds allow, the first ones first. */
export function readCorpus(all: readonly DelimitedSource[]): Corpus {
  const sources = withinBounds(all);
  const candidates: Candidate[] = [];
  for (const [rank, source] of sources.entries()) {
    candidates.push(...readSource(source, rank, UNITS - candidates.length));
  }
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

function withinBounds(all: readonly DelimitedSource[]): DelimitedSource[] {
  let left = CORPUS_CHARACTERS;
  return all.slice(0, SOURCES).map((source) => {
    const text = source.text.slice(0, Math.min(SOURCE_CHARACTERS, left));
    left -= text.length;
    return { ...source, text };
  });
}

/** The terms that match a term, each with its strength: itself, its forms and its synonyms. */
export function formsOf({ documentFrequency }: Corpus, term: string): Map<string, number> {
  const known = (others: Iterable<string>, strength: number) =>
    [...others]
      .filter((other) => documentFrequency.has(other))
      .map((other) => [other, strength] as const);
  return new Map([
    ...known(synonymsOf(term), SYNONYM_STRENGTH),
    ...known(sameWordsOf(term), FORM_STRENGTH),
    [term, 1],
  ]);
}

/** Inverse document frequency over all forms of a term. */
export function idfOf(corpus: Corpus, forms: Iterable<string>): number {
  const count = corpus.candidates.length;
  const found = Math.max(0, ...[...forms].map((form) => corpus.documentFrequency.get(form) ?? 0));
  return IDF_FLOOR + Math.log(1 + (count - found + 0.5) / (found + 0.5));
}

function readSource(source: DelimitedSource, rank: number, limit: number): Candidate[] {
  const title = new Set(foldedTermsOf(source.title));
  const names = source.title
    .split(/[()–—|›:]/)
    .map((name) => new Set(foldedTermsOf(name)))
    .filter(({ size }) => size > 0);
  const leadTermsOf = computedOnce((lead: string | null) =>
    foldedTermsOf((lead ?? "").slice(0, LEAD_CHARACTERS)),
  );
  const sectionOf = computedOnce((heading: string | null) => {
    const terms = foldedTermsOf(heading ?? "");
    const nearest = heading?.split(HEADING_SEPARATOR).at(-1);
    return {
      place: nearest === undefined ? source.title : withoutTitle(nearest, title),
      contextOf: computedOnce(
        (lead: string | null) => new Set([...terms, ...leadTermsOf(lead)].slice(0, CONTEXT_TERMS)),
      ),
    };
  });
  const units = splitUnits(source.text).filter(({ text }) => text.length <= UNIT_CHARACTERS);
  return units.slice(0, limit).map((unit) => {
    const sequence = foldedTermsOf(unit.text);
    const { place, contextOf } = sectionOf(unit.heading);
    return {
      ...unit,
      source,
      rank,
      sequence,
      own: new Set(sequence),
      context: contextOf(unit.lead),
      place,
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

/** In "HbA1c test", the heading "Limits of the test" is about limits. */
function withoutTitle(heading: string, title: ReadonlySet<string>): string {
  return heading
    .split(/\s+/)
    .filter((word) => !foldedTermsOf(word).some((term) => title.has(term)))
    .join(" ");
}

/** Computes a result once per argument. */
export function computedOnce<K, V>(compute: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) {
      return known;
    }
    const result = compute(key);
    results.set(key, result);
    return result;
  };
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
const LONGEST_ENDING = Math.max(...[...ENDINGS].map(({ length }) => length));

/** Every word that `isSameWord` accepts. */
function sameWordsOf(term: string): string[] {
  const words: string[] = [];
  const first = Math.max(MIN_COMMON, term.length - LONGEST_ENDING);
  for (let end = first; end <= term.length; end += 1) {
    if (ENDINGS.has(term.slice(end))) {
      words.push(...[...ENDINGS].map((ending) => term.slice(0, end) + ending));
    }
  }
  return words.filter((word) => isSameWord(term, word));
}

export function isSameWord(one: string, other: string): boolean {
  let common = 0;
  while (common < one.length && one[common] === other[common]) {
    common += 1;
  }
  return common >= MIN_COMMON && ENDINGS.has(one.slice(common)) && ENDINGS.has(other.slice(common));
}
