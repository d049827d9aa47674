import { type Corpus, formsOf, idfOf } from "./corpus";
import type { Question } from "./question";

/** A term of the question as it is looked for in the sources. */
export interface Needle {
  term: string;
  /** How much finding it counts: what the question gives it times its idf. */
  weight: number;
  /** The stems that stand for it, each with how well it does. */
  forms: Map<string, number>;
  /** The names of the asked aspects that it belongs to. */
  aspects: Set<string>;
  /** Whether it is what is asked about, and not only what is asked of it. */
  isSubject: boolean;
  /** Whether it belongs to a title that the question names in full: an answer speaks of it. */
  isBound: boolean;
  /** Whether it is only said beside or before the question: an answer may do without it. */
  isAside: boolean;
  /** Whether it is what the conversation was about: an answer speaks of one of these. */
  isAnchor: boolean;
}

const ASPECT_STRENGTH = 0.7;
/** A name that no source knows is most likely what the question is about. */
const UNKNOWN_NAME_STRESS = 1.5;
/** A term that the question gives less than this only helps to phrase it. */
const SUBJECT_COUNTS = 0.5;
/** The most that a term counts that is not the subject, however rare. */
const HELPER_IDF = 1.5;

export function readNeedles(question: Question, corpus: Corpus): Needle[] {
  const bound = question.compares ? new Set<string>() : boundTermsOf(question, corpus);
  return [...new Map([...question.asides, ...question.terms])].map(([term, counts]) => {
    const aspects = question.aspects.filter(({ stems }) => stems.has(term));
    const forms = new Map([
      ...aspects.flatMap(({ stems }) => [...stems].map((stem) => [stem, ASPECT_STRENGTH] as const)),
      ...formsOf(corpus, term),
    ]);
    const isAside = question.asides.has(term) && !question.terms.has(term);
    const isSubject = !isAside && aspects.length === 0 && counts >= SUBJECT_COUNTS;
    const isUnknownName =
      question.names.has(term) && [...forms.keys()].every((form) => !corpus.spread.has(form));
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
      isBound: isSubject && bound.has(term),
      isAside,
      isAnchor: question.anchors.has(term),
    };
  });
}

export function weigh(needles: readonly Needle[]): number {
  return needles.reduce((sum, { weight }) => sum + weight, 0);
}

/** The terms of the titles that the question names in full. */
function boundTermsOf(question: Question, corpus: Corpus): Set<string> {
  const names = new Map(
    corpus.candidates.flatMap((one) => one.names.map((name) => [[...name].join(" "), name])),
  );
  const named = [...names.values()].filter((name) =>
    [...name].every((term) => question.terms.has(term)),
  );
  return new Set(named.flatMap((name) => [...name]));
}
