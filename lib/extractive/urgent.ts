import { namedIn } from "@/lib/questions/fit";
import { GENERIC, type Question } from "@/lib/questions/question";
import { variantsOf } from "@/lib/questions/terms";
import { type Candidate, type Corpus, computedOnce, idfOf } from "./corpus";
import emergencies from "./emergencies.json" with { type: "json" };

const PERSON = new RegExp(emergencies.person, "i");
const EVENTS = [...emergencies.overdose, ...emergencies.crisis].map(
  (pattern) => new RegExp(pattern, "i"),
);
/** "What are the signs of an overdose?" asks about one. */
const HYPOTHETICAL = new RegExp(emergencies.hypothetical, "i");
const CALLS = new RegExp(emergencies.answer, "i");
const SENTENCE = /[^.?!\n]+[.?!]*/g;
const CHARACTERS = 1000;
const SENTENCES = 3;
/** A sentence of a document that the question names. */
const NAMED_SCORE = 4;
const MIN_SCORE = 2;
const NEAR_SHARE = 0.6;

/** Whether a text reports an emergency or an overdose of a person. */
export function isUrgent(text: string): boolean {
  const sentences = text.slice(-CHARACTERS).match(SENTENCE) ?? [];
  return sentences.some(
    (sentence) =>
      PERSON.test(sentence) &&
      !HYPOTHETICAL.test(sentence) &&
      EVENTS.some((event) => event.test(sentence)),
  );
}

/** The sentences of the sources that say whom to call in such an emergency, best first. */
export function urgentSentences(question: Question, corpus: Corpus): Candidate[] {
  const terms = [...new Set([...question.terms.keys(), ...question.asides.keys()])]
    .filter((term) => !GENERIC.has(term) && !/^\d/.test(term))
    .map((term) => ({ forms: [...variantsOf(term).keys()], worth: idfOf(corpus, [term]) }));
  const isNamed = computedOnce(
    (names: Candidate["names"]) => namedIn(question, { names }).size > 0,
  );
  const scored = corpus.candidates
    .filter(({ text }) => CALLS.test(text))
    .map((candidate) => {
      const shared = terms.filter(({ forms }) => forms.some((form) => candidate.own.has(form)));
      const isSubject = isNamed(candidate.names);
      const worth = shared.reduce((sum, term) => sum + term.worth, 0);
      return { candidate, score: worth + (isSubject ? NAMED_SCORE : 0) };
    })
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((one, other) => other.score - one.score);
  const least = NEAR_SHARE * (scored[0]?.score ?? 0);
  return scored
    .filter(({ score }) => score >= least)
    .slice(0, SENTENCES)
    .map(({ candidate }) => candidate);
}
