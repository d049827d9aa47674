import pLimit from "p-limit";
import { judgeByModel } from "@/lib/answers/citations/model-judge";
import { canAsk, MAX_PASSAGES, mostPromptTokens } from "@/lib/answers/citations/model-prompt";
import type { CitedSource, Warning } from "@/lib/answers/citations/schema";
import { type AnswerSource, sourceLabelOf } from "@/lib/answers/citations/verification";
import { AppError } from "@/lib/errors";
import type { BufferedClaim } from "@/lib/evidence/claims/sentence-buffer";
import type { PlacedMarker } from "@/lib/evidence/markers/output-buffer";
import type { AnalyzedPassage } from "@/lib/evidence/verdict/analyze-passage";
import type { RulesLanguage } from "@/lib/evidence/verdict/claim-language";
import { findClearSource } from "@/lib/evidence/verdict/clear-source";
import type { CitedPassage } from "@/lib/evidence/verdict/conflicts";
import type { Judged } from "@/lib/evidence/verdict/judged";
import { type Misread, misreadNumbers, withoutMisread } from "@/lib/evidence/verdict/misread";
import {
  type Claim,
  type ClaimJudgement,
  type LabeledText,
  RulesJudge,
} from "@/lib/evidence/verdict/rules-judge";
import { type Model, withFallbackOf } from "@/lib/models/catalogue";
import { mostTokens } from "@/lib/models/message-tokens";
import { SentCalls } from "@/lib/models/sent-call";
import type { Micros } from "@/lib/money/billing/money";
import { chatCost, dearestRates } from "@/lib/money/billing/rates";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { callModel, requireUpstreamModel } from "./model-call";

/** The most claims of one request that a model is asked about; rules judge the others. */
export const MAX_MODEL_CLAIMS = 24;
const MAX_CONCURRENT_CALLS = 4;
/** A judgement of MAX_PASSAGES with a quote from each, and the model's reasoning before it. */
const MAX_OUTPUT_TOKENS = 800;

/** Rules can't tell other words for the same from other things; below this they share hardly a word. */
const UNRELATED_BELOW = 0.15;

function isRejected({ verdict, method, score }: Judged): boolean {
  const isUnsupported = verdict === "unsupported";
  return (
    verdict === "contradicted" || (isUnsupported && (method === "model" || score < UNRELATED_BELOW))
  );
}

/** Judges the claims of one request against their sources, each claim once. */
export class ClaimJudge {
  readonly #rules: RulesJudge;
  readonly #misreadBySource = new Map<number, readonly Misread[]>();
  readonly #asked = new Map<string, Promise<ClaimJudgement>>();
  /** What the verifying model, or its fallback, was sent. */
  readonly calls = new SentCalls();
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

  /** The source that a sentence without a marker is clearly from; null if none is. */
  findSource(sentence: string): Promise<number | null> {
    return findClearSource(sentence, this.sources.length, this.#rules);
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
          const judged = bySource.get(id);
          return judged !== undefined && isRejected(judged);
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
      const { signal, calls } = this;
      const judgement = await verifier.judge(claim.text, passages, { signal, calls });
      if (judgement) {
        return judgement;
      }
    } catch (thrown) {
      log.warn({ err: thrown }, "claim verification failed");
    }
    this.#hasFailed = true;
    return this.#rules.judge(claim);
  }
}

interface Judging {
  signal: AbortSignal;
  calls: SentCalls;
}

interface Claims {
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
  const mostPromptOf = (sources: number) => mostTokens(mostPromptTokens(sources), model);
  let isTooSlow = false;

  const ask = async (
    claim: string,
    passages: readonly CitedPassage[],
    { signal, calls }: Judging,
  ) => {
    // After one missed deadline, the rest of this request doesn't wait for the model.
    if (signal.aborted || isTooSlow) {
      return null;
    }
    const deadline = AbortSignal.timeout(env.VERIFY_TIMEOUT_MS);
    const promptTokens = mostPromptOf(passages.length);
    const call = { signal: AbortSignal.any([signal, deadline]), calls, promptTokens };
    const fields = { response_format: { type: "json_object" } };
    try {
      return await judgeByModel(claim, passages, (messages) =>
        callModel(model, { messages, outputTokens, fields }, call),
      );
    } catch (thrown) {
      isTooSlow ||= deadline.aborted;
      const code = thrown instanceof AppError ? thrown.code : "internal_error";
      log.warn({ code, model: model.id }, "verifying model failed");
      return null;
    }
  };

  /** The most tokens that so many claims, each with so many sources, can use. */
  const worstCase = ({ claims, sources }: Claims) => {
    const asked = Math.min(claims, MAX_MODEL_CLAIMS);
    return { prompt: asked * mostPromptOf(sources), completion: asked * outputTokens };
  };

  return {
    model,
    worstCase,
    /** What they can cost. */
    worstCaseMicros: (claims: Claims): Micros => {
      const rates = dearestRates(withFallbackOf(model).map((each) => each.rates));
      return chatCost(rates, "core", worstCase(claims));
    },
    /**
     * Never rejects; null when the model failed. A claim that is too long or has no words is judged by rules and costs
     * nothing.
     */
    judge: async (
      claim: string,
      passages: readonly CitedPassage[],
      judging: Judging,
    ): Promise<ClaimJudgement | null> =>
      canAsk(claim) ? limit(() => ask(claim, passages, judging)) : judgeByRules(claim, passages),
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
