import { type ChatKind, type ModelRates, sumCost } from "@/lib/billing/rates";
import type { TokenCount } from "@/lib/citations/verdict/model-judge";
import type { Model } from "@/lib/models/catalogue";
import { cachedTokensOf } from "@/lib/models/message-tokens";
import type { ModelUsage } from "@/lib/models/schema";

/** How far a request got. */
export interface Progress {
  kind: ChatKind;
  usage: ModelUsage;
  firstTokenMs: number | null;
}

/** What models used beside the answer, each billed at its core rate. */
export interface OwnCalls {
  /** To make the query. */
  rewrite?: ReadonlyMap<Model, TokenCount> | undefined;
  /** To verify the answer. */
  verification?: ReadonlyMap<Model, TokenCount> | undefined;
}

/** The price of the answer and of our own calls for it, and the rates it was computed from. */
export function priceOf(
  rates: ModelRates,
  { kind, usage }: Pick<Progress, "kind" | "usage">,
  calls: OwnCalls,
) {
  const used = Object.entries(calls).flatMap(([name, byModel]) => {
    const billed = [...(byModel ?? [])].filter(([, tokens]) => tokens.prompt > 0);
    return billed.length > 0 ? [{ name, billed }] : [];
  });
  const parts = used.flatMap(({ billed }) =>
    billed.map(([model, tokens]) => ({ rates: model.rates, kind: "core" as const, tokens })),
  );
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  const cached = rates[kind].cached_input === undefined ? 0 : cachedTokensOf(usage);
  return {
    cost: sumCost([{ rates, kind, tokens: { prompt, completion, cached } }, ...parts]),
    rate: {
      ...rates[kind],
      ...(cached > 0 && { cached_tokens: cached }),
      ...Object.fromEntries(used.map(({ name, billed }) => [name, ratesOf(billed)])),
    },
  };
}

/** One, or a list when a fallback was asked too. */
function ratesOf(billed: readonly (readonly [Model, TokenCount])[]) {
  const rates = ownCallRates(billed);
  return rates.length > 1 ? rates : rates[0];
}

/** What models were billed at for calls beside an answer. */
export function ownCallRates(billed: Iterable<readonly [Model, TokenCount]>) {
  return [...billed].map(([{ id, rates }, { prompt, completion, cached }]) => ({
    model: id,
    ...rates.core,
    prompt_tokens: prompt,
    completion_tokens: completion,
    ...(rates.core.cached_input !== undefined && cached > 0 && { cached_tokens: cached }),
  }));
}
