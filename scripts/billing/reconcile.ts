import { microsToUsd } from "@/lib/billing/money";
import {
  type Difference,
  type Reconciliation,
  reconcilePayments,
} from "@/lib/billing/write/reconcile";
import type { reconcileOptions } from "../billing";

const WORDS: Record<Difference["kind"], string> = {
  missing_credit: "paid, and not credited here",
  amount_differs: "credited with another amount than was paid",
  missing_reversal: "a refund or dispute, or its end, is not known here",
  outstanding: "taken back, and not debited yet for want of funds",
  ledger_differs: "the ledger's entries are not what the payment says",
  unknown_credit: "credited here, and not paid there",
};

/** `billing reconcile`. 1 when something differs that was not repaired. */
export async function runReconcile({
  since,
  repair,
  isJson,
}: ReturnType<typeof reconcileOptions>): Promise<number> {
  const result = await reconcilePayments({ since, repair });
  const text = isJson ? JSON.stringify(toJson(result)) : toLines(result).join("\n");
  process.stdout.write(`${text}\n`);
  return result.differences.every(({ isRepaired }) => isRepaired) ? 0 : 1;
}

function toLines({ provider, compared, foreign, differences }: Reconciliation): string[] {
  const counts = `Compared ${compared} payments with ${provider}; ${foreign} there are not for this product.`;
  const lines = differences.map(
    ({ kind, checkoutId, paymentReference, expected, found, isRepaired }) =>
      `${checkoutId} ${paymentReference}: ${WORDS[kind]}: expected ${microsToUsd(expected)}, found ${microsToUsd(found)}${isRepaired ? " (repaired)" : ""}`,
  );
  return [...lines, `${counts} ${differences.length === 0 ? "Nothing differs." : ""}`.trim()];
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
