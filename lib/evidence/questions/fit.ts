import { termsOf } from "@/lib/text/analyzer";
import { definesSubject, isForDefinition } from "./definition";
import { isEffect } from "./effects";
import { answersUnder, speaksOfRelation } from "./headed";
import { isNarrower, isOfKind, keepsLabels, keepsPairs } from "./kinds";
import { namedIn } from "./names";
import type { ReadPassage } from "./passage";
import type { Question } from "./question";
import { type Relation, relationsInHeading } from "./relations";
import { speaksOf } from "./statement";
import { hasAny } from "./terms";

export const DEFINES =
  /^(?:\S+\s+){1,12}?(?:is|are|was|were|means?|refers? to|happens?|describes?|occurs?|causes?|affects?)\b/;
/** Asks for the reason of something that a sentence may deny. */
const WHY = /^\W*(?:why|how come)\b/i;
const GIVES_REASON =
  /\b(?:because|due to|reasons?|results? (?:in|from|of)|lead(?:s|ing)?|since|so that|so|therefore|trigger\w*|by|(?:happen|occur|develop|begin|appear)s? (?:when|if)|(?:lower|reduc|prevent|rais|increas)(?:e?s|ing)?|helps?|to avoid|not|never|no|cannot|accounts? for)\b|n['’]t\b/i;
/** Gives one unless the question has the word, too: "Why does it cause pain?" */
const CAUSES = /\bcaus\w+/i;
/** Whatever else they ask, only a sentence with a quantity answers these. */
const HOW_MUCH =
  /\bhow (?:long|often|many|much|soon|old)\b|\b(?:what|which) age\b|^\W*what should (?:my|your|the)\b/i;
/** "Cystitis is an infection of the bladder, and pyelonephritis is one of the kidney." */
const CONTRAST =
  /^\W*((?:\S+ ){1,4})(?:is|are) [^.;]*\b(?:and|while|whereas|but) ((?:\S+ ){1,4})(?:is|are)\b/i;
/** Says what happens "if it isn't treated" in other words. */
const UNTREATED = /\buntreated\b|(?<!with or )\bwithout (?:\w+ )?treatment\b/i;
const BEGINNING = 5;
/** How many terms may be between a subject and what is said about it. */
const BESIDE = 2;
const LEAD_CHARACTERS = 500;
const DETERMINER = /^(?:the|an?|your|their|its|his|her|this)$/i;
const NO = /\b(?:not|never|no|rarely)\b/i;
const OF_DOCUMENT =
  /(?<!\b(?:with|of|in|by|have|has) )\b(?:it|this|(?:this|the) (?:disease|condition|disorder|infection|illness|syndrome|cancer))\b/i;
const OWN_QUESTION = /^\W*(?:what|how|who|why|when|which|is|are|can|does)\b[^.?!]{4,120}\?(?=\s)/i;
const DENIED =
  /\b(?:not|never|no|without|free of|instead of|rather than|cannot|n['’]t|non)[\s-]+((?:[\w'’-]+\s*){1,3})/gi;

/** Whether a passage is about the question's subject, not about another or a narrower one. */
export function isAboutSubject(question: Question, passage: ReadPassage): boolean {
  const { subject, context, isComparison } = question;
  if (subject.size + context.size === 0) {
    return false;
  }
  const asked = namedIn(question, passage);
  if (isComparison) {
    return asked.size > 0 || contrasts(question, passage);
  }
  const isWithin = ([term, forms]: readonly [string, ReadonlySet<string>]): boolean =>
    asked.has(term) || hasAny(passage.own, forms) || hasAny(passage.context, forms);
  const isBeside = context.keys().some((term) => asked.has(term)) || [...context].every(isWithin);
  return (
    [...subject].every(isWithin) &&
    isBeside &&
    keepsLabels(question, passage) &&
    !isOfKind(question, passage) &&
    (asked.size > 0 || (!isNarrower(question, passage) && keepsPairs(question, passage)))
  );
}

/** Whether a passage's heading, or else its words, speak of what the question asks about its subject. */
export function addressesRelation(question: Question, passage: ReadPassage): boolean {
  const isWhy = WHY.test(question.text);
  if (isWhy && !givesReason(question, passage)) {
    return false;
  }
  if (isForDefinition(question)) {
    return definesSubject(question, passage) || (question.isLabel && adds(question, passage));
  }
  if (question.relations.length === 0 && question.isComparison && question.isDefinition) {
    return defines(question, passage) || contrasts(question, passage);
  }
  return (
    addressesAny(question, passage) ||
    (asksOtherwise(question) && speaksOf(question, passage, isWhy ? null : question.measure))
  );
}

