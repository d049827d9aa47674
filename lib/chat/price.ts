import { type ChatKind, type ModelRates, sumCost } from "@/lib/billing/rates";
import type { ModelUsage } from "@/lib/models/schema";
import type { ChoiceProcessor } from "./choice-processor";

/** How far a request got. */
export interface Progress {
  kind: ChatKind;
  usage: ModelUsage;
  firstTokenMs: number | null;
}

/** The price of the answer and of verifying it, and the rates it was computed from. */
export function priceOf(
  rates: ModelRates,
  {
    kind,
    usage: { prompt_tokens: prompt, completion_tokens: completion },
  }: Pick<Progress, "kind" | "usage">,
  verified: ChoiceProcessor["verified"],
) {
  const answer = { rates, kind, tokens: { prompt, completion } };
  const verifying = [...(verified?.byModel ?? [])].filter(([, { prompt }]) => prompt > 0);
  if (verifying.length === 0) {
    return { cost: sumCost([answer]), rate: rates[kind] };
  }
  const parts = verifying.map(([model, tokens]) => ({
    rates: model.rates,
    kind: "core" as const,
    tokens,
  }));
  const verification = verifying.map(([model, tokens]) => ({
    model: model.id,
    ...model.rates.core,
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
  }));
  return {
    cost: sumCost([answer, ...parts]),
    rate: {
      ...rates[kind],
      verification: verification.length > 1 ? verification : verification[0],
    },
  };
}
