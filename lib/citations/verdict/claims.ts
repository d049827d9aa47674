import { withoutMarkers } from "./analyzed-passage";
import { fold } from "./fold";
import { type Reading, readSentence } from "./sentence-analysis";
import { tokenise } from "./tokens";

let last: { claim: string; reading: Reading } | null = null;

/** A claim as one sentence, without its citation markers. The last one is kept: it is held against many passages. */
export function readClaim(claim: string): Reading {
  if (last?.claim !== claim) {
    last = { claim, reading: readSentence(tokenise(withoutMarkers(fold(claim).text))) };
  }
  return last.reading;
}
