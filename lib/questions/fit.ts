import { termsOf } from "@/lib/text/analyzer";
import type { ReadPassage } from "./passage";
import qualifiers from "./qualifiers.json" with { type: "json" };
import { GENERIC, pairsOf, type Question, type Relation } from "./question";

const QUALIFIERS = new Set(termsOf(qualifiers.join(" ")));
export const DEFINES =
  /^(?:\S+\s+){1,12}?(?:is|are|was|were|means?|refers? to|happens?|describes?|occurs?|causes?|affects?)\b/;
/** Asks for the reason of something that a sentence may deny. */
const WHY = /^\W*(?:why|how come)\b/i;
/** The grammatical subject of a sentence is among its first terms. */
const SUBJECT_START = 2;
const LEAD_CHARACTERS = 500;
const NEGATION = /\b(?:no|not|never|neither|nor|without|free|cannot|non\w+|un\w+)\b|n['’]t\b/i;

/** Whether a passage is about the question's subject, not about another or a narrower one. */
export function isAboutSubject(question: Question, passage: ReadPassage): boolean {
  const { subject, context, isComparison } = question;
  if (subject.size + context.size === 0) {
    return false;
  }
  const asked = namedIn(question, passage);
  if (isComparison) {
    return asked.size > 0;
  }
  const isWithin = ([term, forms]: readonly [string, ReadonlySet<string>]): boolean =>
    asked.has(term) || hasAny(passage.own, forms) || hasAny(passage.context, forms);
  const isBeside = context.keys().some((term) => asked.has(term)) || [...context].every(isWithin);
  return (
    [...subject].every(isWithin) &&
    isBeside &&
    keepsLabels(question, passage) &&
    (asked.size > 0 || !isNarrower(question, passage))
  );
}

const NAMED = new WeakMap<Question, WeakMap<ReadPassage["names"], ReadonlySet<string>>>();

/** As `findNamed`, once per question and document: its passages share their names. */
export function namedIn(
  question: Question,
  { names }: Pick<ReadPassage, "names">,
): ReadonlySet<string> {
  const known = NAMED.get(question) ?? new WeakMap();
  NAMED.set(question, known);
  const named = known.get(names) ?? findNamed(question, names);
  known.set(names, named);
  return named;
}

/** The question's terms that a name of the passage's document covers, for names that the question gives in full. */
function findNamed(
  { subject, context, terms }: Question,
  names: ReadPassage["names"],
): ReadonlySet<string> {
  const all = [...subject, ...context];
  const covered = new Set<string>();
  for (const name of names) {
    const forms = (term: string) => all.filter(([, same]) => same.has(term));
    const isAsked = [...name].every(
      (term) => terms.has(term) || isIncidental(term) || forms(term).length > 0,
    );
    if (isAsked) {
      for (const [asked] of [...name].flatMap(forms)) {
        covered.add(asked);
      }
    }
  }
  return covered;
}

/** Whether a document about a kind of the subject, such as juvenile ALS, speaks of that kind. */
function isNarrower({ subject, terms }: Question, { names, own, sequence }: ReadPassage): boolean {
  const isAsked = (term: string): boolean =>
    terms.has(term) || isIncidental(term) || [...subject.values()].some((forms) => forms.has(term));
  const isQualified = sequence.some(
    (term, at) =>
      QUALIFIERS.has(term) && !isAsked(term) && isAsked(sequence[at + 1] ?? "") && !terms.has(term),
  );
  return (
    isQualified ||
    names.some((name) => {
      const extra = [...name].filter((term) => !isAsked(term));
      const isShared = [...name].some((term) => !isIncidental(term) && isAsked(term));
      const isNamedAlone = [...subject.values()].every((forms) => hasAny(own, forms));
      return isShared && (!isNamedAlone || extra.every((term) => own.has(term)));
    })
  );
}

/** In "type 2 diabetes", the number belongs to the type. */
function keepsLabels({ labeled }: Question, { sequence, names, context }: ReadPassage): boolean {
  if (labeled.length === 0) {
    return true;
  }
  const said = new Set(pairsOf(sequence));
  const isNamed = (pair: string): boolean =>
    [...names, context].some((name) => pair.split(" ").every((term) => name.has(term)));
  return labeled.every((pair) => said.has(pair) || isNamed(pair));
}

/** Whether a passage's heading, or else its words, speak of what the question asks about its subject. */
export function addressesRelation(question: Question, passage: ReadPassage): boolean {
  const { relations, measure } = question;
  if (relations.length === 0) {
    const named = namedIn(question, passage);
    const isWholeName = question.subject.keys().every((term) => named.has(term));
    return question.isDefinition && (question.isComparison || isWholeName || named.size === 0)
      ? defines(question, passage)
      : speaksOf(question, passage, measure);
  }
  return (
    relations.some((relation) => addresses(question, relation, passage)) ||
    (WHY.test(question.text) && speaksOf(question, passage, null))
  );
}

/** A heading speaks of what is asked for sentences about its document's subject, or that begin with the question's. */
function addresses(question: Question, relation: Relation, passage: ReadPassage): boolean {
  const { inHeading, inAnswer, stems } = relation;
  const { place, lead, text, own, sequence } = passage;
  if (inAnswer.length > 0 && (question.measure !== null || !inHeading.test(place))) {
    return inAnswer.every((pattern) => pattern.test(text));
  }
  const start = new Set(sequence.slice(0, SUBJECT_START));
  const isHeaded =
    inHeading.test(place) || (lead !== null && inHeading.test(lead.slice(0, LEAD_CHARACTERS)));
  const isOwnHeading =
    namedIn(question, passage).size > 0 ||
    [...question.subject.values()].some((forms) => hasAny(start, forms));
  return (isHeaded && isOwnHeading) || [...stems].some((stem) => own.has(stem));
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

/** A question without a known relation is answered by a sentence that says more than the name of the subject. */
function speaksOf(
  { subject, populations }: Question,
  { text, own, names }: ReadPassage,
  measure: RegExp | null,
): boolean {
  const isTitle = (term: string): boolean => names.some((name) => name.has(term));
  const rest = [...subject].filter(([, forms]) => ![...forms].some(isTitle));
  const isSaid = rest.length > 0 && rest.every(([, forms]) => hasAny(own, forms));
  return (isSaid || populations.length > 0) && (measure === null || measure.test(text));
}

/** Whether a passage keeps to what the question excludes, and to the people it asks about. */
export function meetsConstraints(question: Question, passage: ReadPassage): boolean {
  const { text, lead, place, own } = passage;
  const said = `${place}\n${lead?.slice(0, LEAD_CHARACTERS) ?? ""}\n${text}`;
  const isExcluded = (term: string): boolean =>
    own.has(`non${term}`) || own.has(`un${term}`) || (own.has(term) && NEGATION.test(text));
  return (
    question.populations.every(({ inAnswer }) => inAnswer.test(said)) &&
    (question.excluded.size === 0 || [...question.excluded].some(isExcluded))
  );
}

/** Names need not be given with these: "celiac" is celiac disease, and "COVID" COVID-19. */
function isIncidental(term: string): boolean {
  return GENERIC.has(term) || /^\d{2,}$/.test(term);
}

function hasAny(terms: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const other of others) {
    if (terms.has(other)) {
      return true;
    }
  }
  return false;
}
