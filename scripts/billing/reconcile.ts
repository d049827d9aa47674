import { microsToUsd } from "@/lib/money/billing/money";
import {
  type Difference,
  type Reconciliation,
  reconcilePayments,
} from "@/lib/money/billing/write/reconcile";

const LABELS: Record<Difference["kind"], string> = {
  missing_credit: "paid, but not credited here",
  amount_differs: "credited amount differs from the payment",
  missing_reversal: "a refund or dispute, or its end, is missing here",
  outstanding: "refunded, but not debited yet for lack of funds",
  ledger_differs: "the ledger's entries don't match the payment",
  refused_payment: "paid for one of our checkouts, but in a form that can't be credited",
  unknown_credit: "credited here, but not paid",
};

/** Returns 1 if differences remain. */
export async function runReconcile({
  since,
  repair,
  isJson,
}: {
  since: Date;
  repair: boolean;
  isJson: boolean;
}): Promise<number> {
  const result = await reconcilePayments({ since, repair });
  const text = isJson ? JSON.stringify(toJson(result)) : toLines(result).join("\n");
  process.stdout.write(`${text}\n`);
  return result.differences.every(({ isRepaired }) => isRepaired) ? 0 : 1;
}

function toLines({ provider, compared, foreign, differences }: Reconciliation): string[] {
  const counts = `Compared ${compared} payments with ${provider}; ${foreign} of theirs belong to other products.`;
  const lines = differences.map(
    ({ kind, checkoutId, paymentReference, expected, found, isRepaired }) =>
      `${checkoutId} ${paymentReference}: ${LABELS[kind]}: expected ${microsToUsd(expected)}, found ${microsToUsd(found)}${isRepaired ? " (repaired)" : ""}`,
  );
  return [...lines, `${counts} ${differences.length === 0 ? "No differences." : ""}`.trim()];
}

function toJson({ provider, compared, foreign, differences }: Reconciliation): object {
  return {
    provider,
    compared,
    foreign,
    differences: differences.map((one) => ({
      kind: one.kind,
      checkout: one.checkoutId,
      payment: one.paymentReference,
      expected_usd: microsToUsd(one.expected),
      found_usd: microsToUsd(one.found),
      is_repaired: one.isRepaired,
    })),
  };
}
