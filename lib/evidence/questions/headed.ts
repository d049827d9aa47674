import { termsOf } from "@/lib/text/analyzer";
import { isCauseOf, isDoneToOther, isOfOther, namesSymptomsOf } from "./effects";
import type { ReadPassage } from "./passage";
import type { Question } from "./question";
import { type Relation, strays } from "./relations";
import { hasAny } from "./terms";

/** The grammatical subject of a sentence is among its first terms. */
const SUBJECT_START = 2;
/** How many terms may be between a subject and what is said about it. */
const BESIDE = 2;
/** Says how much or which, not of what. */
const DEGREE = /^(?:high|low|normal)$|\d/;
const LEAD_CHARACTERS = 500;

/**
 * Whether a sentence answers because its heading, or the line before its list, speaks of what is asked: for sentences about
 * their document's subject, or that begin with the question's. Null if neither does.
 */
export function answersUnder(
  question: Question,
  relation: Relation,
  { passage, place, isNamed }: { passage: ReadPassage; place: string; isNamed: boolean },
): boolean | null {
  const { text, lead } = passage;
  const { inHeading, aside } = relation;
  const introduction = lead?.slice(0, LEAD_CHARACTERS) ?? "";
  const isIntroduced = inHeading.test(aside ? introduction.replace(aside, " ") : introduction);
  if (!isIntroduced && !inHeading.test(place)) {
    return null;
  }
  // A title that is a question heads a whole text, which soon speaks of other things.
  const isTitle = !isIntroduced && place.endsWith("?");
  return (
    !(isTitle && strays(relation, question.relations, text)) &&
    (isNamed || isUnder(question, relation, passage))
  );
}

/** What shows that a sentence in another document tells of the subject. */
const SAYS: Record<string, (question: Question, passage: ReadPassage) => boolean> = {
  causes: isCauseOf,
  symptoms: namesSymptomsOf,
};

/** Whether a sentence under a heading about the relation, in another document, is about the subject all the same. */
function isUnder(question: Question, relation: Relation, passage: ReadPassage): boolean {
  const says = relation.isMeasured
    ? speaksOfRelation(question, relation, { passage, isNamed: false })
    : SAYS[relation.name]?.(question, passage);
  return says || beginsUnder(question, relation, passage);
}

/** Whether a sentence under a heading about the relation begins with the subject, and doesn't say the reverse. */
function beginsUnder(
  question: Question,
  { name, isDirected }: Relation,
  passage: ReadPassage,
): boolean {
  const forms = [...question.subject].flatMap(([term, same]) => (DEGREE.test(term) ? [] : [same]));
  const start = new Set(passage.sequence.slice(0, SUBJECT_START + Math.max(0, forms.length - 1)));
  const isFirst = forms.every((same) => hasAny(start, same));
  const isReverse = isDirected && isElsewhere(question, passage);
  const isOther = name === "mechanism" && isAside(question, passage);
  return isFirst && !isReverse && !isOther && !isTitled(question, passage);
}

/** "How to prevent liver cancer?" heads nothing about what else its text mentions. */
function isTitled({ subject }: Question, { place, names }: ReadPassage): boolean {
  const isShared = names.some((name) => subject.keys().some((term) => name.has(term)));
  return place.endsWith("?") && !isShared;
}

/** "Injected heparin is often given …", under "How warfarin works", doesn't tell how heparin works. */
function isAside(question: Question, passage: ReadPassage): boolean {
  const isHeading = [...question.subject.values()].every((forms) => hasAny(passage.context, forms));
  return isElsewhere(question, passage) && !isHeading;
}

/** Whether no name of the document has the subject, not even a narrower one. */
function isElsewhere({ subject }: Question, { names }: ReadPassage): boolean {
  const forms = [...subject.values()];
  return !names.some((name) => forms.every((same) => hasAny(name, same)));
}

/** Whether a sentence has a word of the relation; in a document about something else, beside the subject. */
export function speaksOfRelation(
  { subject, context }: Question,
  { name, stems, aside, says }: Relation,
  { passage, isNamed }: { passage: ReadPassage; isNamed: boolean },
): boolean {
  const plain = aside ? passage.text.replace(aside, " ") : passage.text;
  if (says?.test(plain) === false) {
    return false;
  }
  const sequence = plain === passage.text ? passage.sequence : termsOf(plain);
  const places = sequence.flatMap((term, at) => (stems.has(term) ? at : []));
  if (isNamed) {
    return places.length > 0 && !isDoneToOther(name, passage);
  }
  const forms = [...(subject.size > 0 ? subject : context).values()];
  if (isOfOther(passage.text, forms)) {
    return false;
  }
  const reach = BESIDE + forms.length - 1;
  return places.some((at) => {
    const beside = new Set(sequence.slice(Math.max(0, at - reach), at + reach + 1));
    return forms.every((same) => hasAny(beside, same));
  });
}
