import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { type Subject, termKeysOf } from "./subject-names";
import type { Token } from "./tokens";
import type { ContentTerm } from "./words";

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
      tokens.flatMap(({ text }) => (INITIALS.test(text) ? lettersOf(text) : [])),
    ),
  );
  const own = initialsOf(claim);
  return ({ token, term }) => {
    if (INITIALS.test(token.text)) {
      return spelled.some((initials) => initials.includes(lettersOf(token.text)));
    }
    const at = claim.terms.indexOf(term);
    return [...names].some((name) => {
      const found = own.indexOf(name, Math.max(0, at - MAX_LETTERS));
      return found >= 0 && found <= at && at < found + name.length;
    });
  };
}

/** Of an abbreviation, without the "s" of a plural: "NSAIDs", but "MS". */
function lettersOf(abbreviation: string): string {
  return abbreviation.replace(/s$/, "").toLowerCase();
}

/** The initials of a sentence's content words. */
function initialsOf({ terms, tokens }: SentenceAnalysis): string {
  return terms.map(({ token }) => tokens[token]?.lower.charAt(0) ?? "").join("");
}

/** Some words of a sentence. */
type Words = readonly [sentence: SentenceAnalysis, terms: readonly ContentTerm[]];

/** Whether some words abbreviate the others: "AMD" for "age-related macular degeneration". */
export function areShortAndLong(one: Words, other: Words): boolean {
  return isShortFor(one, other) || isShortFor(other, one);
}

function isShortFor([{ tokens }, terms]: Words, [long, spelled]: Words): boolean {
  // "Daily" may be no term: the word before the first one counts too.
  const [first = 0, last = -1] = [spelled[0]?.token, spelled.at(-1)?.token];
  const words = long.tokens.slice(Math.max(0, first - 1), last + 1);
  const initials = words.map(({ lower }) => lower.charAt(0)).join("");
  return terms.some(({ token }) => {
    const { text = "" } = tokens[token] ?? {};
    const letters = [...lettersOf(text)].join(".*");
    return SHORT.test(text) && new RegExp(letters).test(initials);
  });
}

const SHORT = /^\p{Lu}{2,6}s?$/u;

const ALIAS_CUE = /^(?:called|known|named|brand|brands|trade|aka|abbreviated|termed)$/;
/** What the title names has another name. */
const ANOTHER =
  /^(?:also|commonly|formerly|otherwise|previously|sometimes|often|brand|trade|under)$/;
/** So many words after a cue are still part of the name: "also called acute lymphocytic leukemia". */
const ALIAS_REACH = 4;

/**
 * Whether the passage gives a name as another name of what it replaces, as in "acetaminophen (Tylenol)" or "also called
 * …", or the other way around.
 */
export function isAliasIn(
  { analyses, label }: AnalyzedPassage,
  replaced: readonly ContentTerm[],
): (term: ContentTerm) => boolean {
  const inLabel = termKeysOf([label.analysis]);
  const all = [label.analysis, ...analyses];
  const isGivenAs = (alias: ContentTerm, { stem }: ContentTerm) =>
    all.some((sentence) => {
      const cue = cueBefore(sentence, alias.stem);
      return (
        cue !== null &&
        (isJustBefore(sentence, cue, stem) ||
          (ANOTHER.test(sentence.tokens[cue - 1]?.lower ?? "") && inLabel.has(`=${stem}`)))
      );
    });
  return (term) => replaced.some((other) => isGivenAs(term, other) || isGivenAs(other, term));
}

/** The name comes so many words before "(" or "also called". */
const NAME_REACH = 3;

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
