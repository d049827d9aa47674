import type { Judged, Verdict } from "./schema";
import { type AnalyzedPassage, analyzePassage } from "./verdict/analyze-passage";
import { judgeAnalyzed } from "./verdict/judge";
import type { Quote } from "./verdict/quotes";

/** Words of an answer and the sources that their markers name, by number. */
export interface Claim {
  text: string;
  ids: readonly number[];
}

/** How one source stands to a claim; the quote's offsets are UTF-16 of the source's text. */
export type SourceJudgement = Judged & { quote: Quote | null };

/** How a claim stands to its sources, together and each alone. */
export interface ClaimJudgement {
  combined: Judged;
  bySource: ReadonlyMap<number, SourceJudgement>;
}

/** Of several sources the one that says it counts; one that denies it counts before one that says half of it. */
export const VERDICT_RANKS: Record<Verdict, number> = {
  unsupported: 0,
  partial: 1,
  contradicted: 2,
  supported: 3,
};
/** More sources than this behind one claim are not read as one text. */
const MOST_JOINED = 4;

/** Judges the claims of one request's answers by rules. Each passage is read once, when it is first cited. */
export class RulesJudge {
  readonly #prepared = new Map<string, AnalyzedPassage>();
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
    const bySource = new Map(known.map((id) => [id, this.#hold(text, [id])]));
    const judgement = { combined: this.#combine(text, bySource), bySource };
    this.#judged.set(key, judgement);
    return judgement;
  }

  /** The best of its sources or, where none says all of it, what they say together. */
  #combine(text: string, bySource: ReadonlyMap<number, SourceJudgement>): Judged {
    const single = [...bySource.values()].reduce<SourceJudgement | null>(better, null);
    const canJoin = bySource.size > 1 && bySource.size <= MOST_JOINED;
    const joined =
      canJoin && single?.verdict !== "supported" ? this.#hold(text, [...bySource.keys()]) : null;
    // Sentences of different sources deny each other easily: together they only ever say more.
    const best = joined && joined.verdict !== "contradicted" ? better(single, joined) : single;
    return best ? judgedOf(best) : { ...NOTHING };
  }

  /** Sources as one text, read once. */
  read(ids: readonly number[]): AnalyzedPassage {
    const key = ids.join();
    const prepared =
      this.#prepared.get(key) ?? analyzePassage(ids.map((id) => this.texts[id - 1]).join("\n\n"));
    this.#prepared.set(key, prepared);
    return prepared;
  }

  #hold(text: string, ids: readonly number[]): SourceJudgement {
    return judgeAnalyzed(text, this.read(ids));
  }
}

const NOTHING: Judged = { verdict: "unsupported", score: 0, method: "rules", reason: "empty" };

function better(one: SourceJudgement | null, other: SourceJudgement): SourceJudgement {
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
