import { type ChatKind, type ModelRates, sumCost } from "@/lib/billing/rates";
import type { TokenCount } from "@/lib/citations/verdict/model-judge";
import type { Model } from "@/lib/models/catalogue";
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

/** Those of the prompt that the upstream says it had cached, as OpenAI reports them. */
function cachedTokensOf({
  prompt_tokens: prompt,
  prompt_tokens_details: details,
}: ModelUsage): number {
  const cached =
    typeof details === "object" && details !== null && Reflect.get(details, "cached_tokens");
  return typeof cached === "number" && Number.isInteger(cached)
    ? Math.min(Math.max(0, cached), prompt)
    : 0;
}

/** One, or a list when a fallback was asked too. */
function ratesOf(billed: readonly (readonly [Model, TokenCount])[]) {
  const rates = billed.map(([model, tokens]) => ({
    model: model.id,
    ...model.rates.core,
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
  }));
  return rates.length > 1 ? rates : rates[0];
}
