import { isForDefinition } from "./definition";
import { addressesRelation, isAboutSubject, meetsConstraints } from "./fit";
import type { ReadPassage } from "./passage";
import type { Question } from "./question";
import { variantsOf } from "./terms";

/** How well a term of the question is matched, from 0 to 1: by the passage itself, and by that or its title and headings. */
export interface FeatureMatch {
  weight: number;
  own: number;
  any: number;
  /** Whether it is part of the question's subject. */
  isSubject: boolean;
}

/** Weaker matches count as none. */
const MATCHED = 0.3;
/** How well another word for the same relation matches. */
const RELATED = 0.7;
/** Terms that count less aren't part of the subject. */
const SUBJECT_COUNTS = 0.5;
/** What terms outside the subject count. */
const RELATION_TERM_WEIGHT = 0.5;
const DENIAL = /\b(?:not|never|no|none|without|cannot|rarely|only|alone)\b|n['’]t\b|\bnon-/i;
const YES_NO =
  /^\W*(?:is|are|am|was|were|can|could|do|does|did|will|would|should|may|has|have|must)\b|, (?:is|are|can|could|do|does|did|will|should|has|have) (?:it|that|this|I|they|there|my|we)\b/i;
/** "My hands shake since I take the new pill": somebody tells what happened. */
const TELLS =
  /(?<!\b(?:type|bipolar|stage|class|factor|grade|phase) )\b(?:i|my|me(?![/-])|we|our|he|she|his|her(?!-?2))\b/i;
const STORY_TERMS = 6;
/** What a question asks for, and what a sentence that gives it has. */
const UNITS: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:mg|milligrams?)\b/i, /\bmg\b(?!\/dL)|milligram/i],
  [/\b(?:how many|what) grams?\b/i, /\d ?(?:g|grams?)\b/i],
  [
    /\b(?:(?:what|which) (?:percent\w*|proportion|share|fraction)|how likely|chances?|the odds)\b/i,
    /%|\b(?:percent\w*|(?:one|1) in|half|thirds?|quarters?|out of|likely|risks?|chances?)\b/i,
  ],
  [/\b(?:temperatures?|degrees)\b/i, /°|degrees|temperature/i],
  [/\b(?:costs?|prices?)\b/i, /\$|\b(?:costs?|prices?)\b/i],
  [
    /\bhow many (?:minutes|hours|days|weeks|months|years)\b|\bhow (?:long|soon|often|old)\b|\bwhat age\b/i,
    /\b(?:seconds?|minutes?|hours?|days?|daily|weeks?|weekly|months?|years?|yearly|annual\w*|age|aged|decades?|life\w*|once|twice|birth|child\w*|adult\w*|infan\w*|teens?)\b/i,
  ],
];

/**
 * What is known of a passage as an answer to a question, each from 0 to 1 except `question_length`. Shares are of the
 * weight of the question's terms, or of those of its subject or the rest.
 */
export function answerFeatures(
  question: Question,
  passage: ReadPassage,
  matches: readonly FeatureMatch[],
) {
  const { text } = question;
  const subject = matches.filter(({ isSubject }) => isSubject);
  const rest = matches.filter(({ isSubject }) => !isSubject);
  const missing = subject.filter(({ any }) => any < MATCHED);
  const missingShare = missing.length / Math.max(1, subject.length);
  const missingMost = Math.max(0, ...missing.map(({ weight }) => weight)) / (weigh(matches) || 1);
  const isDenied = DENIAL.test(text);
  const denies = DENIAL.test(passage.text);
  const isDirect = !(TELLS.test(text) && matches.length >= STORY_TERMS);
  const fits = {
    about: isAboutSubject(question, passage),
    addresses: addressesRelation(question, passage),
    constraints: meetsConstraints(question, passage),
  };
  return {
    own: shareOf(matches, "own"),
    any: shareOf(matches, "any"),
    subject_own: shareOf(subject, "own"),
    rest_own: shareOf(rest, "own"),
    has_rest: Number(rest.length > 0),
    missing_subject: missingShare,
    missing_most: missingMost,
    about: Number(fits.about),
    addresses: Number(fits.addresses),
    constraints: Number(fits.constraints),
    fits: Number(Object.values(fits).every(Boolean)),
    unaddressed:
      Number(question.relations.length > 0 && !fits.addresses) / Math.max(1, matches.length),
    unmeasured: Number(question.measure !== null && !question.measure.test(passage.text)),
    unit_missing: Number(
      UNITS.some(([asks, gives]) => asks.test(text) && !gives.test(passage.text)),
    ),
    both_deny: Number(isDenied && denies),
    only_question_denies: Number(isDenied && !denies),
    only_passage_denies: Number(!isDenied && denies),
    yes_no_missing: Number(YES_NO.test(text)) * missingMost,
    story: Number(!isDirect),
    direct_missing: Number(isDirect) * missingShare,
    question_length: Math.log(1 + matches.length),
    definition: Number(isForDefinition(question)),
  };
}

function weigh(matches: readonly FeatureMatch[]): number {
  return matches.reduce((sum, { weight }) => sum + weight, 0);
}

function shareOf(matches: readonly FeatureMatch[], part: "own" | "any"): number {
  return (
    matches.reduce((sum, match) => sum + match.weight * match[part], 0) / (weigh(matches) || 1)
  );
}

/** What a logistic regression estimates, from 0 to 1. */
export function probabilityOf<Name extends string>(
  features: Record<Name, number>,
  fit: { intercept: number; weights: Record<Name, number> },
): number {
  return 1 / (1 + Math.exp(-logitOf(features, fit)));
}

/** The intercept of a regression plus each feature times its weight. */
export function logitOf<Name extends string>(
  features: Record<Name, number>,
  { intercept, weights }: { intercept: number; weights: Record<Name, number> },
): number {
  const names = Object.keys(features) as Name[];
  return names.reduce((sum, name) => sum + weights[name] * features[name], intercept);
}

/** How a passage matches each term of a question, without other passages to tell which terms are rare. */
export function matchesOf(question: Question, passage: ReadPassage): FeatureMatch[] {
  const { terms, relations } = question;
  return [...terms].map(([term, counts]) => {
    const asked = relations.filter(({ stems }) => stems.has(term));
    const forms = new Map([
      ...asked.flatMap(({ stems }) => [...stems].map((stem) => [stem, RELATED] as const)),
      ...variantsOf(term),
    ]);
    const isSubject = asked.length === 0 && counts >= SUBJECT_COUNTS;
    const strongest = (...texts: ReadonlySet<string>[]): number =>
      Math.max(
        0,
        ...[...forms].map(([form, strength]) =>
          texts.some((text) => text.has(form)) ? strength : 0,
        ),
      );
    return {
      weight: counts * (isSubject ? 1 : RELATION_TERM_WEIGHT),
      own: strongest(passage.own),
      any: strongest(passage.own, passage.context, passage.title, ...passage.names),
      isSubject,
    };
  });
}
