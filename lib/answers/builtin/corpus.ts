import { DEFINES } from "@/lib/evidence/questions/fit";
import { gloss } from "@/lib/evidence/questions/gloss";
import {
  MAX_NAMES,
  namesOfSubject,
  type ReadPassage,
  subjectOfTitle,
} from "@/lib/evidence/questions/passage";
import { readTerms, variantsOf } from "@/lib/evidence/questions/terms";
import { termsOf } from "@/lib/text/analyzer";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { type Language, type LatinLanguage, languageOf } from "@/lib/text/languages";
import { withColumnNames } from "@/lib/text/tables";
import { HEADING_SEPARATOR, splitUnits, type Unit } from "./units";

/** A unit with the terms of its text, of its headings and lead, and of its source's title. */
export interface Candidate extends Unit, ReadPassage {
  lead: string | null;
  text: string;
  /** What an answer writes: `text` and `lead` as they are in the source. */
  quote: { text: string; lead: string | null };
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
  names: Set<string>[];
}

export interface Corpus {
  candidates: Candidate[];
  /** In how many candidates, with their context, a term occurs. */
  documentFrequency: Map<string, number>;
  /** Of all sources, also those that weren't read. */
  languages: ReadonlySet<Language>;
}

/** Minimum IDF, so that a question made of ubiquitous terms can still be answered. */
const IDF_FLOOR = 1;
const OPENING_UNITS = 3;
/** Where a text names its subject. */
const OPENING_CHARACTERS = 1000;
const LABEL_SEPARATOR = " › ";
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

/**
 * Reads as much of the sources as the bounds allow, the first ones first. In another language than English, only those
 * of this language.
 */
export function readCorpus(
  all: readonly DelimitedSource[],
  language: LatinLanguage = "en",
): Corpus {
  const spoken = computedOnce(({ text }: DelimitedSource) => languageOf(text));
  const isRead = (source: DelimitedSource) =>
    language === "en" || (spoken(source) ?? language) === language;
  const sources = withinBounds(all.filter(isRead));
  const candidates: Candidate[] = [];
  for (const [rank, source] of sources.entries()) {
    candidates.push(...readSource({ source, rank, language }, UNITS - candidates.length));
  }
  const definitions = candidates.filter(({ isOpening, text }) => isOpening && DEFINES.test(text));
  // The first definition wins because it is inserted last.
  const abouts = new Map(
    definitions.toReversed().map(({ source, own }) => [documentOf(source), own]),
  );
  const names = namesByDocument(sources, language);
  for (const candidate of candidates) {
    candidate.names = names.get(documentOf(candidate.source)) ?? candidate.names;
    candidate.about = abouts.get(documentOf(candidate.source)) ?? candidate.about;
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
    languages: new Set(all.flatMap((source) => spoken(source) ?? [])),
  };
}

/** The title of a source's document, without the headings that follow it. */
export function documentOf({ title }: DelimitedSource): string {
  return title.split(LABEL_SEPARATOR)[0] ?? title;
}

/** The names of each document's subject, whichever of its passages gives them. */
function namesByDocument(
  sources: readonly DelimitedSource[],
  language: LatinLanguage,
): Map<string, Set<string>[]> {
  const names = new Map<string, Map<string, Set<string>>>();
  for (const source of sources) {
    const document = documentOf(source);
    const known = names.get(document) ?? new Map<string, Set<string>>();
    const opening = gloss(source.text.slice(0, OPENING_CHARACTERS), language);
    for (const name of namesOfSubject(gloss(source.title, language), opening)) {
      known.set([...name].join(" "), name);
    }
    names.set(document, known);
  }
  return new Map(
    [...names].map(([document, known]) => [document, [...known.values()].slice(0, MAX_NAMES)]),
  );
}

function withinBounds(all: readonly DelimitedSource[]): DelimitedSource[] {
  let left = CORPUS_CHARACTERS;
  return all.slice(0, SOURCES).map((source) => {
    const text = source.text.slice(0, Math.min(SOURCE_CHARACTERS, left));
    left -= text.length;
    return { ...source, text };
  });
}

/** The terms of the corpus that match a term, each with its strength. */
export function formsOf({ documentFrequency }: Corpus, term: string): Map<string, number> {
  const known = [...variantsOf(term)].filter(([other]) => documentFrequency.has(other));
  return new Map([...known, [term, 1]]);
}

/** Inverse document frequency over all forms of a term. */
export function idfOf(corpus: Corpus, forms: Iterable<string>): number {
  const count = corpus.candidates.length;
  const found = Math.max(0, ...[...forms].map((form) => corpus.documentFrequency.get(form) ?? 0));
  return IDF_FLOOR + Math.log(1 + (count - found + 0.5) / (found + 0.5));
}

function readSource(
  { source, rank, language }: { source: DelimitedSource; rank: number; language: LatinLanguage },
  limit: number,
): Candidate[] {
  const read = computedOnce((text: string) => gloss(text, language));
  const readTitle = read(source.title);
  const title = new Set(readTerms(readTitle));
  const subject = new Set(readTerms(subjectOfTitle(readTitle)));
  const labels = readTitle.split(LABEL_SEPARATOR).slice(1);
  const labelTerms = termsOf(labels.join(" "));
  const leadTermsOf = computedOnce((lead: string | null) =>
    termsOf((lead ?? "").slice(0, LEAD_CHARACTERS)),
  );
  const sectionOf = computedOnce((heading: string | null) => {
    const terms = [...labelTerms, ...termsOf(heading ?? "")];
    const nearest = heading?.split(HEADING_SEPARATOR).at(-1) ?? labels.at(-1);
    return {
      place: nearest === undefined ? readTitle : withoutTitle(nearest, subject),
      contextOf: computedOnce(
        (lead: string | null) => new Set([...terms, ...leadTermsOf(lead)].slice(0, CONTEXT_TERMS)),
      ),
    };
  });
  const units = splitUnits(withColumnNames(source.text)).filter(
    ({ text }) => text.length <= UNIT_CHARACTERS,
  );
  return units.slice(0, limit).map((written) => {
    const quote = { text: written.text, lead: written.lead };
    const unit = {
      ...written,
      text: gloss(written.text, language),
      lead: written.lead && read(written.lead),
      heading: written.heading && read(written.heading),
    };
    const sequence = readTerms(unit.text);
    const { place, contextOf } = sectionOf(unit.heading);
    return {
      ...unit,
      quote,
      source,
      rank,
      sequence,
      own: new Set(sequence),
      context: contextOf(unit.lead),
      place,
      title,
      about: new Set(),
      isOpening: opens(unit, sequence, subject),
      names: [],
    };
  });
}

/** "Asthma is a …" at the start of a source, before a heading narrows its subject. */
function opens(
  { index, text, heading }: Unit,
  sequence: readonly string[],
  title: ReadonlySet<string>,
): boolean {
  const nearest = termsOf(heading?.split(HEADING_SEPARATOR).at(-1) ?? "");
  const isOutset = index < OPENING_UNITS && nearest.every((term) => title.has(term));
  const names = sequence.slice(0, 4).some((term) => title.has(term));
  return isOutset && names && (index > 0 || DEFINES.test(text));
}

/** In "HbA1c test", the heading "Limits of the test" is about limits. */
function withoutTitle(heading: string, title: ReadonlySet<string>): string {
  return heading
    .split(/\s+/)
    .filter((word) => !termsOf(word).some((term) => title.has(term)))
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
