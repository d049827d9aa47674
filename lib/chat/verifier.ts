import pLimit from "p-limit";
import type { Micros } from "@/lib/billing/money";
import { chatCost, dearestRates } from "@/lib/billing/rates";
import type { CitedPassage } from "@/lib/citations/conflicts";
import type { PlacedMarker } from "@/lib/citations/markers/output-buffer";
import {
  type Claim,
  type ClaimJudgement,
  type LabeledText,
  RulesJudge,
} from "@/lib/citations/rules-judge";
import type { CitedSource, Warning } from "@/lib/citations/schema";
import type { BufferedClaim } from "@/lib/citations/sentence-buffer";
import type { AnalyzedPassage } from "@/lib/citations/verdict/analyze-passage";
import type { RulesLanguage } from "@/lib/citations/verdict/claim-language";
import { type Misread, misreadNumbers, withoutMisread } from "@/lib/citations/verdict/misread";
import {
  addTokens,
  judgeByModel,
  NO_TOKENS,
  type TokenCount,
} from "@/lib/citations/verdict/model-judge";
import { canAsk, MAX_PASSAGES, mostPromptTokens } from "@/lib/citations/verdict/model-prompt";
import { type AnswerSource, sourceLabelOf } from "@/lib/citations/verification";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { type Model, withFallbackOf } from "@/lib/models/catalogue";
import { countMessageTokens } from "@/lib/models/message-tokens";
import type { AskedModel } from "./dispatch";
import { callModel, requireUpstreamModel } from "./model-call";

/** The most claims of one request that a model is asked about; rules judge the others. */
export const MAX_MODEL_CLAIMS = 24;
const MAX_CONCURRENT_CALLS = 4;
/** A judgement of MAX_PASSAGES with a quote from each, and the model's reasoning before it. */
const MAX_OUTPUT_TOKENS = 800;

/** Judges the claims of one request against their sources, each claim once. */
export class ClaimJudge {
  readonly #rules: RulesJudge;
  readonly #misreadBySource = new Map<number, readonly Misread[]>();
  readonly #asked = new Map<string, Promise<ClaimJudgement>>();
  /** The tokens used so far. */
  usage = NO_TOKENS;
  /** The same by model: a fallback has its own rates. */
  readonly byModel = new Map<Model, TokenCount>();
  #hasFailed = false;

  /** Null when rules judge. */
  readonly verifier: Verifier | null;

  /** `language` of the text, if it is known. */
  constructor(
    private readonly sources: readonly AnswerSource<CitedSource>[],
    { verifier, language }: { verifier: Verifier | null; language?: RulesLanguage | undefined },
    private readonly signal: AbortSignal,
  ) {
    this.verifier = verifier;
    this.#rules = new RulesJudge(sources.map(toLabeledText), language);
  }

  /**
   * By the model when one was asked for and is available, otherwise by rules; not where a number may have been misread.
   * Never rejects.
   */
  async judge(claim: Claim): Promise<ClaimJudgement> {
    return withoutMisread(claim, await this.#judge(claim), (id) => this.#misread(id));
  }

  /** A source's numbers that may have been misread. */
  #misread(id: number): readonly Misread[] {
    let found = this.#misreadBySource.get(id);
    if (!found) {
      const source = this.sources[id - 1];
      found = source ? misreadNumbers(source) : [];
      this.#misreadBySource.set(id, found);
    }
    return found;
  }

  #judge(claim: Claim): Promise<ClaimJudgement> {
    const key = `${claim.ids.join()} ${claim.text}`;
    const known = this.#asked.get(key);
    if (known || !this.verifier || this.#asked.size >= MAX_MODEL_CLAIMS) {
      return known ?? this.#rules.judge(claim);
    }
    const judged = this.#ask(this.verifier, claim);
    this.#asked.set(key, judged);
    return judged;
  }

  /** A source analyzed for the rules, once. */
  analyze(id: number): AnalyzedPassage {
    return this.#rules.analyze([id]);
  }

  /** Analyzes the sources for the rules while the answer is awaited. Returns a function that stops it. */
  prepare(): () => void {
    return this.verifier ? () => {} : this.#rules.prepare();
  }

  /** The markers whose own source does not support their claim. */
  async unsupportedMarkers(claims: readonly BufferedClaim[]): Promise<ReadonlySet<PlacedMarker>> {
    const judged = await Promise.all(
      claims.map(async (claim) => ({ claim, judgement: await this.judge(claim) })),
    );
    return new Set(
      judged.flatMap(({ claim: { markers }, judgement: { bySource } }) =>
        markers.filter(({ id }) => {
          const verdict = bySource.get(id)?.verdict;
          return verdict === "unsupported" || verdict === "contradicted";
        }),
      ),
    );
  }

  get warnings(): Warning[] {
    const message =
      "The model that verifies answers could not be asked about every claim, and rules judged the rest.";
    return this.#hasFailed ? [{ code: "verification_unavailable", message }] : [];
  }

  async #ask(verifier: Verifier, claim: Claim): Promise<ClaimJudgement> {
    const passages = claim.ids.flatMap((id) => {
      const source = this.sources[id - 1];
      return source ? [{ id, ...toLabeledText(source) }] : [];
    });
    try {
      const { judgement, usage, fallback } = await verifier.judge(
        claim.text,
        passages,
        this.signal,
      );
      this.#addUsage(fallback ?? verifier.model, usage);
      if (judgement) {
        return judgement;
      }
    } catch (thrown) {
      log.warn({ err: thrown }, "claim verification failed");
    }
    this.#hasFailed = true;
    return this.#rules.judge(claim);
  }

  #addUsage(model: Model, tokens: TokenCount): void {
    this.byModel.set(model, addTokens(this.byModel.get(model) ?? NO_TOKENS, tokens));
    this.usage = addTokens(this.usage, tokens);
  }
}

