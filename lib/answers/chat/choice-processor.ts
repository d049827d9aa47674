import type { Citation, Verification, Warning } from "@/lib/answers/citations/schema";
import type { VerifiedAnswer } from "@/lib/answers/citations/verification";
import { yieldIfLong } from "@/lib/event-loop";
import { newId } from "@/lib/id";
import type { Passage } from "@/lib/library/retrieval/read/passages";
import type { Retrieval } from "@/lib/library/retrieval/schema";
import type { Model } from "@/lib/models/catalogue";
import type { ModelUsage } from "@/lib/models/schema";
import { type SentCalls, sumTokens } from "@/lib/models/sent-call";
import { costFields } from "@/lib/money/billing/money";
import type { UsageDetails } from "@/lib/money/billing/schema";
import { inSpan } from "@/lib/platform/tracing";
import { CitedAnswer } from "./cited-answer";
import type { ClaimJudge } from "./claim-judge";
import type { Grounded } from "./ground";
import { JSON_NOT_CITED, jsonUnchanged } from "./left-out";
import type { Rewrite } from "./rewriter";
import type { SearchRounds } from "./search-rounds";

/** The part of a message that Footnote adds to the model's text. */
type MessageEvidence = Omit<VerifiedAnswer, "citedIds">;

/** The result of processing, once every choice has ended. */
interface Finished {
  /** By choice index; a choice without sources, or that isn't the JSON that was asked for, has none. */
  evidence: ReadonlyMap<number, MessageEvidence>;
  /** Null when retrieval did not run. */
  citations: Citation[] | null;
  /** The sources that the choices cite; null when no choice was read for markers. */
  citedIds: ReadonlySet<number> | null;
}

const COUNTED = [
  "sentences",
  "cited",
  "supported",
  "partial",
  "unsupported",
  "contradicted",
  "unjudged",
  "dropped_markers",
  "unknown_markers",
  "repaired_markers",
  "added_markers",
  "stripped_markers",
] as const satisfies (keyof Verification)[];

interface Beside {
  /** Null when rules make the query. */
  rewrite?: Pick<Rewrite, "model" | "calls"> | null;
  /** Null unless the model decides what to search for. */
  rounds?: Pick<SearchRounds, "model" | "calls"> | null;
  /** What the model that was asked last ignores. */
  ignored?: () => Warning[];
}

/** Processes the choices of one completion: markers while the text passes, then citations and verification. */
export class ChoiceProcessor {
  readonly id = newId("completion");
  readonly #answers = new Map<number, CitedAnswer>();
  #finished: Finished | null = null;
  #hasJson = false;
  #hasInvalidJson = false;

  /** `judge` is null when nothing was retrieved. */
  constructor(
    readonly grounded: Grounded,
    private readonly judge: ClaimJudge | null,
    private readonly beside: Beside = {},
  ) {}

  /** All retrieved sources, before it is known which are cited; null when retrieval did not run. */
  get found(): Citation[] | null {
    return this.grounded.retrieved?.sources.map(({ citation }) => citation) ?? null;
  }

  /** Those to send before the text; null also when their numbers depend on it. */
  get foundFirst(): Citation[] | null {
    const { retrieved, isProse } = this.grounded;
    return isProse && retrieved?.options.numbering === "appearance" ? null : this.found;
  }

