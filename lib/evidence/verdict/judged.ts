export const VERDICT_VALUES = [
  "supported",
  "partial",
  "unjudged",
  "unsupported",
  "contradicted",
] as const;
export type Verdict = (typeof VERDICT_VALUES)[number];

/** A verdict on a claim and its source. It is about what the passage says, not about what is true. */
export interface Judged {
  verdict: Verdict;
  /** How much of the claim the passage covers, from 0 to 1. */
  score: number;
  method: "rules" | "model";
  /** Why the verdict isn't `supported`: subject, number, negation, missing_terms, language …; null when it is. */
  reason: string | null;
}

/** Whether an answer addresses its question; `unknown` where the rules can't tell. */
export const ANSWERED = ["yes", "partly", "no", "unknown"] as const;
export type Answered = (typeof ANSWERED)[number];
