import { microsToUsd, parseUsd, usdToMicros } from "@/lib/money/billing/money";
import { type ChatKind, chatCost } from "@/lib/money/billing/rates";
import type { Rates } from "@/lib/money/billing/schema";
import type { Charge } from "@/lib/money/usage/schema";

/** A typical request whose exact cost needs rounding. */
export const EXAMPLE_TOKENS = { prompt: 2417, completion: 283 };

/** The example request's cost at a model's rates, calculated like a real charge. */
export function exampleCharge(
  model: Rates["models"][number],
  kind: ChatKind,
  tokens = EXAMPLE_TOKENS,
): Charge {
  const { input_usd_per_million, output_usd_per_million } = model[kind];
  const parts = [
    { name: "Input", quantity: tokens.prompt, price_usd: input_usd_per_million },
    { name: "Output", quantity: tokens.completion, price_usd: output_usd_per_million },
  ].map((part) => ({ ...part, per: 1_000_000, nanos: costNanos(part.quantity, part.price_usd) }));
  const rate = { input: Number(input_usd_per_million), output: Number(output_usd_per_million) };
  return {
    parts: parts.map(({ nanos, ...part }) => ({ ...part, usd: nanosToUsd(nanos) })),
    exact_usd: nanosToUsd(parts.reduce((sum, { nanos }) => sum + nanos, 0n)),
    charged_usd: microsToUsd(chatCost({ core: rate, grounded: rate }, kind, tokens)),
  };
}

/** How many times an amount covers a charge; null if the charge is 0. */
export function timesPaidBy(usd: number, charge: Charge): number | null {
  const micros = parseUsd(charge.charged_usd);
  return micros === 0n ? null : Number(usdToMicros(usd) / micros);
}

/** Exact, because a rate has at most three decimal places. */
function costNanos(tokens: number, usdPerMillion: string): bigint {
  return BigInt(tokens) * BigInt(Math.round(Number(usdPerMillion) * 1000));
}

function nanosToUsd(nanos: bigint): string {
  return `${nanos / 1_000_000_000n}.${String(nanos % 1_000_000_000n).padStart(9, "0")}`;
}
