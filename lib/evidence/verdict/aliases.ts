import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { type Subject, termKeysOf } from "./subject-names";
import type { Token } from "./tokens";

const MAX_LETTERS = 6;
const INITIALS = /^\p{Lu}{3,6}s?$/u;

/** Finds "BMI" for "body mass index", and the other way around, where the passage doesn't define it. */
export function abbreviationsIn(
  claim: SentenceAnalysis,
  all: readonly SentenceAnalysis[],
): (subject: Subject) => boolean {
  const spelled = all.map(initialsOf);
  const names = new Set(
    all.flatMap(({ tokens }) =>
      tokens.flatMap(({ text, lower }) => (INITIALS.test(text) ? lower.replace(/s$/, "") : [])),
    ),
  );
  const own = initialsOf(claim);
  return ({ token, term }) => {
    if (INITIALS.test(token.text)) {
      const letters = token.lower.replace(/s$/, "");
      return spelled.some((initials) => initials.includes(letters));
    }
    const at = claim.terms.indexOf(term);
    return [...names].some((name) => {
      const found = own.indexOf(name, Math.max(0, at - MAX_LETTERS));
      return found >= 0 && found <= at && at < found + name.length;
    });
  };
}

/** The initials of a sentence's content words. */
function initialsOf({ terms, tokens }: SentenceAnalysis): string {
  return terms.map(({ token }) => tokens[token]?.lower.charAt(0) ?? "").join("");
}

const ALIAS_CUE = /^(?:called|known|named|brand|brands|trade|aka|abbreviated|termed)$/;
/** So many words after a cue are still part of the name: "also called acute lymphocytic leukemia". */
const ALIAS_REACH = 4;

/**
 * Whether the passage gives a name as another name of what it replaces, as in "acetaminophen (Tylenol)" or "also called
 * …", or the other way around.
 */
export function isAliasIn(
  { analyses, label }: AnalyzedPassage,
  replaced: readonly Subject[],
): (subject: Subject) => boolean {
  const inLabel = termKeysOf([label.analysis]);
  const all = [label.analysis, ...analyses];
  const isGivenAs = (alias: Subject, { term }: Subject) =>
    all.some((sentence) => {
      const cue = cueBefore(sentence, alias.term.stem);
      return (
        cue !== null && (inLabel.has(`=${term.stem}`) || isJustBefore(sentence, cue, term.stem))
      );
    });
  return (subject) =>
    replaced.some((other) => isGivenAs(subject, other) || isGivenAs(other, subject));
}

/** The name comes so many words before "(" or "also called". */
const NAME_REACH = 8;

function isJustBefore({ terms }: SentenceAnalysis, cue: number, name: string): boolean {
  return terms.some(({ stem, token }) => stem === name && token < cue && token >= cue - NAME_REACH);
}

/** Where a sentence introduces another name, as in parentheses or after "also called"; null if it doesn't. */
function cueBefore({ terms, tokens }: SentenceAnalysis, name: string): number | null {
  for (const { stem, token } of terms) {
    const from = Math.max(0, token - ALIAS_REACH);
    const cue = stem === name ? tokens.slice(from, token).findLastIndex(isCue) : -1;
    if (cue >= 0 && !tokens.slice(from + cue, token).some(({ text }) => text === ")")) {
      return from + cue;
    }
  }
  return null;
}

function isCue({ text, lower }: Token): boolean {
  return text === "(" || ALIAS_CUE.test(lower);
}
