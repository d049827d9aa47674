import { type Corpus, formsOf, idfOf } from "./corpus";
import type { Question } from "./question";

/** A term of the question as it is looked for in the sources. */
export interface Needle {
  term: string;
  /** How much finding it counts: what the question gives it times its idf. */
  weight: number;
  /** The stems that stand for it, each with how well it does. */
  forms: Map<string, number>;
  /** The asked aspects that it names; of a subject, none. */
  aspects: Set<string>;
  isSubject: boolean;
}

/** A name that no source knows is most likely what the question is about. */
const UNKNOWN_NAME = 1.5;
const SUBJECT = 0.5;

export function readNeedles(question: Question, corpus: Corpus): Needle[] {
  return [...question.terms].map(([term, counts]) => {
    const forms = formsOf(corpus, term);
    const named = question.aspects.filter(({ stems }) => stems.has(term));
    for (const { stems } of named) {
      for (const stem of stems) forms.set(stem, Math.max(forms.get(stem) ?? 0, ASPECT_STRENGTH));
    }
    const isKnown = [...forms.keys()].some((form) => corpus.spread.has(form));
    const stress = !isKnown && question.names.has(term) ? UNKNOWN_NAME : 1;
    return {
      term,
      weight: counts * stress * idfOf(corpus, forms.keys()),
      forms,
      aspects: new Set(named.map(({ name }) => name)),
      isSubject: named.length === 0 && counts >= SUBJECT,
    };
  });
}
const ASPECT_STRENGTH = 0.7;
