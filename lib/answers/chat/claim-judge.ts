import {
  isOpen,
  pairKey,
  pairsOf,
  type Said,
  settleClaim,
} from "@/lib/answers/citations/model-judge";
import { type ClaimSources, canAsk } from "@/lib/answers/citations/model-prompt";
import type { CitedSource, Warning } from "@/lib/answers/citations/schema";
import { type AnswerSource, sourceLabelOf } from "@/lib/answers/citations/verification";
import type { BufferedClaim } from "@/lib/evidence/claims/sentence-buffer";
import type { PlacedMarker } from "@/lib/evidence/markers/output-buffer";
import type { AnalyzedPassage } from "@/lib/evidence/verdict/analyze-passage";
import type { RulesLanguage } from "@/lib/evidence/verdict/claim-language";
import { closestQuote, findClearSource, hasWord } from "@/lib/evidence/verdict/clear-source";
import type { Judged } from "@/lib/evidence/verdict/judged";
import { type Misread, misreadNumbers, withoutMisread } from "@/lib/evidence/verdict/misread";
import {
  type Claim,
  type ClaimJudgement,
  type LabeledText,
  RulesJudge,
} from "@/lib/evidence/verdict/rules-judge";
import { SentCalls } from "@/lib/models/sent-call";
import { log } from "@/lib/platform/log";
import type { Verifier } from "./verifier";

/** Rules can't tell other words for the same from other things; below this they share hardly a word. */
const UNRELATED_BELOW = 0.15;

function isRejected({ verdict, method, score }: Judged): boolean {
  const isUnsupported = verdict === "unsupported";
  return (
    verdict === "contradicted" || (isUnsupported && (method === "model" || score < UNRELATED_BELOW))
  );
}

interface Terms {
  /** Null when rules judge alone. */
  verifier: Verifier | null;
  /** Of the text, if it is known. */
  language?: RulesLanguage | undefined;
}

/** Judges the claims of one request against their sources, each claim once. */
export class ClaimJudge {
  readonly #labeled: readonly LabeledText[];
  readonly #rules: RulesJudge;
  readonly #misreadBySource = new Map<number, readonly Misread[]>();
  /** What the verifying model was asked, by pair; undefined where it gave no judgement. */
  readonly #asked = new Map<string, Promise<Said | undefined>>();
  /** What the verifying model, or its fallback, was sent. */
  readonly calls = new SentCalls();
  #hasFailed = false;
  readonly verifier: Verifier | null;

  constructor(
    private readonly sources: readonly AnswerSource<CitedSource>[],
    { verifier, language }: Terms,
    private readonly signal: AbortSignal,
  ) {
    this.verifier = verifier;
    this.#labeled = sources.map(toLabeledText);
    this.#rules = new RulesJudge(this.#labeled, language);
  }

  /**
   * By rules, and by the model what is asked of it, in one call; not where a number may have been misread. In the order of
   * the claims. Never rejects.
   */
  async judge(claims: readonly Claim[]): Promise<ClaimJudgement[]> {
    const byRules = await Promise.all(claims.map((claim) => this.#rules.judge(claim)));
    const asked = claims.filter((_, at) => {
      const ruled = byRules[at];
      return this.verifier?.asksAll || (ruled !== undefined && isOpen(ruled));
    });
    const places = new Map(
      byRules.flatMap(({ bySource }, at) =>
        [...bySource].map(([id, { quote }]) => [`${id} ${claims[at]?.text}`, quote] as const),
      ),
    );
    const placeOf = (text: string, id: number) => places.get(`${id} ${text}`) ?? null;
    const sources = {
      sourceOf: (id: number) => this.#labeled[id - 1],
      placeOf,
      closestOf: (text: string, id: number) =>
        placeOf(text, id) ?? closestQuote(text, this.#rules.analyze([id])),
    };
    const saidOf = this.verifier ? await this.#ask(this.verifier, asked, sources) : () => undefined;
    return claims.flatMap((claim, at) => {
      const ruled = byRules[at];
      if (!ruled) {
        return [];
      }
      const analyze = (ids: readonly number[]) => this.#rules.analyze(ids);
      const judged = settleClaim(claim, { byRules: ruled, saidOf, analyze });
      return withoutMisread(claim, judged, (id) => this.#misread(id));
    });
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

  /** Asks about the pairs that weren't asked about yet. */
  async #ask(
    verifier: Verifier,
    claims: readonly Claim[],
    sources: ClaimSources,
  ): Promise<(pair: Claim) => Said | undefined> {
    const pairs = claims.filter(({ text }) => canAsk(text)).flatMap(pairsOf);
    const byKey = new Map(pairs.map((pair) => [pairKey(pair), pair]));
    const added = [...byKey.values()].filter((pair) => !this.#asked.has(pairKey(pair)));
    const asking = this.#judgePairs(verifier, added, sources);
    for (const pair of added) {
      this.#asked.set(
        pairKey(pair),
        asking.then((said) => said?.get(pairKey(pair))),
      );
    }
    const said = new Map<string, Said | undefined>();
    for (const pair of pairs) {
      said.set(pairKey(pair), await this.#asked.get(pairKey(pair)));
    }
    return (pair) => said.get(pairKey(pair));
  }

  async #judgePairs(
    verifier: Verifier,
    pairs: readonly Claim[],
    sources: ClaimSources,
  ): Promise<ReadonlyMap<string, Said> | null> {
    if (pairs.length === 0) {
      return null;
    }
    const judged = await verifier
      .judge(pairs, sources, { signal: this.signal, calls: this.calls })
      .catch((thrown: unknown) => {
        log.warn({ err: thrown }, "claim verification failed");
        return null;
      });
    this.#hasFailed ||= judged === null;
    return judged;
  }

  /** The source that a claim without a marker is clearly from; null if none is. `minWeight` is how much its words must weigh. */
  findSource(claim: string, minWeight?: number): Promise<number | null> {
    return findClearSource(claim, this.#rules, minWeight);
  }

  /** Whether a source has a word. */
  knows(word: string): boolean {
    return this.sources.some((_, at) => hasWord(this.#rules.analyze([at + 1]), word));
  }

  /** A source analyzed for the rules, once. */
  analyze(id: number): AnalyzedPassage {
    return this.#rules.analyze([id]);
  }

  /** Analyzes the sources for the rules while the answer is awaited. Returns a function that stops it. */
  prepare(): () => void {
    return this.#rules.prepare();
  }

  /**
   * The markers whose own source does not support their claim. Only a model that judges everything is asked before the
   * text goes out: otherwise it is asked once, at the end.
   */
  async unsupportedMarkers(claims: readonly BufferedClaim[]): Promise<ReadonlySet<PlacedMarker>> {
    const judged = this.verifier?.asksAll
      ? await this.judge(claims)
      : await Promise.all(claims.map((claim) => this.#rules.judge(claim)));
    return new Set(
      claims.flatMap(({ markers }, at) =>
        markers.filter(({ id }) => {
          const one = judged[at]?.bySource.get(id);
          return one !== undefined && isRejected(one);
        }),
      ),
    );
  }

  get warnings(): Warning[] {
    const message =
      "The model that verifies answers could not be asked about every claim, and rules judged the rest.";
    return this.#hasFailed ? [{ code: "verification_unavailable", message }] : [];
  }
}

/** The title and headings name the subject of a text that leaves it out. */
function toLabeledText(source: AnswerSource<CitedSource>): LabeledText {
  const { text, citation } = source;
  return { text, label: sourceLabelOf(source), chunkId: citation.chunk_id };
}
