/** What a month is made of. */
export interface MonthlyUse {
  answers: number;
  promptTokens: number;
  completionTokens: number;
}

interface TokenRates {
  input_usd_per_million: string;
  output_usd_per_million: string;
}

const MICROS = 1_000_000;
/** Removes the error of binary fractions before rounding up, as in 0.1 + 0.2. */
const EXACT_DIGITS = 9;

/** A month's cost in US dollars: each answer is rounded up to a micro-dollar, as charges are. */
export function monthlyCost(rates: TokenRates, use: MonthlyUse): number {
  // US dollars per million tokens are micro-dollars per token.
  const micros =
    use.promptTokens * Number(rates.input_usd_per_million) +
    use.completionTokens * Number(rates.output_usd_per_million);
  return (Math.ceil(Number(micros.toFixed(EXACT_DIGITS))) * use.answers) / MICROS;
}

/** Beyond the end of every slider. */
const MAX_COUNT = 1_000_000_000;

/** What was typed or pasted as a whole number within bounds; 0 if it is none. */
export function toCount(text: string): number {
  const count = Number.parseInt(text.replaceAll(/[,\s]/g, ""), 10);
  return Number.isNaN(count) ? 0 : Math.min(Math.max(count, 0), MAX_COUNT);
}
