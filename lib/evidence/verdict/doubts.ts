import { type AnalyzedPassage, analyzeClaim, type SentenceAnalysis } from "./analyze-passage";
import { type KnownLanguage, rulesLanguageOf } from "./claim-language";
import { conflictOf } from "./evidence";
import { overclaims } from "./overclaim";
import { hasMisplacedQuantity } from "./quantity-binding";
import { mismatchesOf } from "./quantity-check";
import { subjectConflict } from "./subject";

/**
 * What speaks against a claim being said by these words of a passage, or by all of it, whatever words it uses itself: a
 * number that they lack, a denial, another subject, a limit left out. Null if nothing does, which proves nothing.
 */
export function doubtAbout(
  claim: string,
  analyzed: AnalyzedPassage,
  quote: { start: number; end: number } | null,
): string | null {
  const own = analyzeClaim(claim, languageOfClaim(claim, analyzed));
  const said = quote ? sentencesWithin(analyzed, quote) : analyzed.analyses;
  const [mismatch] = mismatchesOf(own, said, false);
  if (mismatch ?? hasMisplacedQuantity(own, said)) {
    return mismatch?.reason ?? "number";
  }
  const conflict = conflictOf(own, said, []);
  if (conflict) {
    return conflict;
  }
  if (subjectConflict(own, analyzed, said)) {
    return "subject";
  }
  if (overclaims(own, said)) {
    return "overclaim";
  }
  return !own.isAim && said.some(({ isAim }) => isAim) ? "not_asserted" : null;
}

function languageOfClaim(claim: string, { rules }: AnalyzedPassage): KnownLanguage {
  const language = rulesLanguageOf(claim);
  return language === null || language === "other" ? rules : language;
}

/** The sentences that a quote touches. */
function sentencesWithin(
  { analyses, folded }: AnalyzedPassage,
  { start, end }: { start: number; end: number },
): SentenceAnalysis[] {
  return analyses.filter(({ tokens }) => {
    const [first, last] = [tokens[0], tokens.at(-1)];
    return (
      first !== undefined &&
      last !== undefined &&
      folded.originalStart(first.start) < end &&
      folded.originalEnd(last.end) > start
    );
  });
}