interface Judged {
  /** Null when the model failed. */
  judgement: ClaimJudgement | null;
  usage: TokenCount;
  /** The model that judged in place of the verifier's own. */
  fallback?: Model;
}

interface Judging {
  claims: number;
  /** Of each claim. */
  sources: number;
}

/** Asks the model that VERIFY_MODEL names about the claims of one request. */
export type Verifier = ReturnType<typeof createVerifier>;

/** For one request; null without VERIFY_MODEL. Throws a sentence for the operator when that model can't judge. */
export function findVerifier(): Verifier | null {
  return env.VERIFY_MODEL ? createVerifier(requireVerifyModel(env.VERIFY_MODEL)) : null;
}

/** For one request. Throws invalid_request without VERIFY_MODEL; `param` is the field that asked for it. */
export function requireVerifier(param: string): Verifier {
  const verifier = findVerifier();
  if (!verifier) {
    throw new AppError(
      "invalid_request",
      `This server has no model to verify answers with. Leave '${param}' out, or ask its operator to set VERIFY_MODEL.`,
      { param },
    );
  }
  return verifier;
}

function requireVerifyModel(id: string): Model {
  const model = requireUpstreamModel("VERIFY_MODEL", id);
  const needed = mostPromptTokens(MAX_PASSAGES) + MAX_OUTPUT_TOKENS;
  if (model.contextLength < needed) {
    throw new Error(
      `VERIFY_MODEL names '${id}', which takes ${model.contextLength} tokens; judging a claim may need ${needed}. Name another.`,
    );
  }
  return model;
}

function createVerifier(model: Model) {
  const limit = pLimit(MAX_CONCURRENT_CALLS);
  const outputTokens = Math.min(MAX_OUTPUT_TOKENS, model.maxOutputTokens);
  let isTooSlow = false;

  const ask = async (claim: string, passages: readonly CitedPassage[], signal: AbortSignal) => {
    const asked: AskedModel = { model: null };
    const outcome = (judgement: ClaimJudgement | null, usage: TokenCount): Judged => ({
      judgement,
      usage,
      ...(asked.model && asked.model !== model && { fallback: asked.model }),
    });
    // After one missed deadline, the rest of this request doesn't wait for the model.
    if (signal.aborted || isTooSlow) {
      return outcome(null, NO_TOKENS);
    }
    let usage = NO_TOKENS;
    let promptTokens = 0;
    const deadline = AbortSignal.timeout(env.VERIFY_TIMEOUT_MS);
    try {
      const judgement = await judgeByModel(claim, passages, async (messages) => {
        promptTokens = countMessageTokens(messages);
        const answer = await callModel(
          model,
          { messages, outputTokens, fields: { response_format: { type: "json_object" } } },
          { signal: AbortSignal.any([signal, deadline]), asked },
        );
        usage = answer.usage;
        return answer;
      });
      return outcome(judgement, usage);
    } catch (thrown) {
      isTooSlow ||= deadline.aborted;
      const code = thrown instanceof AppError ? thrown.code : "internal_error";
      log.warn({ code, model: model.id }, "verifying model failed");
      // A client that leaves pays for what the model was asked.
      const wasLeft = usage === NO_TOKENS && signal.aborted && asked.model !== null;
      return outcome(null, wasLeft ? { ...NO_TOKENS, prompt: promptTokens } : usage);
    }
  };

  /** The most tokens that so many claims, each with so many sources, can use. */
  const worstCase = ({ claims, sources }: Judging) => {
    const asked = Math.min(claims, MAX_MODEL_CLAIMS);
    return { prompt: asked * mostPromptTokens(sources), completion: asked * outputTokens };
  };

  return {
    model,
    worstCase,
    /** What they can cost. */
    worstCaseMicros: (judging: Judging): Micros => {
      const rates = dearestRates(withFallbackOf(model).map((each) => each.rates));
      return chatCost(rates, "core", worstCase(judging));
    },
    /**
     * Never rejects. The judgement is null when the model failed; its tokens are charged all the same. A claim that
     * is too long or has no words is judged by rules and costs nothing.
     */
    judge: async (
      claim: string,
      passages: readonly CitedPassage[],
      signal: AbortSignal,
    ): Promise<Judged> =>
      canAsk(claim)
        ? limit(() => ask(claim, passages, signal))
        : { judgement: await judgeByRules(claim, passages), usage: NO_TOKENS },
  };
}

/** The title and headings name the subject of a text that leaves it out. */
function toLabeledText(source: AnswerSource<CitedSource>): LabeledText {
  const { text, citation } = source;
  return { text, label: sourceLabelOf(source), chunkId: citation.chunk_id };
}

function judgeByRules(claim: string, passages: readonly CitedPassage[]): Promise<ClaimJudgement> {
  const sources: LabeledText[] = [];
  for (const { id, text, label = "" } of passages) {
    sources[id - 1] = { text, label };
  }
  return new RulesJudge(sources).judge({ text: claim, ids: passages.map(({ id }) => id) });
}
