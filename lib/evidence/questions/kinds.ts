import { termsOf } from "@/lib/text/analyzer";
import { isIncidental } from "./names";
import type { ReadPassage } from "./passage";
import qualifiers from "./qualifiers.json" with { type: "json" };
import { pairsOf, type Question } from "./question";
import { hasAny } from "./terms";

const QUALIFIERS = new Set(termsOf(qualifiers.join(" ")));
/** Words before a disease's name that tell who has it, or why. */
const MODIFIERS = [
  "juvenile",
  "infantile",
  "neonatal",
  "congenital",
  "familial",
  "hereditary",
  "gestational",
];
const MODIFIER = new RegExp(`\\b(?:${MODIFIERS.join("|")})\\b`, "gi");
const MODIFIER_TERMS = new Set(termsOf(MODIFIERS.join(" ")));

/** "Lupus nephritis" is what lupus does to one organ. */
const PART = /\b\w{3,}(?:itis|opathy)\b/gi;

/** "Juvenile parkinsonism runs in families" says nothing of Parkinson's disease, even in its document. */
export function isOfKind(question: Question, { text, sequence }: ReadPassage): boolean {
  const kinds = unaskedTerms(question, text, MODIFIER);
  const parts = unaskedTerms(question, text, PART);
  if (kinds.size + parts.size === 0) {
    return false;
  }
  const places = sequence.flatMap((term, at) =>
    [...question.subject.values()].some((forms) => forms.has(term)) ? at : [],
  );
  const isKind = (at: number): boolean =>
    sequence.slice(Math.max(0, at - 2), at).some((term) => kinds.has(term)) ||
    (!QUALIFIERS.has(sequence[at] ?? "") && parts.has(sequence[at + 1] ?? ""));
  return places.length > 0 && places.every(isKind);
}

function unaskedTerms({ text: asked }: Question, text: string, pattern: RegExp): Set<string> {
  const words = (text.match(pattern) ?? []).filter((word) => !new RegExp(word, "i").test(asked));
  return new Set(words.flatMap((word) => termsOf(word)));
}

/** Whether a passage, or its document, is about a kind that the question doesn't ask about: juvenile ALS. */
export function isOtherKind(question: Question, passage: ReadPassage): boolean {
  const { subject, terms } = question;
  const isAsked = (term: string): boolean =>
    terms.has(term) || [...subject.values()].some((forms) => forms.has(term));
  const isUnasked = (term: string): boolean => MODIFIER_TERMS.has(term) && !isAsked(term);
  const { names } = passage;
  return (
    (names.length > 0 &&
      names.every((name) => [...name].some(isUnasked) && [...name].some(isAsked))) ||
    isOfKind(question, passage)
  );
}

/** Whether a document about a kind of the subject, such as juvenile ALS, speaks of that kind. */
export function isNarrower(
  { subject, terms }: Question,
  { names, own, sequence }: ReadPassage,
): boolean {
  const isOwn = (term: string): boolean =>
    terms.has(term) || [...subject.values()].some((forms) => forms.has(term));
  const isAsked = (term: string): boolean => isIncidental(term) || isOwn(term);
  const isQualified = sequence.some(
    (term, at) => QUALIFIERS.has(term) && !isAsked(term) && isOwn(sequence[at + 1] ?? ""),
  );
  return (
    isQualified ||
    names.some((name) => {
      const extra = [...name].filter((term) => !isAsked(term));
      const isShared = [...name].some((term) => !isIncidental(term) && isAsked(term));
      const isBeside = (term: string): boolean =>
        sequence.some(
          (each, at) =>
            each === term &&
            sequence
              .slice(Math.max(0, at - name.size), at + name.size + 1)
              .some((other) => name.has(other) && isOwn(other)),
        );
      const isNamedAlone = [...subject.values()].every((forms) => hasAny(own, forms));
      return isShared && (!isNamedAlone || extra.every(isBeside));
    })
  );
}

/** In "type 2 diabetes", the number belongs to the type. */
export function keepsLabels(
  { labeled }: Question,
  { sequence, names, context }: ReadPassage,
): boolean {
  if (labeled.length === 0) {
    return true;
  }
  const said = new Set(pairsOf(sequence));
  const isNamed = (pair: string): boolean =>
    [...names, context].some((name) => pair.split(" ").every((term) => name.has(term)));
  return labeled.every((pair) => said.has(pair) || isNamed(pair));
}

/** How far apart words may be that the question writes side by side. */
const SIDE_BY_SIDE = 3;
/** Words that needn't stand beside the other: "Tea, coffee and antacids reduce the absorption of iron". */
const LOOSE = new Set(
  termsOf(
    "high low normal reduce raise lower increase decrease stop prevent damage treat fix slow",
  ),
);

/** "Head or neck cancers are treated with radiation, which can damage the thyroid" isn't about thyroid cancer. */
export function keepsPairs(
  { subject, pairs }: Question,
  { sequence, names, context }: ReadPassage,
): boolean {
  return pairs.every((pair) => {
    const [one, other] = pair.split(" ").map((term) => subject.get(term));
    if (!one || !other || hasAny(LOOSE, one) || hasAny(LOOSE, other)) {
      return true;
    }
    const isTogether = [...names, context].some((each) => hasAny(each, one) && hasAny(each, other));
    return (
      isTogether ||
      sequence.some(
        (term, at) =>
          one.has(term) &&
          hasAny(
            new Set(sequence.slice(Math.max(0, at - SIDE_BY_SIDE), at + SIDE_BY_SIDE + 1)),
            other,
          ),
      )
    );
  });
}
