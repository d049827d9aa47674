import { termsOf } from "@/lib/text/analyzer";
import { isIncidental } from "./names";
import type { ReadPassage } from "./passage";
import qualifiers from "./qualifiers.json" with { type: "json" };
import { pairsOf, type Question } from "./question";
import { hasAny } from "./terms";

const QUALIFIERS = new Set(termsOf(qualifiers.join(" ")));
/** Kinds that differ from their disease in who has it, and why. */
const KIND = /\b(?:juvenile|infantile|neonatal|congenital|familial|hereditary|gestational)\b/gi;

/** "Juvenile parkinsonism runs in families" says nothing of Parkinson's disease, even in its document. */
export function isOfKind(
  { subject, text: asked }: Question,
  { text, sequence }: ReadPassage,
): boolean {
  const words = (text.match(KIND) ?? []).filter((word) => !new RegExp(word, "i").test(asked));
  const kinds = new Set(words.flatMap((word) => termsOf(word)));
  if (kinds.size === 0) {
    return false;
  }
  const places = sequence.flatMap((term, at) =>
    [...subject.values()].some((forms) => forms.has(term)) ? at : [],
  );
  const isKind = (at: number): boolean =>
    sequence.slice(Math.max(0, at - 2), at).some((term) => kinds.has(term));
  return places.length > 0 && places.every(isKind);
}

/** Whether a document about a kind of the subject, such as juvenile ALS, speaks of that kind. */
export function isNarrower(
  { subject, terms }: Question,
  { names, own, sequence }: ReadPassage,
): boolean {
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
