import { withoutMarkers } from "./analyzed-passage";
import { fold } from "./fold";
import { analyzeSentence, type SentenceAnalysis } from "./sentence-analysis";
import { tokenize } from "./tokens";

let last: { claim: string; reading: SentenceAnalysis } | null = null;

/** A claim as one sentence, without its citation markers. The last one is kept: it is held against many passages. */
export function readClaim(claim: string): SentenceAnalysis {
  if (last?.claim !== claim) {
    last = { claim, reading: analyzeSentence(tokenize(withoutMarkers(fold(claim).text))) };
  }
  return last.reading;
}
