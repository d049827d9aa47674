import type { Citation, UrlCitation, Verification, Warning } from "@/lib/citations/schema";
import { newId } from "@/lib/id";
import { inSpan } from "@/lib/tracing";
import { CitedAnswer } from "./cited-answer";
import type { ClaimJudge } from "./claim-judge";
import type { Grounded } from "./ground";

/** What a message says beside its text. */
interface MessageEvidence {
  annotations: UrlCitation[];
  verification: Verification;
}

/** What is known when all answers of a request have ended. */
export interface Finished {
  /** By the choice's index; a choice without sources, or in JSON, has none. */
  evidence: ReadonlyMap<number, MessageEvidence>;
  /** Null when retrieval did not run. */
  citations: Citation[] | null;
  /** The sources that an answer named; null where no answer was read for markers. */
  citedIds: ReadonlySet<number> | null;
}

/** The answers of one request: one object for each choice, and what is said of them all at the end. */
export class ChoiceProcessor {
  readonly id = newId("completion");
  readonly #answers = new Map<number, CitedAnswer>();
  #finished: Finished | null = null;

  /** `judging`: of what was retrieved; null when nothing was. */
  constructor(
    readonly grounded: Grounded,
    private readonly judging: ClaimJudge | null,
  ) {}

  /** What retrieval found, before it is known what an answer cites; null when it did not run. */
  get found(): Citation[] | null {
    return this.grounded.retrieved?.sources.map(({ citation }) => citation) ?? null;
  }

  /** Null until `finish` has been called. */
  get finished(): Finished | null {
    return this.#finished;
  }

  /** What asking a model to verify has used so far; null when none was to be asked. */
  get verified() {
    const { verifier, usage } = this.judging ?? {};
    return verifier && usage ? { model: verifier.model, usage } : null;
  }

  get warnings(): Warning[] {
    return [...this.grounded.warnings, ...(this.judging?.warnings ?? [])];
  }

  /** The answer of a new choice; null for one that passes as the model writes it. */
  begin(index: number): CitedAnswer | null {
    const { retrieved, isProse } = this.grounded;
    if (!retrieved || !this.judging || !isProse) {
      return null;
    }
    const answer = new CitedAnswer(retrieved, this.judging);
    this.#answers.set(index, answer);
    return answer;
  }

  /** Judges what the answers say; they have all ended. */
  finish(): Promise<Finished> {
    return this.judging ? inSpan("verification", {}, () => this.#finish()) : this.#finish();
  }

  async #finish(): Promise<Finished> {
    const evidence = new Map<number, MessageEvidence>();
    const cited = new Set<number>();
    for (const [index, answer] of this.#answers) {
      const { annotations, verification, citedIds } = await answer.verify();
      evidence.set(index, { annotations, verification });
      for (const id of citedIds) {
        cited.add(id);
      }
    }
    const citedIds = this.#answers.size > 0 ? cited : null;
    this.#finished = { evidence, citedIds, citations: this.#citations(citedIds) };
    return this.#finished;
  }

  #citations(citedIds: ReadonlySet<number> | null): Citation[] | null {
    if (!citedIds) {
      return this.found;
    }
    const marked = this.found?.map((citation) => ({
      ...citation,
      metadata: { ...citation.metadata, cited: citedIds.has(citation.id) },
    }));
    const isCitedOnly = this.grounded.retrieved?.bounds.return === "cited";
    return marked?.filter(({ metadata: { cited } }) => cited || !isCitedOnly) ?? null;
  }
}
