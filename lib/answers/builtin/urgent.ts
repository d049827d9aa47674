import { namedIn } from "@/lib/evidence/questions/names";
import { GENERIC, type Question } from "@/lib/evidence/questions/question";
import { isAboutFew } from "@/lib/evidence/questions/statement";
import { variantsOf } from "@/lib/evidence/questions/terms";
import { type LatinLanguage, languageOf } from "@/lib/text/languages";
import { type Candidate, type Corpus, computedOnce, idfOf } from "./corpus";
import emergencies from "./emergencies.json" with { type: "json" };

/** In the order in which they are tried. */
const RULES = Object.entries(emergencies).map(([language, rules]) => ({
  language: language as LatinLanguage,
  person: new RegExp(rules.person, "i"),
  events: [...rules.events, rules.crisis].map((pattern) => new RegExp(pattern, "i")),
  crisis: new RegExp(rules.crisis, "i"),
  /** "What are the signs of an overdose?" asks about one. */
  hypothetical: new RegExp(rules.hypothetical, "i"),
  /** Says whom to call. */
  calls: new RegExp(rules.answer, "i"),
}));
const TOO_MANY = /\btoo (?:many|much)\b/i;
const HAS_TAKEN =
  /\b(?:i|he|she|we|they|just|has|have|['’]ve|had) (?:just |already )?(?:took|taken|swallowed|injected|drank|gave \d+)\b|\bhas \d+ on\b/i;
const DECIMAL = /(?<=\d)\.(?=\d)/g;
const MARKS = /\p{M}+/gu;
const SENTENCE = /[^.?!\n]+[.?!]*/g;
const CHARACTERS = 1000;
const SENTENCES = 3;
/** A sentence of a document that the question names. */
const NAMED_SCORE = 4;
const MIN_SCORE = 2;
/** A call that begins the steps of first aid. */
const FIRST_AID_SCORE = 4;
const FIRST_AID = /\b(?:first aid|first steps?|what to do)\b/i;
const FIRST_AID_LIST = /\bfirst aid\b/i;
/** Later steps may be for this person: late in pregnancy, for instance. */
const STEPS = 10;
const WARNS = /^\W*(?:never|do not|don['’]t|avoid)\b/i;
const WARNINGS = 3;
const SHARED_TERMS = 2;
/** Words that a sentence about another named emergency must share with the question. */
const MIN_SHARED_OTHER = 3;
const NEAR_SHARE = 0.6;

/** The language in which a text reports an emergency or an overdose of a person; null if it reports none. */
export function urgencyIn(text: string): LatinLanguage | null {
  const sentences = plain(text.slice(-CHARACTERS)).match(SENTENCE) ?? [];
  const reports = ({ language, person, hypothetical, events }: (typeof RULES)[number]) =>
    sentences.some((sentence, at) => {
      // "Is my retina coming off? What should I do": the next sentence may tell whose emergency it is.
      const next = sentences[at + 1] ?? "";
      const isOfPerson = person.test(sentence) || person.test(next);
      const isEvent =
        isOfPerson && !hypothetical.test(sentence) && events.some((event) => event.test(sentence));
      return isEvent || (language === "en" && asksOfOverdose(sentence, next));
    });
  return RULES.find(reports)?.language ?? null;
}

/** "Is 20 pills too many? I just took them." */
function asksOfOverdose(sentence: string, next: string): boolean {
  return TOO_MANY.test(sentence) && HAS_TAKEN.test(`${sentence} ${next}`);
}

/** Whether someone speaks of ending their life. */
export function isCrisis(text: string, language: LatinLanguage): boolean {
  const rules = RULES.find((each) => each.language === language);
  return rules?.crisis.test(plain(text.slice(-CHARACTERS))) ?? false;
}

/** Without accents, which people in a hurry leave out, and without decimal points, which end no sentence. */
function plain(text: string): string {
  return text.normalize("NFD").replace(MARKS, "").replaceAll("ß", "ss").replace(DECIMAL, ",");
}

/** The sentences of the sources that say whom to call in such an emergency, best first, or the steps of first aid. */
export function urgentSentences(
  question: Question,
  corpus: Corpus,
  language: LatinLanguage,
): Candidate[] {
  const calls = RULES.find((rules) => rules.language === language)?.calls;
  const isIn = computedOnce((text: string) => (languageOf(text) ?? language) === language);
  const terms = [...new Set([...question.terms.keys(), ...question.asides.keys()])]
    .filter((term) => !GENERIC.has(term) && !/^\d/.test(term))
    .map((term) => ({ forms: [...variantsOf(term).keys()], worth: idfOf(corpus, [term]) }));
  const isNamed = computedOnce(
    (names: Candidate["names"]) => namedIn(question, { names }).size > 0,
  );
  const scored = corpus.candidates
    .filter(({ quote, source }) => calls?.test(plain(quote.text)) && isIn(source.text))
    .filter((candidate) => !isAboutFew(question, candidate))
    .map((candidate) => {
      const shared = terms.filter(({ forms }) => forms.some((form) => candidate.own.has(form)));
      const isSubject = isNamed(candidate.names);
      // One word in common, such as "swallow", may be about something else.
      const isShared = isSubject || shared.length >= SHARED_TERMS;
      const isOther = !isSubject && saysName(candidate) && shared.length < MIN_SHARED_OTHER;
      const worth = isShared && !isOther ? shared.reduce((sum, term) => sum + term.worth, 0) : 0;
      const bonus = FIRST_AID.test(candidate.place) ? FIRST_AID_SCORE : 0;
      return { candidate, score: isSubject ? worth + NAMED_SCORE + bonus : worth };
    })
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((one, other) => other.score - one.score);
  const steps = stepsFrom(scored[0]?.candidate, corpus);
  if (steps.length > 0) {
    return steps;
  }
  const least = NEAR_SHARE * (scored[0]?.score ?? 0);
  return scored
    .filter(({ score }) => score >= least)
    .slice(0, SENTENCES)
    .map(({ candidate }) => candidate);
}

/** "Start back blows when a choking person cannot breathe": whether it names its document's subject. */
function saysName({ names, own }: Candidate): boolean {
  return names.some((name) => name.size > 0 && [...name].every((term) => own.has(term)));
}

/** Steps of first aid with what their list says must not be done. */
export function withWarnings(chosen: readonly Candidate[], { candidates }: Corpus): Candidate[] {
  const steps = chosen.filter(({ list, place }) => list !== null && FIRST_AID_LIST.test(place));
  const isBeside = (one: Candidate, other: Candidate): boolean =>
    one !== other && one.source === other.source && one.list === other.list;
  const warnings = candidates.filter(
    (each) => WARNS.test(each.text) && steps.filter((step) => isBeside(step, each)).length > 1,
  );
  return [...new Set([...chosen, ...warnings.slice(0, WARNINGS)])];
}

/** A step of first aid with those beside it. */
function stepsFrom(call: Candidate | undefined, { candidates }: Corpus): Candidate[] {
  return call && call.list !== null && FIRST_AID.test(call.place)
    ? candidates
        .filter(({ source, list }) => source === call.source && list === call.list)
        .slice(0, STEPS)
    : [];
}
