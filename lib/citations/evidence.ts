import { judge } from "./verdict/judge";
import type { Quote } from "./verdict/quotes";

/**
 * The shortest verbatim run of the passage that the claim can rest on: a clause, a sentence, or two that follow
 * each other. Offsets are UTF-16 of the passage, `text === passage.slice(start, end)`; null when it says too little.
 */
export function findQuote(claim: string, passage: string): Quote | null {
  return judge(claim, passage).quote;
}
