import type { PlacedMarker } from "@/lib/citations/markers/output-buffer";
import { type Claim, type ClaimJudgement, RulesJudge } from "@/lib/citations/rules-judge";
import type { Warning } from "@/lib/citations/schema";
import type { BufferedClaim } from "@/lib/citations/sentence-buffer";
import type { AnalyzedPassage } from "@/lib/citations/verdict/analyze-passage";
import type { AnswerSource } from "@/lib/citations/verification";
import { log } from "@/lib/log";
import { MOST_MODEL_CLAIMS, type Verifier } from "./verifier";

/** Holds the claims of one request's answers against their sources; each claim once. */
export class ClaimJudge {
  readonly #rules: RulesJudge;
  readonly #asked = new Map<string, Promise<ClaimJudgement>>();
  /** What asking a model has used so far. */
  readonly usage = { prompt: 0, completion: 0 };
  #hasFailed = false;

  /** `verifier`: null when rules judge. */
  constructor(
    private readonly sources: readonly AnswerSource[],
    readonly verifier: Verifier | null,
    private readonly signal: AbortSignal,
  ) {
    this.#rules = new RulesJudge(sources.map(({ text }) => text));
  }

  /** By the model where it was asked for and can be asked, and by rules otherwise. Never rejects. */
  judge(claim: Claim): ClaimJudgement | Promise<ClaimJudgement> {
    if (!this.verifier) {
      return this.#rules.judge(claim);
    }
    const key = `${claim.ids.join()} ${claim.text}`;
    const before = this.#asked.get(key);
    if (before) {
      return before;
    }
    if (this.#asked.size >= MOST_MODEL_CLAIMS) {
      return this.#rules.judge(claim);
    }
    const judged = this.#ask(this.verifier, claim);
    this.#asked.set(key, judged);
    return judged;
  }

  /** A source's text as rules read it, once. */
  read(id: number): AnalyzedPassage {
    return this.#rules.analyze([id]);
  }

  /** The markers whose own source does not support the claim they stand behind. */
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

  /** What the caller should know of a model that could not be asked. */
  get warnings(): Warning[] {
    return this.#hasFailed
      ? [
          {
            code: "verification_unavailable",
            message:
              "The model that verifies answers could not be asked about every claim, and rules judged the rest.",
          },
        ]
      : [];
  }

  async #ask(verifier: Verifier, claim: Claim): Promise<ClaimJudgement> {
    const passages = claim.ids.flatMap((id) => {
      const source = this.sources[id - 1];
      return source ? [{ id, text: source.text }] : [];
    });
    try {
      const { judgement, usage } = await verifier.judge(claim.text, passages, this.signal);
      this.usage.prompt += usage.prompt;
      this.usage.completion += usage.completion;
      if (judgement) {
        return judgement;
      }
    } catch (thrown) {
      log.warn({ err: thrown }, "claim not judged by the model");
    }
    this.#hasFailed = true;
    return this.#rules.judge(claim);
  }
}
