import type { Judged, Verdict } from "./schema";
import { type AnalyzedPassage, analyzePassage } from "./verdict/analyze-passage";
import { type Judgement, judgeAnalyzed } from "./verdict/judge";

/** A claim of an answer and the source numbers that its markers name. */
export interface Claim {
  text: string;
  ids: readonly number[];
}

/** How sources support a claim, together and individually. */
export interface ClaimJudgement {
  combined: Judged;
  bySource: ReadonlyMap<number, Judgement>;
}

/** Among several sources, the highest rank decides. */
export const VERDICT_RANKS: Record<Verdict, number> = {
  unsupported: 0,
  partial: 1,
  contradicted: 2,
  supported: 3,
};
/** Claims with more sources aren't also judged against their combined text. */
const MAX_JOINED = 4;

/** Judges the claims of a request by rules. Each passage is analyzed once, on first use. */
export class RulesJudge {
  readonly #analyzed = new Map<string, AnalyzedPassage>();
  readonly #judged = new Map<string, ClaimJudgement>();

  /** `texts[0]` is the text of source 1. */
  constructor(private readonly texts: readonly string[]) {}

  judge({ text, ids }: Claim): ClaimJudgement {
    const known = ids.filter((id) => this.texts[id - 1] !== undefined);
    const key = `${known.join()} ${text}`;
    let judgement = this.#judged.get(key);
    if (!judgement) {
      const bySource = new Map(known.map((id) => [id, judgeAnalyzed(text, this.analyze([id]))]));
      judgement = { combined: this.#combine(text, bySource), bySource };
      this.#judged.set(key, judgement);
    }
    return judgement;
  }

  /** The best single source or, if none supports the claim, the sources combined. */
  #combine(text: string, bySource: ReadonlyMap<number, Judgement>): Judged {
    const all = [...bySource.values()];
    const isSupported = all.some(({ verdict }) => verdict === "supported");
    if (!isSupported && all.length > 1 && all.length <= MAX_JOINED) {
      const joined = judgeAnalyzed(text, this.analyze([...bySource.keys()]));
      // Unrelated sources often look contradictory when combined, so combining only raises a verdict.
      all.push(...(joined.verdict === "contradicted" ? [] : [joined]));
    }
    const [best = NOTHING] = all.sort(
      (one, other) =>
        VERDICT_RANKS[other.verdict] - VERDICT_RANKS[one.verdict] || other.score - one.score,
    );
    return judgedOf(best);
  }

  analyze(ids: readonly number[]): AnalyzedPassage {
    const key = ids.join();
    const analyzed =
      this.#analyzed.get(key) ?? analyzePassage(ids.map((id) => this.texts[id - 1]).join("\n\n"));
    this.#analyzed.set(key, analyzed);
    return analyzed;
  }
}

const NOTHING: Judged = { verdict: "unsupported", score: 0, method: "rules", reason: "empty" };

export function judgedOf({ verdict, score, method, reason }: Judged): Judged {
  return { verdict, score, method, reason };
}