function givesReason({ text: asked }: Question, { text }: ReadPassage): boolean {
  return GIVES_REASON.test(text) || (CAUSES.test(text) && !CAUSES.test(asked));
}

/** Whether it asks for more than the known relations: for none, for a reason, or in words of its own. */
function asksOtherwise({ relations, populations, text }: Question): boolean {
  return (
    relations.length === 0 || WHY.test(text) || populations.some(({ isRelation }) => isRelation)
  );
}

function addressesAny(question: Question, passage: ReadPassage): boolean {
  const { relations, measure, text } = question;
  const isQuantified = HOW_MUCH.test(text) || relations.some(({ isMeasured }) => isMeasured);
  const isMeasured = measure === null || !isQuantified || measure.test(passage.text);
  const isNamed = namedIn(question, passage).size > 0;
  const isReverse = isEffect(question, passage.text, isNamed);
  return (
    isMeasured &&
    relations.some(
      (relation) =>
        !(relation.isDirected && isReverse) &&
        !(relation.isOwn && !isNamed) &&
        !relation.unless?.test(passage.text) &&
        addresses(question, relation, passage),
    )
  );
}

/** "Metformin B12": what the document about the one says of the other. */
function adds(question: Question, passage: ReadPassage): boolean {
  const named = namedIn(question, passage).size;
  return named > 0 && named < question.subject.size && speaksOf(question, passage, null);
}

function addresses(question: Question, relation: Relation, passage: ReadPassage): boolean {
  const { inHeading, inAnswer } = relation;
  const { text, sequence } = passage;
  if (statesAll(question, relation, passage)) {
    return true;
  }
  // "How is gout diagnosed? Tests of …": a text's own question is its heading.
  const place = OWN_QUESTION.exec(text)?.[0] ?? passage.place;
  const isNamed = namedIn(question, passage).size > 0;
  if (inAnswer.length > 0 && (question.measure !== null || !inHeading.test(place))) {
    return (
      inAnswer.every((pattern) => pattern.test(text)) &&
      isSaidOfSubject(question, relation, passage) &&
      [
        isNamed,
        question.isComparison,
        beginsWithSubject(question, sequence),
        !relation.isDirected && saysAll(question, passage),
      ].includes(true)
    );
  }
  const isAnswer = answersUnder(question, relation, { passage, place, isNamed });
  return isAnswer ?? isSaid(question, relation, { passage, isNamed, place });
}

/** Under a heading about something else, only the words of the question itself tell. What a disease causes are its symptoms. */
function isSaid(
  question: Question,
  relation: Relation,
  { passage, isNamed, place }: { passage: ReadPassage; isNamed: boolean; place: string },
): boolean {
  const { text } = passage;
  const isOther = relationsInHeading(place).length > 0 && !relation.inQuestion.test(text);
  return (
    (!isOther && speaksOfRelation(question, relation, { passage, isNamed })) ||
    (relation.name === "symptoms" && isNamed && !NO.test(text) && isEffect(question, text, isNamed))
  );
}

/** "Ear infections are common", in a document about Turner syndrome, doesn't say how common that is. */
function isSaidOfSubject(
  { subject }: Question,
  { inHeading, isDirected }: Relation,
  { text, own, place, names }: ReadPassage,
): boolean {
  return (
    !isDirected ||
    inHeading.test(place) ||
    OF_DOCUMENT.test(text) ||
    [...subject.values()].every((forms) => hasAny(own, forms)) ||
    names.some((name) => [...name].every((term) => own.has(term)))
  );
}

function saysAll({ subject }: Question, { own }: ReadPassage): boolean {
  return subject.size > 1 && [...subject.values()].every((forms) => hasAny(own, forms));
}

/** "A mechanical mitral valve calls for a higher INR target of 2.5 to 3.5": a quantity with every word of its question. */
function statesAll(question: Question, relation: Relation, passage: ReadPassage): boolean {
  const { measure, terms } = question;
  const asked = [...relation.stems].filter((stem) => terms.has(stem));
  return (
    relation.isMeasured === true &&
    !relation.isDirected &&
    measure !== null &&
    asked.length > 0 &&
    asked.every((stem) => passage.own.has(stem)) &&
    saysAll(question, passage)
  );
}

