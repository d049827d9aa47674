import { microsToUsd } from "@/lib/billing/money";
import { type ChatKind, chatCost } from "@/lib/billing/rates";
import type { Rates } from "@/lib/billing/schema";

type ModelRate = Rates["models"][number];

/** A line of a charge, before rounding. Amounts are decimal strings of US dollars. */
interface ChargePart {
  name: string;
  tokens: number;
  usdPerMillion: string;
  usd: string;
}

export interface ExampleCharge {
  parts: ChargePart[];
  exactUsd: string;
  chargedUsd: string;
}

/** A typical request whose exact cost needs rounding. */
export const EXAMPLE_TOKENS = { prompt: 2417, completion: 283 };

/** The example request's cost at a model's rates, calculated like a real charge. */
export function exampleCharge(
  model: ModelRate,
  kind: ChatKind,
  tokens = EXAMPLE_TOKENS,
): ExampleCharge {
  const rate = model[kind];
  const input = costNanos(tokens.prompt, rate.input_usd_per_million);
  const output = costNanos(tokens.completion, rate.output_usd_per_million);
  return {
    parts: [
      {
        name: "Input",
        tokens: tokens.prompt,
        usdPerMillion: rate.input_usd_per_million,
        usd: nanosToUsd(input),
      },
      {
        name: "Output",
        tokens: tokens.completion,
        usdPerMillion: rate.output_usd_per_million,
        usd: nanosToUsd(output),
      },
    ],
    exactUsd: nanosToUsd(input + output),
    chargedUsd: microsToUsd(chatCost(toModelRates(model), kind, tokens)),
  };
}

/** How many times an amount covers a charge; null if the charge is 0. */
export function timesPaidBy(usd: number, charge: ExampleCharge): number | null {
  const micros = BigInt(charge.chargedUsd.replace(".", ""));
  return micros === 0n ? null : Number((BigInt(usd) * 1_000_000n) / micros);
}

function toModelRates({ core, grounded }: ModelRate) {
  const numbers = (rate: ModelRate[ChatKind]) => ({
    input: Number(rate.input_usd_per_million),
    output: Number(rate.output_usd_per_million),
  });
  return { core: numbers(core), grounded: numbers(grounded) };
}

/** Exact, because a rate has at most three decimal places. */
function costNanos(tokens: number, usdPerMillion: string): bigint {
  return BigInt(tokens) * BigInt(Math.round(Number(usdPerMillion) * 1000));
}

function nanosToUsd(nanos: bigint): string {
  return `${nanos / 1_000_000_000n}.${String(nanos % 1_000_000_000n).padStart(9, "0")}`;
}
