import { readPacks } from "@/lib/packs";
import { oncePer } from "@/lib/text/memoized";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";

const PACK = readPacks("words");
/** "This condition", "people with the disorder", "affected individuals". */
const POINTS_BACK = new RegExp(
  String.raw`\b(?:this|these|the|such) (?:(?:rare|${PACK.qualities.join("|")}) )?(?:condition|procedure|test|treatment|${PACK.conditions.join("|")})s?\b(?! (?:of|in which|called|known|that)\b)|\baffected (?:individual|people|person|famil|${PACK.affected.join("|")})`,
);
const POINTING = /^(?:this|these|such|its|their) /;
const STARTS_WITH_PRONOUN = /^(?:it|they|these|this)\b/;
/** The weight of words that are neither common nor adverbs. */
const PLAIN = 1;

/** The sentences that name the title's subject only as "this condition" or "it". */
export const sentencesAboutTitle = oncePer(findSentencesAboutTitle);

/** Whether a word of a sentence stands for something named before: "this cancer", "the drug". */
export function pointsBack({ tokens }: SentenceAnalysis, at: number): boolean {
  const words = tokens.slice(Math.max(0, at - 1), at + 2);
  const text = words.map(({ lower }) => lower).join(" ");
  return POINTING.test(text) || POINTS_BACK.test(text);
}

/** Whether a sentence begins with "it" or "the drug". */
export function startsPointing(sentence: SentenceAnalysis): boolean {
  return STARTS_WITH_PRONOUN.test(sentence.tokens[0]?.lower ?? "") || pointsBack(sentence, 1);
}

/** What names the subject of a sentence that points back: the title and the sentences before it, up to one that doesn't. */
export function namedBefore({ label, analyses }: AnalyzedPassage, at: number): SentenceAnalysis[] {
  const before = analyses.slice(0, at);
  const from = before.findLastIndex((one) => !startsPointing(one));
  return [label.analysis, ...before.slice(Math.max(0, from))];
}

function findSentencesAboutTitle({ analyses, label, rules }: AnalyzedPassage): ReadonlySet<number> {
  const found = new Set<number>();
  if (rules !== "en" || label.analysis.terms.length === 0) {
    return found;
  }
  const inTitle = new Set(label.analysis.terms.flatMap(({ keys }) => keys));
  for (const [at, sentence] of analyses.entries()) {
    const before = analyses[at - 1];
    const isTopicKept = !before || found.has(at - 1) || !startsWithOther(before, inTitle);
    const text = sentence.tokens.map(({ lower }) => lower).join(" ");
    const isPronoun = STARTS_WITH_PRONOUN.test(text) && (!before || startsWith(before, inTitle));
    if (isTopicKept && (isPronoun || POINTS_BACK.test(text))) {
      found.add(at);
    }
  }
  return found;
}

/** Whether a sentence begins with a name that the title lacks, which the next one may point back to. */
function startsWithOther({ terms }: SentenceAnalysis, inTitle: ReadonlySet<string>): boolean {
  const [first] = terms;
  return (
    first !== undefined && first.word.weight >= PLAIN && !first.keys.some((key) => inTitle.has(key))
  );
}

function startsWith({ terms }: SentenceAnalysis, inTitle: ReadonlySet<string>): boolean {
  return terms.slice(0, 2).some(({ keys }) => keys.some((key) => inTitle.has(key)));
}