/** Whether one sentence tells what each side of a comparison is. */
function contrasts(question: Question, passage: ReadPassage): boolean {
  const [, ...sides] = CONTRAST.exec(passage.text) ?? [];
  const forms = [...question.subject.values()];
  const isSide = (side: string): boolean =>
    forms.some((same) => hasAny(new Set(termsOf(side)), same));
  return sides.length > 0 && sides.every(isSide) && saysAll(question, passage);
}

/** In a document about something else, a sentence about the subject names it early. */
function beginsWithSubject({ subject, context }: Question, sequence: readonly string[]): boolean {
  const start = new Set(sequence.slice(0, BEGINNING));
  const forms = [...(subject.size > 0 ? subject : context).values()];
  return forms.length === 0 || forms.some((same) => hasAny(start, same));
}

/** "Asthma is a …": a sentence that begins with the subject. */
function defines({ subject, isComparison }: Question, { text, names }: ReadPassage): boolean {
  const beginning = DEFINES.exec(text)?.[0];
  if (beginning === undefined) {
    return false;
  }
  const [first = "", ...rest] = termsOf(beginning);
  const start = new Set([first, ...rest]);
  const isNamed = names.some(
    (name) => name.has(first) && [...name].every((term) => start.has(term)),
  );
  return isNamed || (!isComparison && [...subject.values()].every((forms) => hasAny(start, forms)));
}

/** Whether a passage keeps to what the question excludes, and to the people it asks about. */
export function meetsConstraints(question: Question, passage: ReadPassage): boolean {
  const { text, lead, place, own } = passage;
  const stated = `${lead?.slice(0, LEAD_CHARACTERS) ?? ""}\n${text}`;
  const said = `${place}\n${stated}`;
  const isExcluded = (term: string): boolean =>
    own.has(`non${term}`) || own.has(`un${term}`) || (own.has(term) && deniedTerms(text).has(term));
  return (
    meetsAll(question, { stated, said }) &&
    (question.excluded.size === 0 ||
      UNTREATED.test(text) ||
      [...question.excluded].some(isExcluded)) &&
    !hasAny(own, question.besides) &&
    (!question.isNegated || deniesSubject(question, text)) &&
    keepsAcronyms(question, passage)
  );
}

/** Whether a passage names the people and qualities asked about; of people who are compared, some of them. */
function meetsAll(question: Question, { stated, said }: { stated: string; said: string }): boolean {
  const { populations } = question;
  const meets = ({ inAnswer, isConstraint, isPredicate }: (typeof populations)[number]): boolean =>
    inAnswer.test(isPredicate ? asPredicate(question, stated) : isConstraint ? stated : said);
  const people = populations.filter(({ isPeople }) => isPeople);
  const isCompared = people.length > 1 && populations.some(({ name }) => name === "comparison");
  return isCompared
    ? people.some(meets) && populations.filter(({ isPeople }) => !isPeople).every(meets)
    : populations.every(meets);
}

/** A text without the words right before the subject, which only say which of it is meant. */
function asPredicate({ subject }: Question, text: string): string {
  const words = text.split(/\s+/);
  const isSubject = (word = ""): boolean =>
    termsOf(word).some((term) => [...subject.values()].some((forms) => forms.has(term)));
  const isAttribute = (at: number): boolean => {
    const next = words.slice(at + 1, at + 1 + BESIDE);
    return next.some(isSubject) && !DETERMINER.test(next[0] ?? "");
  };
  return words.filter((word, at) => isSubject(word) || !isAttribute(at)).join(" ");
}

/** The terms right after a denial: of "does not contain penicillin", both. */
function deniedTerms(text: string): Set<string> {
  return new Set([...text.matchAll(DENIED)].flatMap(([, denied = ""]) => termsOf(denied)));
}

function deniesSubject({ subject }: Question, text: string): boolean {
  const denied = deniedTerms(text);
  return subject.values().some((forms) => hasAny(denied, forms));
}

/** "ALS" is not the "al." of "et al.", and AIDS are not aids. */
function keepsAcronyms({ acronyms }: Question, { text, lead, place, names }: ReadPassage): boolean {
  return acronyms.every(
    ({ term, written }) =>
      names.some((name) => name.size === 1 && name.has(term)) ||
      [text, lead, place].some((each) => each !== null && written.test(each)),
  );
}
