import { MAX_CLAIMS } from "@/lib/answers/citations/model-prompt";
import { TOKENS_FOR_FRAME, TOKENS_FOR_RULES } from "@/lib/answers/citations/prompt";
import type { CitationsOptions } from "@/lib/answers/citations/schema";
import { NEIGHBOR_TOKENS } from "@/lib/library/retrieval/neighbors";
import type { Candidates, Model } from "@/lib/models/catalogue";
import { boundPrompt, mostTokens } from "@/lib/models/message-tokens";
import { answerCount, outputLimit } from "@/lib/models/model-request";
import type { ModelRequest } from "@/lib/models/schema";
import type { TokenBound } from "@/lib/models/sent-call";
import type { Micros } from "@/lib/money/billing/money";
import { boundCost, chatCost, dearestRates } from "@/lib/money/billing/rates";
import { env } from "@/lib/platform/env";
import type { Rewrite } from "./rewriter";
import { mostSources, type SearchRounds } from "./search-rounds";
import { callsFor, type Verifier } from "./verifier";

/** The most a source adds to the prompt: a chunk with its overlap, title and delimiters. */
const TOKENS_PER_SOURCE = env.CHUNK_TOKENS + env.CHUNK_OVERLAP_TOKENS + TOKENS_FOR_FRAME;

interface Priced {
  /** Those that may answer. */
  models: Candidates;
  /** Of the request's text. */
  promptTokens: number;
  /** Of its predicted output. */
  predictedTokens: number;
  /** Null when the request doesn't ask for citations. */
  citations: CitationsOptions | null;
  /** The models of our own calls, if any. */
  verifier: Verifier | null;
  rewrite: Rewrite | null;
  rounds: SearchRounds | null;
}

/**
 * What a request can cost at most, with our own calls for it, at the rates and bounds of the dearest model that may answer
 * it; the most tokens that the call for its answer can have; and the most that each answer can have for an amount.
 */
export function boundRequest(request: ModelRequest, priced: Priced) {
  const { models, promptTokens, predictedTokens, citations, rounds } = priced;
  const kind = citations ? "grounded" : "core";
  const textTokens = promptTokens + (citations ? groundingBound(citations, rounds) : 0);
  const most = (of: (model: Model) => number) => Math.max(...models.map(of));
  const rates = dearestRates(models.map((model) => model.rates));
  const answers = most((model) => answerCount(request, model));
  const extraMicros = ownCallsBound(priced, answers);
  // A prediction that misses is billed in addition to the answer.
  const predicted = answers * predictedTokens;
  const prompt = most((model) =>
    boundPrompt(mostTokens(textTokens, model), request.messages, model),
  );
  const output = most((model) => outputLimit(request, model));
  const bound: TokenBound = { prompt, completion: answers * output + predicted };
  const cost = boundCost(rates, kind, {
    prompt,
    output,
    answers,
    extraMicros: extraMicros + chatCost(rates, kind, { prompt: 0, completion: predicted }),
  });
  return { ...cost, bound };
}

/** The most tokens that rules and sources add to the prompt. */
function groundingBound(options: CitationsOptions, rounds: SearchRounds | null): number {
  const perSource = TOKENS_PER_SOURCE + (options.context === "section" ? NEIGHBOR_TOKENS : 0);
  return TOKENS_FOR_RULES + mostSources(options, rounds) * perSource;
}

/** What the models that make the queries and verify the answer can cost at most. */
function ownCallsBound({ verifier, rewrite, rounds, citations }: Priced, answers: number): Micros {
  const queries = (rewrite?.worstCaseMicros() ?? 0n) + (rounds?.worstCaseMicros() ?? 0n);
  if (!verifier || !citations) {
    return queries;
  }
  const calls = callsFor(citations, answers);
  const extent = { claims: MAX_CLAIMS, sources: mostSources(citations, rounds), calls };
  return queries + verifier.worstCaseMicros(extent);
}
