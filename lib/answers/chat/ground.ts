import type { Asked } from "@/lib/answers/builtin/answer";
import type { FieldNames } from "@/lib/answers/builtin/fields";
import { isRendered } from "@/lib/answers/citations/render";
import type { CitationsOptions, Warning } from "@/lib/answers/citations/schema";
import type { AnswerSource } from "@/lib/answers/citations/verification";
import { AppError } from "@/lib/errors";
import { boundTo, type Collection, packsOf } from "@/lib/library/documents/collections";
import type { Filter } from "@/lib/library/documents/filter-schema";
import { findQuoteLinker, type QuoteLinker } from "@/lib/library/documents/quote-link";
import { listAttributeNames } from "@/lib/library/documents/read/filters";
import { listLanguages } from "@/lib/library/documents/read/languages";
import { type Passage, toFoundPassage } from "@/lib/library/retrieval/read/passages";
import {
  type SearchOutcome,
  search,
  toRetrieval,
  toSelection,
} from "@/lib/library/retrieval/read/search";
import type { Retrieval } from "@/lib/library/retrieval/schema";
import { withCorrections } from "@/lib/library/retrieval/spelling";
import type { ModelRequest } from "@/lib/models/schema";
import type { Pack } from "@/lib/pack-names";
import type { KeyContext } from "@/lib/platform/auth/context";
import { asSystem } from "@/lib/platform/db/tenant-context";
import type { DelimitedSource } from "@/lib/text/delimiters";
import { type Language, languageOf } from "@/lib/text/languages";
import { describeClosest, describeRounds } from "./describe-search";
import { fitSources } from "./fit-sources";
import type { Plan } from "./plan";
import { chooseQuery, noticesOf, type SearchQuery } from "./search-query";
import { type ModelSearch, mostSources, type Round, searchInRounds } from "./search-rounds";

/** The sources the model may cite. */
export interface Retrieved {
  options: CitationsOptions;
  /** The first is citation 1. */
  sources: AnswerSource[];
  /** Links to the account's own documents that open without a sign-in, if the answer shows links and may have them. */
  quoteLinkOf: QuoteLinker | null;
  passages: readonly Passage[];
  /** As the prompt shows them. */
  promptSources: readonly DelimitedSource[];
  /** As the response shows it. */
  retrieval: Retrieval;
  searched: Asked;
  /** The same question, for verifying the answer. */
  question: string;
}

/** The request as it goes to the model, and the outcome of retrieval. */
export interface Grounded {
  request: ModelRequest;
  /** Null when retrieval did not run. */
  retrieved: Retrieved | null;
  /** Of a search that didn't run. */
  warnings: Warning[];
  /** Of what the request asked for and the answer is without. */
  leftOut: Warning[];
  /** Prose gets citations and verification; JSON for a program passes through unchanged. */
  isProse: boolean;
  /** Whether to answer without the model, because nothing was found. */
  isAbstaining: boolean;
}

/** Puts what a search finds before the question. When it can't run, throws if the request requires it, or else warns. */
export async function ground(ctx: KeyContext, plan: Plan): Promise<Grounded> {
  const { request, retrieval } = plan;
  const isProse = !asksForJson(request);
  const plain = {
    ...{ request, retrieved: null, isProse, isAbstaining: false },
    leftOut: plan.warnings,
  };
  if (!retrieval) {
    return { ...plain, warnings: [] };
  }
  const { options, collections } = retrieval;
  try {
    const { signal } = ctx;
    const searching = await findPassages(ctx, plan, retrieval);
    if (!searching) {
      return { ...plain, leftOut: [...plan.warnings, NOT_SEARCHED], warnings: [] };
    }
    const { query, found, rounds } = searching;
    const { text, method, dependsOnConversation } = query;
    const { messages, passages, promptSources, notices } = await fitSources(plan, found.passages, {
      accountId: ctx.account.id,
      isSearchedAlone: dependsOnConversation,
    });
    const languages = passages.length > 0 ? [] : await languagesFor(text, collections, signal);
    // The built-in model quotes sentences that have the question's words, which a misspelled word is in none of.
    const question = withCorrections(text, found.corrections);
    const packs = packsFor(collections, passages);
    const searched = { question, dependsOnConversation, languages, packs };
    return {
      ...plain,
      request: { ...request, messages },
      retrieved: {
        options,
        passages,
        promptSources,
        searched,
        question,
        retrieval: toRetrieval(
          { ...found, notices: [...noticesOf(query), ...found.notices, ...notices] },
          {
            query: text,
            method,
            ...(rounds && { rounds: describeRounds(rounds, passages) }),
            ...describeClosest(found),
          },
        ),
        sources: toAnswerSources(passages, options),
        quoteLinkOf: await findQuoteLinks(ctx, options, passages),
      },
      warnings: [],
      isAbstaining: found.passages.length === 0 && options.on_empty === "say_so",
    };
  } catch (thrown) {
    if (options.required || !(thrown instanceof AppError) || isOfFilter(thrown)) {
      throw withParam(thrown, plan);
    }
    const { code } = thrown;
    const reason =
      code === "invalid_request" ? thrown.message : "The retrieval service did not answer.";
    const message = `Citation retrieval was unavailable, and the response was generated without citations: ${reason}`;
    return { ...plain, warnings: [{ code, message }] };
  }
}

