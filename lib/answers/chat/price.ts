import type { Model } from "@/lib/models/catalogue";
import { type Bill, sumTokens, type TokenCount, type TokensByModel } from "@/lib/models/sent-call";
import { type ChatKind, type ModelRates, sumCost } from "@/lib/money/billing/rates";

/** The calls of a request. */
export interface Bills {
  answer: Bill;
  /** To make the query. */
  rewrite?: Bill | undefined;
  /** To decide what to search for. */
  search?: Bill | undefined;
  /** To verify the answer. */
  verification?: Bill | undefined;
}

/** The price of the answer and of our own calls for it, which are billed at core rates, and the rates it was computed from. */
export function priceOf(rates: ModelRates, kind: ChatKind, { answer, ...own }: Bills) {
  const { cached, written } = sumTokens(answer.charged);
  const unbilled = [answer, ...Object.values(own)].flatMap((bill) => [...(bill?.unbilled ?? [])]);
  return {
    cost: sumCost([
      ...partsOf(answer.charged, kind),
      ...Object.values(own).flatMap((bill) => partsOf(bill?.charged, "core")),
    ]),
    /** What upstreams bill beside it, at the same rates. */
    unbilled: sumCost([
      ...partsOf(answer.unbilled, kind),
      ...Object.values(own).flatMap((bill) => partsOf(bill?.unbilled, "core")),
    ]),
    rate: {
      ...rates[kind],
      ...cacheCounts(rates[kind], { cached, written }),
      ...ratesByName("rewrite", own.rewrite?.charged),
      ...ratesByName("search", own.search?.charged),
      ...ratesByName("verification", own.verification?.charged),
      ...(unbilled.length > 0 && { unbilled: countsOf(unbilled) }),
    },
  };
}

export function partsOf(byModel: TokensByModel | undefined, kind: ChatKind) {
  return [...(byModel ?? [])].map(([{ rates }, tokens]) => ({ rates, kind, tokens }));
}

/** One, or a list when a fallback was asked too. */
function ratesByName(name: string, byModel: TokensByModel | undefined) {
  const rates = ownCallRates(byModel ?? []);
  return rates.length > 0 && { [name]: rates.length > 1 ? rates : rates[0] };
}

/** What models were billed at for calls beside an answer. */
export function ownCallRates(billed: Iterable<readonly [Model, TokenCount]>) {
  return [...billed].map(([{ id, rates }, tokens]) => ({
    model: id,
    ...rates.core,
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
    ...cacheCounts(rates.core, tokens),
  }));
}

function countsOf(used: Iterable<readonly [Model, TokenCount]>) {
  return [...used].map(([{ id }, { prompt, completion }]) => ({
    model: id,
    prompt_tokens: prompt,
    completion_tokens: completion,
  }));
}

/** Where they have a rate of their own. */
function cacheCounts(
  { cached_input, cache_write }: ModelRates["core"],
  { cached, written }: Pick<TokenCount, "cached" | "written">,
) {
  return {
    ...(cached_input !== undefined && cached > 0 && { cached_tokens: cached }),
    ...(cache_write !== undefined && written > 0 && { cache_write_tokens: written }),
  };
}
