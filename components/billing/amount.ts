import { formatUsd } from "@/components/ui/usd";
import type { CheckoutConfig } from "@/lib/money/billing/schema";

/** Nine digits exceed any limit, and their cents are still exact numbers. */
const AMOUNT = /^\$?\s*(\d{1,3}(?:,\d{3}){1,2}|\d{1,9})(?:\.(\d{0,2}))?$/;

/** Parses typed input such as `$1,250.5` to cents; null when it isn't a whole number of cents. */
export function parseCents(text: string): number | null {
  const [, dollars, cents = ""] = AMOUNT.exec(text.trim()) ?? [];
  return dollars === undefined
    ? null
    : Number(dollars.replaceAll(",", "")) * 100 + Number(cents.padEnd(2, "0"));
}

/** Formats cents for display, such as `$1,250.50`. */
export function formatCents(cents: number): string {
  return formatUsd((cents / 100).toFixed(2));
}

/** Formats cents for an input, such as `1,250.50`. */
export function formatCentsInput(cents: number): string {
  return formatCents(cents).slice(1);
}

const NOT_AN_AMOUNT = "Enter an amount in dollars, such as 25 or 25.50.";

/** Why the input isn't a valid top-up amount, or null. */
export function findProblem(
  text: string,
  limits: Pick<CheckoutConfig, "min_amount" | "max_amount">,
): string | null {
  const cents = parseCents(text);
  if (text.trim() === "") {
    return "Enter an amount.";
  }
  if (cents === null) {
    return NOT_AN_AMOUNT;
  }
  if (cents < limits.min_amount) {
    return `Add at least ${formatCents(limits.min_amount)}.`;
  }
  return cents > limits.max_amount
    ? `Add at most ${formatCents(limits.max_amount)} at a time.`
    : null;
}

const MAX_THRESHOLD = 10_000_000;

/** Why the input isn't a valid alert threshold, or null. */
export function findThresholdProblem(text: string): string | null {
  const cents = parseCents(text);
  if (cents === null) {
    return NOT_AN_AMOUNT;
  }
  if (cents === 0) {
    return "Enter more than $0.00.";
  }
  return cents > MAX_THRESHOLD ? `Enter at most ${formatCents(MAX_THRESHOLD)}.` : null;
}
