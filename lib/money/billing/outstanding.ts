import type { Credits } from "./schema";

const REASONS: Record<NonNullable<Credits["outstanding_reason"]>, string> = {
  refund: "a refunded payment",
  dispute: "a disputed payment",
  refund_and_dispute: "refunded and disputed payments",
};

/** What an account owes, and why; `amount` as people read it. Null when nothing is outstanding. */
export function describeOutstanding(
  amount: string,
  reason: Credits["outstanding_reason"],
): string | null {
  return (
    reason &&
    `You owe ${amount} for ${REASONS[reason]} that your balance didn’t cover. It’s taken from the next funds you add.`
  );
}