const NOT_SEARCHED: Warning = {
  code: "not_searched",
  message: "The model answered without searching, so the answer has no sources.",
};

/** Searches with the request's query, or with the model's own. Null when the model chose not to search. */
async function findPassages(
  ctx: KeyContext,
  plan: Plan,
  retrieval: NonNullable<Plan["retrieval"]>,
): Promise<{ query: SearchQuery; found: SearchOutcome; rounds?: readonly Round[] } | null> {
  const { options, collections, stores } = retrieval;
  const searchFor = ({ query, filters }: ModelSearch) => {
    const documents = {
      ...toSelection({ ...options, filters: both(options.filters, filters) }),
      stores,
    };
    return search(ctx, { ...boundsOf(options), query, collections, documents });
  };
  const query = await chooseQuery(plan, retrieval, ctx.signal);
  const searched =
    plan.rounds &&
    (await searchInRounds(
      plan.rounds,
      {
        signal: ctx.signal,
        attributes: await findAttributes(ctx, collections),
      },
      searchFor,
    ));
  if (searched?.rounds.length === 0) {
    return null;
  }
  if (!searched) {
    return { query, found: await searchFor({ query: query.text }) };
  }
  const { rounds, outcome } = searched;
  if (options.filters && outcome.passages.length === 0) {
    // Throws if the request's own filters name an attribute that no document has.
    await searchFor({ query: query.text });
  }
  return {
    query: { ...query, method: "model", dependsOnConversation: false },
    found: { ...outcome, passages: outcome.passages.slice(0, mostSources(options, plan.rounds)) },
    rounds,
  };
}

/** What the documents can be filtered by. Empty when the database fails: the search reports that. */
async function findAttributes(
  ctx: KeyContext,
  collections: readonly Collection[],
): Promise<string[]> {
  const access = [collections.map(({ id }) => id), boundTo(ctx)] as const;
  return asSystem(() => listAttributeNames(ctx.signal, access)).catch(() => []);
}

function both(one: Filter | undefined, other: Filter | undefined): Filter | undefined {
  return one && other ? { type: "and", filters: [one, other] } : (one ?? other);
}

/** A filter on unknown names is the caller's mistake, even when the answer doesn't require its search. */
function isOfFilter({ param }: AppError): boolean {
  return param?.startsWith("filters") ?? false;
}

/** A search knows only the text or the part of a filter that it rejects, not the field that it came from. */
function withParam(thrown: unknown, { retrieval, origin }: Plan): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== "invalid_request") {
    return thrown;
  }
  const text = typeof retrieval?.query === "object" ? "citations.query.text" : "messages";
  const param = isOfFilter(thrown)
    ? origin.sourcesParam.replace(/[^.]+$/, thrown.param ?? "")
    : (thrown.param ?? text);
  return new AppError(thrown.code, thrown.message, { param, cause: thrown.cause });
}

/** For the built-in model, which would otherwise say how to ask for a search. */
export function fieldNamesFor({ origin, retrieval }: Plan, { retrieved }: Grounded): FieldNames {
  return retrieval && !retrieved ? { ...origin.fields, search: null } : origin.fields;
}

/** The packs of the collections that passages come from; without a passage, of all that were searched. */
function packsFor(collections: readonly Collection[], passages: readonly Passage[]): Pack[] {
  const scopes = new Set((passages.length > 0 ? passages : collections).map(({ scope }) => scope));
  return [...new Set([...scopes].flatMap((scope) => packsOf(scope)))];
}

/** What to ask in instead, if nothing was found for a question in another language than English. */
async function languagesFor(
  text: string,
  collections: readonly Collection[],
  signal: AbortSignal,
): Promise<Language[]> {
  const language = languageOf(text);
  return language === null || language === "en" ? [] : listLanguages(signal, collections);
}

function boundsOf(options: CitationsOptions) {
  const { top_k, min_score, include_retracted, context } = options;
  return {
    ...{ topK: top_k, minScore: min_score, context },
    includesRetracted: include_retracted,
  };
}

function toAnswerSources(
  passages: readonly Passage[],
  { excerpts }: CitationsOptions,
): AnswerSource[] {
  return passages.map((passage, index) => {
    const { pageStarts, uncertain, text, charStart } = passage;
    const given = passage.shown ?? { text, charStart };
    const full = excerpts === "full" && { excerpt: given.text };
    return {
      citation: { id: index + 1, ...toFoundPassage(passage), ...full },
      ...{ pageStarts, uncertain, ...given },
    };
  });
}

async function findQuoteLinks(
  ctx: KeyContext,
  options: CitationsOptions,
  passages: readonly Passage[],
): Promise<QuoteLinker | null> {
  const isAsked = isRendered(options) && passages.some(({ scope }) => scope !== "public_kb");
  return isAsked ? findQuoteLinker(ctx) : null;
}

function asksForJson({ response_format: format }: ModelRequest): boolean {
  const type = typeof format === "object" && format !== null && "type" in format && format.type;
  return type === "json_object" || type === "json_schema";
}
