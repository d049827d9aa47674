import { readPacks } from "@/lib/packs";
import { oncePer } from "@/lib/text/memoized";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";

const PACK = readPacks("words");
/** "This condition", "people with the disorder", "affected individuals". */
const POINTS_BACK = new RegExp(
  String.raw`\b(?:this|these|the|such) (?:(?:rare|${PACK.qualities.join("|")}) )?(?:condition|procedure|test|treatment|${PACK.conditions.join("|")})s?\b(?! (?:of|in which|called|known|that))|\baffected (?:individual|people|person|famil|${PACK.affected.join("|")})`,
);
const STARTS_WITH_PRONOUN = /^(?:it|they|these|this)\b/;
/** The weight of words that are neither common nor adverbs. */
const PLAIN = 1;

/** The sentences that name the title's subject only as "this condition" or "it". */
export const sentencesAboutTitle = oncePer(findSentencesAboutTitle);

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
