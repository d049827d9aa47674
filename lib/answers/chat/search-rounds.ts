import * as z from "zod";
import { nonceFor } from "@/lib/answers/citations/nonce";
import { TOKENS_FOR_FRAME, toPromptSources } from "@/lib/answers/citations/prompt";
import type { CitationsOptions } from "@/lib/answers/citations/schema";
import { AppError } from "@/lib/errors";
import { type Filter, Filters } from "@/lib/library/documents/filter-schema";
import type { SearchOutcome } from "@/lib/library/retrieval/read/search";
import type { Notice } from "@/lib/library/retrieval/schema";
import { type Model, withFallbackOf } from "@/lib/models/catalogue";
import { countMessageTokens, mostTokens } from "@/lib/models/message-tokens";
import type { ChatMessage, ModelRequest } from "@/lib/models/schema";
import { SentCalls } from "@/lib/models/sent-call";
import type { Micros } from "@/lib/money/billing/money";
import { chatCost, dearestRates } from "@/lib/money/billing/rates";
import { toAppError } from "@/lib/platform/http/error-response";
import { log } from "@/lib/platform/log";
import { wrapEscaped } from "@/lib/text/delimiters";
import { findJsonObjects } from "@/lib/text/json-objects";
import { takeTokens } from "@/lib/text/tokens";
import { type AskedMessage, askModel } from "./model-call";
import { fenceConversation } from "./rewriter-prompt";
import { isReady, SEARCH_FUNCTION_NAME, searcherMessages, searchFunction } from "./searcher-prompt";
import { isQuestion } from "./standalone-query";

/** How often the model may search for one answer. */
const MAX_ROUNDS = 4;
/** The same limit as for any other search. */
const MAX_SOURCES = 50;
/** What the model reads of a round before it decides on the next one; its answer gets all. */
const SHOWN_PASSAGES = 5;
const SHOWN_TOKENS = 200;
/** With the attributes' names. */
const TOKENS_FOR_FUNCTION = 400;
/** Of a query, and of why a search failed. */
const HEADING_TOKENS = 100;
const ROUND_TOKENS = SHOWN_PASSAGES * (SHOWN_TOKENS + TOKENS_FOR_FRAME) + 3 * HEADING_TOKENS;
/** Enough for a model that thinks first. */
const MAX_OUTPUT_TOKENS = 1024;

const Search = z.object({
  query: z.string().trim().min(1).max(1000),
  filters: Filters.optional().catch(undefined),
});
export type ModelSearch = { query: string; filters?: Filter | undefined };

/** One of the model's searches, and what it found or why it failed. */
export interface Round extends ModelSearch {
  outcome: SearchOutcome | null;
  failure?: string;
}

interface Asking {
  signal: AbortSignal;
  /** What documents can be filtered by. */
  attributes: readonly string[];
}

/** Lets the model that answers choose what to search for. */
export type SearchRounds = ReturnType<typeof createRounds>;

/** Null when the request doesn't let the model choose, brings its own query, or has a model without function calling. */
export function planRounds(
  { messages }: ModelRequest,
  model: Model,
  { search, query }: CitationsOptions,
): SearchRounds | null {
  const said = messages.filter(({ role }) => role === "user" || role === "assistant");
  const end = said.findLastIndex(isQuestion);
  return search === "auto" && typeof query !== "object" && model.upstream && end >= 0
    ? createRounds(model, said.slice(0, end + 1))
    : null;
}

/** The most sources that an answer can have. */
export function mostSources({ top_k }: CitationsOptions, rounds: SearchRounds | null): number {
  return rounds ? Math.max(top_k, Math.min(MAX_SOURCES, top_k * MAX_ROUNDS)) : top_k;
}

function createRounds(model: Model, conversation: readonly ChatMessage[]) {
  const fenced = fenceConversation(conversation, nonceFor);
  const textTokens = countMessageTokens(searcherMessages(fenced, [])) + TOKENS_FOR_FUNCTION;
  const outputTokens = Math.min(MAX_OUTPUT_TOKENS, model.maxOutputTokens);
  const calls = new SentCalls();
  const promptBound = (rounds: number) => mostTokens(textTokens + rounds * ROUND_TOKENS, model);

  return {
    model,
    /** What the model, or its fallback, was sent. */
    calls,
    worstCaseMicros: (): Micros => {
      const rates = dearestRates(withFallbackOf(model).map((each) => each.rates));
      return Array.from({ length: MAX_ROUNDS }, (_, rounds) =>
        chatCost(rates, "core", { prompt: promptBound(rounds), completion: outputTokens }),
      ).reduce((sum, cost) => sum + cost, 0n);
    },
    /**
     * The next searches, within what is left of MAX_ROUNDS; empty when the model is done. Null when the model fails or
     * answers something else, as models without function calling do. Throws only when the caller disconnects.
     */
    next: async (
      rounds: readonly Round[],
      { signal, attributes }: Asking,
    ): Promise<ModelSearch[] | null> => {
      const fields = {
        tools: [{ type: "function", function: searchFunction(attributes) }],
        tool_choice: "auto",
      };
      const prompt = {
        messages: searcherMessages(fenced, rounds.map(shownRound)),
        outputTokens,
        fields,
      };
      const call = { signal, calls, promptTokens: promptBound(rounds.length) };
      const message = await askModel(model, prompt, call).catch((thrown: unknown) => {
        signal.throwIfAborted();
        const { code, hint } = toAppError(thrown);
        log.warn({ code, hint, model: model.id }, "the model can't be asked what to search for");
        // Stopped, instead of read for its usage: it would keep a slow server from the answer itself.
        void calls.close();
      });
      if (!message) {
        return null;
      }
      const wanted = readSearches(message);
      if (wanted.length === 0 && !isReady(message.content)) {
        return null;
      }
      const searches = new Map(wanted.map((each) => [searchKey(each), each]));
      for (const round of rounds) {
        searches.delete(searchKey(round));
      }
      return [...searches.values()].slice(0, MAX_ROUNDS - rounds.length);
    },
  };
}

