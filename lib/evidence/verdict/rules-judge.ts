import { yieldIfLong } from "@/lib/event-loop";
import { type AnalyzedPassage, analyzePassage } from "./analyze-passage";
import { analyzeChunk } from "./analyzed-passages";
import type { RulesLanguage } from "./claim-language";
import { type Judgement, judgeAnalyzed } from "./judge";
import type { Judged, Verdict } from "./judged";

/** A claim of an answer and the source numbers that its markers name. */
export interface Claim {
  text: string;
  ids: readonly number[];
}

/** A source's text, and the title and headings above it. */
export interface LabeledText {
  text: string;
  label: string;
  /** Of a stored passage, whose analysis outlives the request. */
  chunkId?: string | undefined;
}

/** How sources support a claim, together and individually. */
export interface ClaimJudgement {
  combined: Judged;
  bySource: ReadonlyMap<number, Judgement>;
}

/** Among several sources, the highest rank decides. */
export const VERDICT_RANKS: Record<Verdict, number> = {
  unsupported: 0,
  unjudged: 1,
  partial: 2,
  contradicted: 3,
  supported: 4,
};
/** Claims with more sources aren't also judged against their combined text. */
const MAX_JOINED = 4;

/** A model that answers sooner leaves no time to analyze its sources in. */
const PREPARE_AFTER_MS = 20;

/** Judges the claims of a request by rules. Each passage is analyzed once, on first use. */
export class RulesJudge {
  readonly #analyzed = new Map<string, AnalyzedPassage>();
  readonly #judged = new Map<string, Promise<ClaimJudgement>>();

  /** The first is source 1. `language` of the claims; null if each has to tell its own. */
  constructor(
    private readonly sources: readonly LabeledText[],
    private readonly language: RulesLanguage = null,
  ) {}

  get sourceCount(): number {
    return this.sources.length;
  }

  judge({ text, ids }: Claim): Promise<ClaimJudgement> {
    const known = ids.filter((id) => this.sources[id - 1] !== undefined);
    const key = `${known.join()} ${text}`;
    const judged = this.#judged.get(key) ?? this.#judge(text, known);
    this.#judged.set(key, judged);
    return judged;
  }

  /** Claims may be long and name many sources: others run between one source and the next. */
  async #judge(text: string, ids: readonly number[]): Promise<ClaimJudgement> {
    const bySource = new Map<number, Judgement>();
    for (const id of ids) {
      await yieldIfLong();
      this.analyze([id]);
      await yieldIfLong();
      bySource.set(id, this.#judgeBy(id, text));
    }
    await yieldIfLong();
    return { combined: this.#combine(text, bySource), bySource };
  }

  /** Analyzes the passages, one per turn of the event loop, until the returned function is called. */
  prepare(): () => void {
    let id = 0;
    let next: NodeJS.Immediate | undefined;
    const step = () => {
      id += 1;
      if (id <= this.sources.length) {
        this.analyze([id]);
        next = setImmediate(step);
      }
    };
    const first = setTimeout(step, PREPARE_AFTER_MS);
    return () => {
      clearTimeout(first);
      clearImmediate(next);
    };
  }

  /** A claim that only names its source, as a list of sources does, is right. */
  #judgeBy(id: number, text: string): Judgement {
    const judgement = judgeAnalyzed(text, this.analyze([id]), this.language);
    const { label = "" } = this.sources[id - 1] ?? {};
    const name = wordsOfName(label);
    return name !== "" && wordsOfName(text) === name
      ? { ...judgement, verdict: "supported", score: 1, reason: null }
      : judgement;
  }

  /** The best single source or, if none supports the claim, the sources combined. */
  #combine(text: string, bySource: ReadonlyMap<number, Judgement>): Judged {
    const all = [...bySource.values()];
    const isSupported = all.some(({ verdict }) => verdict === "supported");
    if (!isSupported && all.length > 1 && all.length <= MAX_JOINED) {
      const joined = judgeAnalyzed(text, this.analyze([...bySource.keys()]), this.language);
      // Unrelated sources often look contradictory when combined, so combining only raises a verdict.
      all.push(...(joined.verdict === "contradicted" ? [] : [joined]));
    }
    return bestOf(all);
  }

  analyze(ids: readonly number[]): AnalyzedPassage {
    const key = ids.join();
    let analyzed = this.#analyzed.get(key);
    if (!analyzed) {
      analyzed = analyzeSources(ids.flatMap((id) => this.sources[id - 1] ?? []));
      this.#analyzed.set(key, analyzed);
    }
    return analyzed;
  }
}

function analyzeSources(sources: readonly LabeledText[]): AnalyzedPassage {
  const [first, ...others] = sources;
  if (first?.chunkId && others.length === 0) {
    return analyzeChunk(first.chunkId, first.text, first.label);
  }
  const join = (parts: readonly string[]) => [...new Set(parts)].join("\n\n");
  return analyzePassage(
    join(sources.map(({ text }) => text)),
    join(sources.map(({ label }) => label)),
  );
}

/** Of judgements by different sources, the one that decides. */
export function bestOf(judged: readonly Judged[]): Judged {
  const [best = NOTHING] = judged.toSorted(
    (one, other) =>
      VERDICT_RANKS[other.verdict] - VERDICT_RANKS[one.verdict] || other.score - one.score,
  );
  return judgedOf(best);
}

const NOTHING: Judged = { verdict: "unsupported", score: 0, method: "rules", reason: "empty" };

export function judgedOf({ verdict, score, method, reason }: Judged): Judged {
  return { verdict, score, method, reason };
}

function wordsOfName(name: string): string {
  return (
    name
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  );
}
