import type { Judged, Verdict } from "./schema";
import { type AnalyzedPassage, analyzePassage } from "./verdict/analyze-passage";
import { type Judgement, judgeAnalyzed } from "./verdict/judge";

/** Words of an answer and the sources that their markers name, by number. */
export interface Claim {
  text: string;
  ids: readonly number[];
}

/** How a claim stands to its sources, together and each alone. */
export interface ClaimJudgement {
  combined: Judged;
  bySource: ReadonlyMap<number, Judgement>;
}

/** Of several sources the one that says it counts; one that denies it counts before one that says half of it. */
export const VERDICT_RANKS: Record<Verdict, number> = {
  unsupported: 0,
  partial: 1,
  contradicted: 2,
  supported: 3,
};
/** More sources than this behind one claim are not read as one text. */
const MAX_JOINED = 4;

/** Judges the claims of one request's answers by rules. Each passage is read once, when it is first cited. */
export class RulesJudge {
  readonly #analyzed = new Map<string, AnalyzedPassage>();
  readonly #judged = new Map<string, ClaimJudgement>();

  /** `texts[0]` is the text of source 1. */
  constructor(private readonly texts: readonly string[]) {}

  /** Sources that do not exist are left out. */
  judge({ text, ids }: Claim): ClaimJudgement {
    const known = ids.filter((id) => this.texts[id - 1] !== undefined);
    const key = `${known.join()} ${text}`;
    const before = this.#judged.get(key);
    if (before) {
      return before;
    }
    const bySource = new Map(known.map((id) => [id, this.#judgeSources(text, [id])]));
    const judgement = { combined: this.#combine(text, bySource), bySource };
    this.#judged.set(key, judgement);
    return judgement;
  }

  /** The best of its sources or, where none says all of it, what they say together. */
  #combine(text: string, bySource: ReadonlyMap<number, Judgement>): Judged {
    const single = [...bySource.values()].reduce<Judgement | null>(better, null);
    const canJoin = bySource.size > 1 && bySource.size <= MAX_JOINED;
    const joined =
      canJoin && single?.verdict !== "supported"
        ? this.#judgeSources(text, [...bySource.keys()])
        : null;
    // Sentences of different sources deny each other easily: together they only ever say more.
    const best = joined && joined.verdict !== "contradicted" ? better(single, joined) : single;
    return best ? judgedOf(best) : { ...NOTHING };
  }

  /** Sources as one text, read once. */
  analyze(ids: readonly number[]): AnalyzedPassage {
    const key = ids.join();
    const analyzed =
      this.#analyzed.get(key) ?? analyzePassage(ids.map((id) => this.texts[id - 1]).join("\n\n"));
    this.#analyzed.set(key, analyzed);
    return analyzed;
  }

  #judgeSources(text: string, ids: readonly number[]): Judgement {
    return judgeAnalyzed(text, this.analyze(ids));
  }
}

const NOTHING: Judged = { verdict: "unsupported", score: 0, method: "rules", reason: "empty" };

function better(one: Judgement | null, other: Judgement): Judgement {
  if (!one) {
    return other;
  }
  const gain = VERDICT_RANKS[other.verdict] - VERDICT_RANKS[one.verdict];
  return gain > 0 || (gain === 0 && other.score > one.score) ? other : one;
}

/** Without the quote. */
export function judgedOf({ verdict, score, method, reason }: Judged): Judged {
  return { verdict, score, method, reason };
}
