import { termsOf } from "@/lib/text/analyzer";
import { isDoneToOther } from "./effects";
import { namedIn } from "./names";
import type { ReadPassage } from "./passage";
import { GENERIC, type Question } from "./question";
import { hasAny, variantsOf } from "./terms";

const YES_NO =
  /^\W*(?:is|are|was|were|do|does|did|can|could|will|would|should|may|might|has|have)\b/i;
/** Answered by what is said of the subject alone. */
const OF_SUBJECT = new RegExp(`${YES_NO.source}|^\\W*what happens (?:if|when)\\b`, "i");
/** "Is a prolactinoma cancer?", not "Is it safe …?" and "Is walking good for …?" */
const IS =
  /^\W*(?:is|are|was|were)\b(?! (?:it|there|this|that)\b)(?!.*\b(?:same|different|related|similar|safe|okay|allowed|if|when|for|in|with|by|from|on|at|during|than|to|against|about|(?<!\b(?:type|kind|form|sort) )of)\b)/i;
const UNITS = new Set(
  termsOf(
    "day week month year hour minute second time times age number amount people many much long often",
  ),
);
/** Verbs that only phrase other questions, but are what these ask about: "Do children with autism talk?" */
const VERBS = new Set(termsOf("talk read learn hear think feel look work move"));
/** The same of "How do surgeons close a hole in the heart?" */
const DONE = new Set(termsOf("read hear close open"));
const COPULA = /^\W*(?:is|are|was|were|isn['’]t|aren['’]t|considered|called)\W*$/i;
/** "A hiccup is …", not "a cancer called …". */
const IS_VERB = /^\W*(?:is|are|was|were|isn['’]t|aren['’]t)\W*$/i;
const DENIAL = /^\W*(?:be|not|no|never|non\w*)\W*$/i;
/** Stands for the subject of the document. */
const POINTS =
  /^\W*(?:it|they|these|there|yes|no|(?:most|many|some|people|patients|children|individuals|affected|you)\b|(?:avoid|do not|don['’]t|take|use|ask|stop|tell)\b)|\b(?:the|this) (?:infection|disease|disorder|condition|illness|syndrome|cancer|virus|drug|medicine|test|procedure|symptoms?|type|kind|form)\b/i;
/** Asks how to do something, which only sentences with one of these words tell. */
const HOW_TO =
  /^\W*how (?:to|(?:do|can|should|could|would) (?:i|you|we|one|someone|people|a person))\b/i;
const ADVISES =
  /\b(?:(?:you|people|parents|patients|someone|children|adults|doctors|women|men) (?:also )?can|can (?:also )?(?:be|help)|should|must|try|us(?:e|es|ed|ing)|helps?|by|ways?|needs?|asks?|talk|avoid|takes?|taken|makes?|plan|start|gets?|keep)\b|^\W*(?:give|place|repeat|push|call|spray|tilt|insert|apply|wash|put|turn|begin|rinse|press|hold|wear)\b|\b(?:is|are) (?:given|done|performed)\b/i;
/** "Gluten-free" is without gluten. */
const WITHOUT = /\b\p{L}+-free\b/giu;
/** How many words may be between "is" or "not" and what something is said to be. */
const TO_COPULA = 6;
const TO_DENIAL = 2;
/** Further apart than this, the words of a question are parts of different statements. */
const REACH = 14;
/** The grammatical subject of a sentence is among its first terms. */
const SUBJECT_START = 2;
/** "A scan is used to show damage of the kidneys" tells of a test. */
const TEST = /\bused to (?:show|see|look|find|identify|determine|check|detect)\b/i;
/** Who carries a disease doesn't have it. */
const CARRIERS = /\bcarriers?\b/i;
/** What is said of them holds for few others. */
const FEW = /\b(?:newborns?|infants?|toddlers?|premature|pregnan\w+)\b/gi;

/**
 * Whether a sentence answers a question without a known relation: it says more than the name of the subject, in a
 * document about something else with at least two of the question's words near each other.
 */
export function speaksOf(
  question: Question,
  passage: ReadPassage,
  measure: RegExp | null,
): boolean {
  const isNamed = namedIn(question, passage).size > 0;
  const rest = askedIn(question, isNamed ? passage.names : []);
  const isSaid =
    rest.length === 0
      ? isOfPopulation(question, passage) ||
        (isNamed && measure !== null && saysVerb(question, passage))
      : saysRest(question, rest, { passage, isNamed, measure });
  return (
    isSaid &&
    (!isNamed || !OF_SUBJECT.test(question.text) || isOfSubject(question, rest, passage)) &&
    !isAboutFew(question, passage) &&
    !(isNamed && TEST.test(passage.text)) &&
    (measure === null ? advises(question, passage) : measure.test(passage.text))
  );
}

/** Whether a sentence has all that is asked about the subject, near each other if its document is about something else. */
function saysRest(
  question: Question,
  rest: readonly ReadonlySet<string>[],
  { passage, isNamed, measure }: { passage: ReadPassage; isNamed: boolean; measure: RegExp | null },
): boolean {
  const own = ownTermsOf(question, passage);
  const isEnough = isNamed || (measure !== null && isBegun(question, rest, passage));
  return (
    rest.length >= (isEnough ? 1 : 2) &&
    rest.every((forms) => hasAny(own, forms) || (isNamed && hasAny(passage.context, forms))) &&
    (isNamed || isNear(rest, passage.sequence)) &&
    isStated(question, rest, passage)
  );
}

/** Whether a sentence gives a quantity for the subject: it starts with the subject, or repeats the question's verb. */
function isBegun(
  question: Question,
  rest: readonly ReadonlySet<string>[],
  passage: ReadPassage,
): boolean {
  const start = new Set(passage.sequence.slice(0, SUBJECT_START));
  return rest.some((forms) => hasAny(start, forms)) || saysVerb(question, passage);
}

function saysVerb({ terms }: Question, { own }: ReadPassage): boolean {
  return terms.keys().some((term) => GENERIC.has(term) && !UNITS.has(term) && own.has(term));
}

/** Whether the people or qualities asked about make a sentence an answer: not carriers, nor what those people risk. */
function isOfPopulation({ populations, text: asked }: Question, passage: ReadPassage): boolean {
  return (
    populations.some(({ isConstraint }) => !isConstraint) &&
    !(populations.some(({ name }) => name === "who") && isDoneToOther("causes", passage)) &&
    !(CARRIERS.test(passage.text) && !/\bcarr/i.test(asked))
  );
}

/** The passage's terms, without those of what it is free of: gluten, in "gluten-free". */
function ownTermsOf({ text: asked }: Question, { text, own }: ReadPassage): ReadonlySet<string> {
  const plain = /\bfree\b/i.test(asked) ? text : text.replace(WITHOUT, " ");
  return plain === text ? own : new Set(termsOf(plain));
}

/** Whether a sentence tells how to do something, if that is asked. */
function advises({ text: asked, populations }: Question, { text }: ReadPassage): boolean {
  return populations.some(({ isPeople }) => !isPeople) || ADVISES.test(text) || !HOW_TO.test(asked);
}

/** Whether a sentence of a document says something of its subject, not of what else the document mentions. */
function isOfSubject(
  { subject, populations }: Question,
  rest: readonly ReadonlySet<string>[],
  { text, own, names, sequence }: ReadPassage,
): boolean {
  const start = new Set(sequence.slice(0, SUBJECT_START));
  const isName = (term: string): boolean => names.some((name) => name.has(term));
  const named = [...subject.values()].filter((forms) => [...forms].some(isName));
  const isAlias = names.some((name) => [...name].every((term) => own.has(term)));
  return (
    isAlias ||
    rest.length > 1 ||
    populations.some(({ name }) => name === "together" || name === "permission") ||
    POINTS.test(text) ||
    named.some((forms) => hasAny(own, forms)) ||
    rest.some((forms) => hasAny(start, forms))
  );
}

/** The forms of each word that the question asks about, beside the document's subject. */
function askedIn(question: Question, names: ReadPassage["names"]): ReadonlySet<string>[] {
  const isTitle = (term: string): boolean => names.some((name) => name.has(term));
  const asking = YES_NO.test(question.text) ? VERBS : DONE;
  const verbs = [...question.terms.keys()].filter((term) => asking.has(term));
  const denied = [...question.excluded].map((term) => new Set(variantsOf(term).keys()));
  return [
    ...denied,
    ...[...question.subject.values()].filter((forms) => ![...forms].some(isTitle)),
    ...verbs.map((term) => new Set(variantsOf(term).keys())),
  ];
}

function isNear(rest: readonly ReadonlySet<string>[], sequence: readonly string[]): boolean {
  return sequence.some((_, at) => {
    const near = new Set(sequence.slice(at, at + REACH));
    return rest.every((forms) => hasAny(near, forms));
  });
}

/** Of "Is a prolactinoma cancer?": whether the sentence says that something is, or isn't, what is asked about. */
function isStated(
  question: Question,
  rest: readonly ReadonlySet<string>[],
  { text, sequence, names }: ReadPassage,
): boolean {
  const predicate = rest.at(-1);
  if (!IS.test(withoutParts(question.text, names)) || !predicate) {
    return true;
  }
  const words = text.split(/\s+/);
  const has = (from: number, to: number, pattern: RegExp): boolean =>
    words.slice(Math.max(0, from), to).some((word) => pattern.test(word));
  const isSaidAt = (word: string, at: number): boolean =>
    termsOf(word).some((term) => predicate.has(term)) &&
    (has(at - TO_COPULA, at, COPULA) ||
      has(at + 1, at + 3, IS_VERB) ||
      has(at - TO_DENIAL, at, DENIAL));
  return words.some(isSaidAt) && keepsPairs(question, predicate, sequence);
}

/** Without "of bone" after "Paget's disease", where it is part of the document's name. */
function withoutParts(question: string, names: ReadPassage["names"]): string {
  return question.replace(/\b(?:of|in|with) (\w+)/g, (phrase, word: string) =>
    termsOf(word).some((term) => names.some((name) => name.size > 1 && name.has(term)))
      ? ""
      : phrase,
  );
}

const KINDS = new Set(termsOf("disease disorder condition problem illness syndrome"));

/** "Mental illness" isn't "mental exertion", although "illness" alone says little. */
function keepsPairs(
  { pairs }: Question,
  predicate: ReadonlySet<string>,
  sequence: readonly string[],
): boolean {
  const asked = pairs
    .slice(-1)
    .map((pair) => pair.split(" "))
    .filter(([first = "", next = ""]) => predicate.has(first) && GENERIC.has(next));
  const follows = (next: string): boolean =>
    sequence.some((term, at) => {
      const after = sequence[at + 1] ?? "";
      return predicate.has(term) && (after === next || (KINDS.has(next) && KINDS.has(after)));
    });
  return asked.every(([, next = ""]) => follows(next));
}

/** Whether a sentence tells of infants or of pregnancy, and neither the question nor the document's name does. */
export function isAboutFew(
  { text: asked, populations }: Question,
  { text, names }: ReadPassage,
): boolean {
  if (populations.some(({ isPeople }) => isPeople)) {
    return false;
  }
  const few = text.match(FEW) ?? [];
  return few.some(
    (word) =>
      !asked.toLowerCase().includes(word.toLowerCase()) &&
      !names.some((name) => termsOf(word).some((term) => name.has(term))),
  );
}
