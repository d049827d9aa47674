import { relationsOf } from "./agreement";
import { abbreviationsIn } from "./aliases";
import { type AnalyzedPassage, directionKeys, type SentenceAnalysis } from "./analyze-passage";
import { isClose } from "./coverage";
import relationWords from "./relation-words.json" with { type: "json" };
import { termKeysOf } from "./subject-names";
import { type ContentTerm, stemOf } from "./words";

/** Verbs that tell little by themselves, so that a source may well use another one. */
const NEUTRAL = new Set(relationWords.neutral.split(" ").flatMap((word) => stemOf(word) ?? []));
/** Verbs that describe what a study did, not what it found. */
const REPORTING = new Set(relationWords.reporting.split(" ").flatMap((word) => stemOf(word) ?? []));
const BE = /^(?:is|are|was|were|be|been|being)$/;
const AUXILIARY = /^(?:ha[sd]|have|do|does|did|can|cannot|could|may|might|will|would|must|should)$/;
const ARTICLE_OR_PREPOSITION =
  /^(?:the|a|an|this|these|that|its|their|of|to|in|by|with|for|from|on|at|as|into|against|between|among)$/;
const NOUN = /(?:tion|ment|ness|ity|ance|ence|ism|sis|or|er)s?$/;
const NO_MAIN_VERB = /(?:ed|ing|ive)$/;
const PLURAL = /[^s]s$/;
/** The weight of words that are neither common nor adverbs. */
const PLAIN = 1;

/**
 * Whether a claim says of its subject what an English passage and its title have no word for, as in "A is confined to
 * B" or "A dismantles the B". Read from word order and from the verbs that the rules know, or because the claim has no
 * other verb. Words with a direction aren't counted: their directions are compared.
 */
export function hasUnsaidPredicate(claim: SentenceAnalysis, analyzed: AnalyzedPassage): boolean {
  if (analyzed.rules !== "en") {
    return false;
  }
  const isUnsaid = (term: ContentTerm) => !isNeutral(term) && !isMentioned(term, analyzed);
  const relations = relationsOf(claim).flatMap((index) => claim.terms[index] ?? []);
  const unsaid = claim.terms.filter((term) => term.word.weight >= PLAIN && isUnsaid(term));
  return (
    unsaid.some((term) => term.direction === null && isPredicate(claim, term)) ||
    relations.some(
      (term) => term.direction === null && !NOUN.test(wordOf(claim, term)) && isUnsaid(term),
    ) ||
    (unsaid.length > 0 && !hasVerb(claim, relations, analyzed))
  );
}

/**
 * Whether a claim that closely follows a sentence has a word that appears in no form in the passage or its title: "A
 * erodes B" for "A causes B". Common words and adverbs don't count. Negations and directions are compared elsewhere.
 */
export function hasUnsaidWord(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  evidence: readonly SentenceAnalysis[],
): boolean {
  const close = evidence.filter((sentence) => isClose(claim, sentence));
  if (close.length === 0) {
    return false;
  }
  const keys = termKeysOf(close);
  // The words of a number are no terms: "an estimated" in "an estimated 15%".
  const words = new Set(close.flatMap(({ tokens }) => tokens.map(({ lower }) => lower)));
  const isSaid = (term: ContentTerm) =>
    isMentioned(term, analyzed) ||
    REPORTING.has(term.stem) ||
    words.has(wordOf(claim, term)) ||
    claim.negations.some(({ token }) => token === term.token) ||
    [...directionKeys(term, 1), ...directionKeys(term, -1)].some((key) => keys.has(key));
  const unsaid = claim.terms.flatMap((term) => {
    const token = claim.tokens[term.token];
    return token && term.word.weight >= PLAIN && !isSaid(term) ? [{ term, token }] : [];
  });
  const all = [analyzed.label.analysis, ...analyzed.analyses];
  return unsaid.length > 0 && !unsaid.every(abbreviationsIn(claim, all));
}

function wordOf({ tokens }: SentenceAnalysis, { token }: ContentTerm): string {
  return tokens[token]?.lower ?? "";
}

function isNeutral({ stem }: ContentTerm): boolean {
  return NEUTRAL.has(stem);
}

/** A word after a form of "be", or before an article or preposition. */
function isPredicate({ tokens }: SentenceAnalysis, { token: at }: ContentTerm): boolean {
  const wordAt = (index: number) => tokens[index]?.lower ?? "";
  const [own, before, after] = [wordAt(at), wordAt(at - 1), wordAt(at + 1)];
  if (NOUN.test(own)) {
    return false;
  }
  const isAfterBe = BE.test(before) || (before.endsWith("ly") && BE.test(wordAt(at - 2)));
  if (isAfterBe) {
    return !PLURAL.test(own);
  }
  return ARTICLE_OR_PREPOSITION.test(after) && !ARTICLE_OR_PREPOSITION.test(before);
}

/** A form of "be", an auxiliary, a neutral verb, a direction, or a relation that the passage mentions. */
function hasVerb(
  claim: SentenceAnalysis,
  relations: readonly ContentTerm[],
  analyzed: AnalyzedPassage,
): boolean {
  const { tokens, terms } = claim;
  return (
    tokens.some(({ lower }) => BE.test(lower) || AUXILIARY.test(lower)) ||
    terms.some(isNeutral) ||
    relations.some((term) => {
      const word = wordOf(claim, term);
      const isVerb = !NOUN.test(word) && !NO_MAIN_VERB.test(word);
      return isVerb && (term.direction !== null || isMentioned(term, analyzed));
    })
  );
}

/** In the same word, a word of the same root or a synonym. */
function isMentioned({ keys }: ContentTerm, { sentencesByKey, label }: AnalyzedPassage): boolean {
  return keys.some(
    (key) =>
      !key.startsWith("^") &&
      (sentencesByKey.has(key) || label.analysis.terms.some((term) => term.keys.includes(key))),
  );
}
