import { analyzePassage } from "@/lib/evidence/verdict/analyze-passage";
import { judge, judgeAnalyzed } from "@/lib/evidence/verdict/judge";
import type { Pair } from "./pairs";

export interface Cost {
  /** A passage analyzed and one claim judged. */
  whole_mean_ms: number;
  whole_p50_ms: number;
  whole_p95_ms: number;
  /** Another claim against an analyzed passage. */
  prepared_p50_ms: number;
  prepared_p95_ms: number;
}

/** CPU time per claim and passage with warm caches, as in a running server. */
export function measureCost(pairs: readonly Pair[]): Cost {
  for (const { claim, passage } of pairs) {
    judge(claim, passage);
  }
  const whole = pairs.map(({ claim, passage }) => cpuMs(() => judge(claim, passage)));
  const prepared = pairs.map(({ claim, passage }) => {
    const read = analyzePassage(passage);
    return cpuMs(() => judgeAnalyzed(claim, read));
  });
  return {
    whole_mean_ms: whole.reduce((sum, ms) => sum + ms, 0) / whole.length,
    whole_p50_ms: at(whole, 0.5),
    whole_p95_ms: at(whole, 0.95),
    prepared_p50_ms: at(prepared, 0.5),
    prepared_p95_ms: at(prepared, 0.95),
  };
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