interface Searched {
  /** Empty when the model chose not to search. */
  rounds: Round[];
  /** Of all rounds together; a passage that several found counts for the first. */
  outcome: SearchOutcome;
}

/** Runs the model's searches until it is done. Null when it can't choose any. Throws when its first search fails. */
export async function searchInRounds(
  { next }: SearchRounds,
  asking: Asking,
  search: (wanted: ModelSearch) => Promise<SearchOutcome>,
): Promise<Searched | null> {
  const rounds: Round[] = [];
  let wanted = await next(rounds, asking);
  if (!wanted) {
    return null;
  }
  const notices: Notice[] = [];
  while (wanted?.length) {
    const found: (Round | AppError)[] = await Promise.all(
      wanted.map((each) => searchFor(each, search)),
    );
    const failed = found.find((each) => each instanceof AppError);
    rounds.push(...found.flatMap((each) => (each instanceof AppError ? [] : each)));
    if (failed && !rounds.some(({ outcome }) => outcome)) {
      throw failed;
    }
    notices.push(...(failed ? [SEARCH_FAILED] : []));
    wanted = !failed && rounds.length < MAX_ROUNDS ? await next(rounds, asking) : null;
  }
  return { rounds, outcome: join(rounds, notices) };
}

const SEARCH_FAILED: Notice = {
  code: "search_failed",
  message: "One of the model's searches failed. The answer uses what the others found.",
};

/** An invalid search is reported to the model, which can correct it. Another failure is returned. */
async function searchFor(
  wanted: ModelSearch,
  search: (wanted: ModelSearch) => Promise<SearchOutcome>,
): Promise<Round | AppError> {
  try {
    return { ...wanted, outcome: await search(wanted) };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) {
      throw thrown;
    }
    return thrown.code === "invalid_request"
      ? { ...wanted, outcome: null, failure: thrown.message }
      : thrown;
  }
}

function join(rounds: readonly Round[], notices: readonly Notice[]): SearchOutcome {
  const outcomes = rounds.flatMap(({ outcome }) => outcome ?? []);
  const all = <K extends keyof SearchOutcome>(kind: K) => outcomes.map((outcome) => outcome[kind]);
  return {
    passages: distinctBy(all("passages").flat(), ({ chunkId }) => chunkId),
    cut: distinctBy(all("cut").flat(), ({ chunkId }) => chunkId),
    candidates: all("candidates").reduce((sum, candidates) => sum + candidates, 0),
    notices: distinctBy([...all("notices").flat(), ...notices], ({ message }) => message),
    corrections: distinctBy(all("corrections").flat(), ({ from }) => from),
  };
}

/** The first of those with the same key. */
function distinctBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  const firsts = new Map<string, T>();
  for (const item of items) {
    firsts.set(key(item), firsts.get(key(item)) ?? item);
  }
  return [...firsts.values()];
}

const Called = z.object({
  function: z.object({ name: z.literal(SEARCH_FUNCTION_NAME), arguments: z.string() }),
});

/** A call that a small model writes as text, in the formats of several model families. */
const Written = z
  .object({
    name: z.literal(SEARCH_FUNCTION_NAME),
    arguments: Search.optional(),
    parameters: Search.optional(),
  })
  .transform(({ arguments: given, parameters }) => given ?? parameters ?? null);

function searchKey({ query, filters }: ModelSearch): string {
  return JSON.stringify([query.toLowerCase(), filters]);
}

function readSearches({ tool_calls: called, content }: AskedMessage): ModelSearch[] {
  const calls = (Array.isArray(called) ? called : []).flatMap(
    (each) => Called.safeParse(each).data ?? [],
  );
  return calls.length > 0
    ? calls.flatMap(({ function: { arguments: json } }) => findJsonObjects(json, Search))
    : findJsonObjects(content ?? "", Written).flatMap((search) => search ?? []);
}

function shownRound({ query, outcome, failure }: Round): string {
  const passages = outcome?.passages ?? [];
  const searched = `Searched for ${JSON.stringify(takeTokens(query, HEADING_TOKENS))}`;
  if (failure || passages.length === 0) {
    return `${searched}: ${takeTokens(failure ?? "nothing was found.", HEADING_TOKENS)}`;
  }
  const sources = toPromptSources(passages.slice(0, SHOWN_PASSAGES)).map((source) => ({
    ...source,
    text: takeTokens(source.text, SHOWN_TOKENS),
  }));
  const nonce = nonceFor(sources);
  return [`${searched}:`, ...sources.map((source) => wrapEscaped(source, nonce))].join("\n");
}