  /** The passages by the numbers of their sources in the answer, for storing it. */
  get passages(): readonly Passage[] {
    const passages = this.grounded.retrieved?.passages ?? [];
    return passages
      .map((passage, index) => ({ passage, number: this.#numberOf(index + 1) }))
      .toSorted((one, other) => one.number - other.number)
      .map(({ passage }) => passage);
  }

  /** What was searched; null when retrieval did not run. */
  get retrieval(): Retrieval | null {
    return this.grounded.retrieved?.retrieval ?? null;
  }

  /** What was sent to a verifying model so far; null without one. */
  get verified() {
    const { verifier, calls } = this.judge ?? {};
    return verifier?.model && calls ? { model: verifier.model, calls } : null;
  }

  get warnings(): Warning[] {
    return [...this.grounded.warnings, ...this.leftOut, ...(this.judge?.warnings ?? [])];
  }

  /** The part of the warnings that streams carry too. */
  get leftOut(): Warning[] {
    const { leftOut, retrieved } = this.grounded;
    return [
      ...leftOut,
      ...(this.#hasInvalidJson ? [JSON_NOT_CITED] : []),
      ...(retrieved && this.#hasJson ? jsonUnchanged(retrieved.options) : []),
      ...(this.beside.ignored?.() ?? []),
    ];
  }

  /** Starts a choice; null for one that passes through as the model writes it. */
  begin(index: number): CitedAnswer | null {
    const { retrieved, isProse } = this.grounded;
    if (!retrieved || !this.judge) {
      return null;
    }
    const answer = new CitedAnswer(retrieved, this.judge, !isProse);
    this.#answers.set(index, answer);
    return answer;
  }

  /** Uses the time until the answer for what verifying it needs. Returns a function that stops it. */
  prepare(): () => void {
    const isVerified = this.grounded.retrieved?.options.verify !== "off";
    return (isVerified && this.judge?.prepare()) || (() => {});
  }

  /** Verifies the choices, all of which have ended. */
  finish(): Promise<Finished> {
    return this.judge ? inSpan("verification", {}, () => this.#finish()) : this.#finish();
  }

  async #finish(): Promise<Finished> {
    const evidence = new Map<number, MessageEvidence>();
    let cited = new Set<number>();
    for (const [index, answer] of this.#answers) {
      await yieldIfLong();
      this.#hasJson ||= answer.isJson;
      if (answer.isInvalid) {
        this.#hasInvalidJson = true;
        this.#answers.delete(index);
        continue;
      }
      const { annotations, verification, citedIds } = await answer.verify();
      evidence.set(index, { annotations, verification });
      cited = new Set([...cited, ...citedIds]);
    }
    const citedIds = this.#answers.size > 0 ? cited : null;
    this.#finished = { evidence, citedIds, citations: this.#markCited(citedIds) };
    return this.#finished;
  }

  #markCited(citedIds: ReadonlySet<number> | null): Citation[] | null {
    if (!citedIds) {
      return this.found;
    }
    const marked = this.found?.map((citation) => {
      const id = this.#numberOf(citation.id);
      return { ...citation, id, metadata: { ...citation.metadata, cited: citedIds.has(id) } };
    });
    const isCitedOnly = this.grounded.retrieved?.options.return === "cited";
    return (
      marked
        ?.filter(({ metadata: { cited } }) => cited || !isCitedOnly)
        .toSorted((one, other) => one.id - other.id) ?? null
    );
  }

  /** The number that the answer gives a source. Only a single answer has numbers of its own. */
  #numberOf(id: number): number {
    return this.#answers.get(0)?.numberOf(id) ?? id;
  }

  /** OpenAI's usage with the request's cost, and with the tokens of the models that made the query and verified. */
  usageWithCost(usage: ModelUsage, costUsd: string): ModelUsage {
    const {
      verified,
      beside: { rewrite, rounds },
    } = this;
    return {
      ...usage,
      ...costFields(costUsd),
      ...(rewrite && { rewrite: ownUsageOf(rewrite) }),
      ...(rounds && { search: ownUsageOf(rounds) }),
      ...(verified?.calls.current && { verification: ownUsageOf(verified) }),
    };
  }

  /** For the usage record: ids and counts, never text. */
  details(): UsageDetails {
    const { retrieved } = this.grounded;
    const verification = sumVerifications([...(this.#finished?.evidence.values() ?? [])]);
    return {
      completion_id: this.id,
      ...(retrieved && {
        sources: retrieved.sources.map(({ citation }) => ({
          id: this.#numberOf(citation.id),
          document_id: citation.document_id,
          chunk_id: citation.chunk_id,
          scope: citation.scope,
          similarity: citation.similarity,
          cited: this.#finished?.citedIds?.has(this.#numberOf(citation.id)) ?? false,
        })),
      }),
      ...(verification && { verification }),
    };
  }
}

/** What calls beside the answer were charged for. */
export function ownUsageOf({ model, calls }: { model: Model; calls: SentCalls }) {
  const { prompt, completion } = sumTokens(calls.bill().charged);
  return { model: model.id, prompt_tokens: prompt, completion_tokens: completion };
}

/** Null when no choice was verified. */
function sumVerifications(
  evidence: readonly MessageEvidence[],
): UsageDetails["verification"] | null {
  const [first] = evidence;
  if (!first) {
    return null;
  }
  const sum = (name: (typeof COUNTED)[number]) =>
    evidence.reduce<number | null>((total, { verification: { [name]: value } }) => {
      return total === null || value === null ? null : total + value;
    }, 0);
  const sums = Object.fromEntries(COUNTED.map((name) => [name, sum(name)]));
  return { ...sums, method: first.verification.method };
}
