import { type Corpus, formsOf, idfOf } from "./corpus";
import type { Question } from "./question";

export interface QueryTerm {
  term: string;
  /** How much match it counts: what the question gives it times its idf. */
  weight: number;
  /** The stems that match it, each with its strength. */
  forms: Map<string, number>;
  /** The names of the question's aspects that it belongs to. */
  aspects: Set<string>;
  /** Whether it is part of the subject, rather than of what is asked about the subject. */
  isSubject: boolean;
  /** Whether it belongs to a title that the question names in full; answers must mention it. */
  isRequired: boolean;
  /** Whether it only occurs beside or before the question; answers may lack it. */
  isAside: boolean;
  /** Whether it comes from the conversation's subject; answers must mention at least one of these. */
  isAnchor: boolean;
}

const ASPECT_STRENGTH = 0.7;
/** A name that no source contains is probably the subject. */
const UNKNOWN_NAME_STRESS = 1.5;
/** Terms with less weight than this aren't part of the subject. */
const SUBJECT_COUNTS = 0.5;
/** Caps the IDF of terms outside the subject. */
const HELPER_IDF = 1.5;

export function readQueryTerms(question: Question, corpus: Corpus): QueryTerm[] {
  const required = question.isComparison ? new Set<string>() : titleTermsOf(question, corpus);
  return [...new Map([...question.asides, ...question.terms])].map(([term, counts]) => {
    const aspects = question.aspects.filter(({ stems }) => stems.has(term));
    const forms = new Map([
      ...aspects.flatMap(({ stems }) => [...stems].map((stem) => [stem, ASPECT_STRENGTH] as const)),
      ...formsOf(corpus, term),
    ]);
    const isAside = question.asides.has(term) && !question.terms.has(term);
    const isSubject = !isAside && aspects.length === 0 && counts >= SUBJECT_COUNTS;
    const isUnknownName =
      question.names.has(term) &&
      [...forms.keys()].every((form) => !corpus.documentFrequency.has(form));
    const idf = idfOf(corpus, forms.keys());
    return {
      term,
      weight:
        counts *
        (isUnknownName ? UNKNOWN_NAME_STRESS : 1) *
        (isSubject ? idf : Math.min(idf, HELPER_IDF)),
      forms,
      aspects: new Set(aspects.map(({ name }) => name)),
      isSubject,
      isRequired: isSubject && required.has(term),
      isAside,
      isAnchor: question.anchors.has(term),
    };
  });
}

export function totalWeight(queryTerms: readonly QueryTerm[]): number {
  return queryTerms.reduce((sum, { weight }) => sum + weight, 0);
}

function titleTermsOf(question: Question, corpus: Corpus): Set<string> {
  const names = new Map(
    corpus.candidates.flatMap((one) => one.names.map((name) => [[...name].join(" "), name])),
  );
  const named = [...names.values()].filter((name) =>
    [...name].every((term) => question.terms.has(term)),
  );
  return new Set(named.flatMap((name) => [...name]));
}
